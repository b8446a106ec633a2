import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CardFile } from "../../command/submit/card-file.ts";
import {
  openQuestionLines,
  openUnderstoodTable,
  readingLines,
} from "../../command/submit/understood-table.ts";
import { drawCards, drawFrom, textOfIndex, unionOf } from "../packages/card-files/reading/drawn-field.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scorecards-understood-"));
});
afterAll(() => rm(folder, { recursive: true }));

const cards = drawCards(drawFrom(3), { players: 12, pickUps: 0.05 });
const holes = Array.from({ length: 18 }, (_, hole) => String(hole + 1));

async function open(answers: Record<string, string>) {
  const rows = [
    ["Klubmesterskab"],
    ["Spiller", "Medlemsnr.", "HCP", "Tee", "Dato", ...holes],
    ...cards.map(({ player, tee, day, strokes }) => [
      player.name,
      player.unionId,
      textOfIndex(player.index),
      tee.name,
      day,
      ...strokes.map((one) => (one === 0 ? "-" : String(one))),
    ]),
  ];
  const path = join(folder, "club.csv");
  await writeFile(path, rows.map((row) => row.join(";")).join("\r\n"));
  return await openUnderstoodTable(path, { client: unionOf(cards), answers });
}

test("what a table leaves open is asked, each question with its option and the values that it may have", async () => {
  const opened = await open({});
  const [first, ...others] = openQuestionLines("club.csv", "questions" in opened ? opened.questions : []);
  const lines = others.join("\n");
  for (const option of ["--course", "--unset"]) {
    expect(first).toContain(option);
    expect(lines).toContain(`Answer by ${option}`);
  }
  expect(lines).toContain("Bogø Golf Klub, Skovbanen");
  expect(lines).toContain("picked-up  the ball was picked up");
  const choices = ["register", "written"].map((value) => ({ value }));
  const [, , , only, other] = openQuestionLines("club.csv", [{ id: "index", about: "", choices }]);
  expect(only).toBe("    register  the union's");
  expect(other).toMatch(/^ {4}or write them into/);
});

test("with the answers every card is there, and what was found out is said", async () => {
  const opened = await open({ course: "Bogø Golf Klub, Skovbanen", unset: "picked-up", marker: "Committee" });
  const { cards: read, table } = opened as CardFile;
  const strokes: unknown[] = [];
  for await (const { value } of read)
    strokes.push((value as { Result: { Strokes: unknown } }).Result.Strokes);
  expect(strokes).toEqual(cards.map((card) => card.strokes));
  const lines = table && readingLines(table.reading);
  expect(lines).toContain("12 of 13 rows are cards. The others: a title (1).");
  expect(lines).toContain("The tournament is Klubmesterskab, by the title.");
});
