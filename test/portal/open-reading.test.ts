import { createUnionMemory, understandWithUnion } from "@scorecard-pipeline/card-files/reading/consult-union";
import type { Answers, GridFile } from "@scorecard-pipeline/card-files/reading/reading";
import type { Layout } from "@scorecard-pipeline/card-files/reading/recall-answers";
import { expect, test } from "vitest";
import type { KeptLayouts } from "../../portal/tables/kept-layouts.ts";
import { openReading } from "../../portal/tables/open-reading.ts";
import { drawCards, drawFrom, textOfIndex, unionOf } from "../packages/card-files/reading/drawn-field.ts";

const course = "Bogø Golf Klub, Skovbanen";
const cards = drawCards(drawFrom(3), { players: 12, pickUps: 0.05 });
const holes = Array.from({ length: 18 }, (_, hole) => String(hole + 1));

function table(mark: string, heading = "Tee"): GridFile {
  const rows = cards.map(({ player, tee, day, strokes }) => [
    player.name,
    player.unionId,
    textOfIndex(player.index),
    tee.name,
    day,
    ...strokes.map((one) => (one === 0 ? mark : String(one))),
  ]);
  const names = ["Spiller", "Medlemsnr.", "HCP", heading, "Dato", ...holes];
  return { name: "club.csv", kind: "csv", sheets: [{ name: "", rows: [names, ...rows] }] };
}

/** What a browser keeps, in memory. */
function keeping() {
  const kept = new Map<string, Layout>();
  const layouts: KeptLayouts = {
    find: async (headings) => kept.get(headings.join()),
    async keep(headings, layout) {
      kept.set(headings.join(), layout);
    },
    async forget(headings) {
      kept.delete(headings.join());
    },
  };
  return { kept, layouts };
}

async function open(file: GridFile, layouts: KeptLayouts, answers: Answers = {}) {
  const memory = createUnionMemory();
  const reading = await openReading(file, layouts, (tried) =>
    understandWithUnion(file, tried, { today: "2026-11-28" }, unionOf(cards), memory),
  );
  const asked = async (of: ReturnType<typeof reading.answer>) => (await of).questions.map(({ id }) => id);
  return { reading, asked, questions: await asked(reading.answer(answers)) };
}

test("a table with the headings of an earlier one is answered as that was, until a person asks again", async () => {
  const { kept, layouts } = keeping();
  const first = await open(table("-"), layouts, { course, unset: "picked-up", marker: "Anna Holm" });
  expect([first.questions, first.reading.recalled()]).toEqual([[], undefined]);
  await first.reading.keep();
  expect([...kept.values()]).toEqual([
    { name: "Spiller, Medlemsnr., HCP", answers: { "unset:-": "picked-up" } },
  ]);

  const second = await open(table("-"), layouts);
  // The club may have played away.
  expect(second.questions).toEqual(["course", "marker"]);
  const at = { ...second.reading.answers(), course };
  expect(await second.asked(second.reading.answer(at))).toEqual(["marker"]);
  await second.reading.keep("Wednesdays");
  expect(second.reading.recalled()).toMatchObject({
    name: "Wednesdays",
    answers: [{ id: "unset", value: "picked-up" }],
  });
  expect(await second.asked(second.reading.answer({ ...at, unset: "" }))).toEqual(["unset", "marker"]);
  expect(await second.asked(second.reading.askAgain())).toContain("unset");
  expect(kept.size).toBe(0);
});

test.each([
  ["another mark of unset holes", table(""), ["course", "unset", "marker"]],
  ["another heading", table("-", "Teested"), ["course", "unset", "marker"]],
])("of a table with %s is asked what the earlier one leaves open", async (_, file, questions) => {
  const { layouts } = keeping();
  const first = await open(table("-"), layouts, { course, unset: "picked-up", marker: "Committee" });
  await first.reading.keep();
  expect((await open(file, layouts)).questions.toSorted()).toEqual(questions.toSorted());
});

test("an answer that is no choice any more is asked for", async () => {
  const { kept, layouts } = keeping();
  const { reading } = await open(table("-"), layouts, { course, unset: "picked-up", marker: "Committee" });
  await reading.keep();
  for (const [headings, layout] of kept) kept.set(headings, { ...layout, answers: { "unset:-": "lost" } });
  const again = await open(table("-"), layouts);
  expect(again.questions.toSorted()).toEqual(["course", "marker", "unset"]);
  expect(again.reading.recalled()).toBeUndefined();
});
