import { read as readBook, utils, type WorkSheet, write as writeBook } from "@e965/xlsx";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { tabulatePlayers } from "../../../packages/card-files/pasted-players.ts";
import {
  createUnionMemory,
  understandWithUnion,
} from "../../../packages/card-files/reading/consult-union.ts";
import { readGridFile } from "../../../packages/card-files/reading/read-grid-file.ts";
import { proveRows, rowReader } from "../../../packages/card-files/table-cards.ts";
import {
  maxTemplatePlayers,
  templateLanguages,
  writeTemplate,
} from "../../../packages/card-files/template.ts";
import { isPlayerList, orderTemplate } from "../../../packages/card-files/template-order.ts";
import { en } from "../../../packages/card-files/words/en.ts";
import { type DrawnCard, drawCards, drawFrom, textOfIndex, unionOf } from "./reading/drawn-field.ts";
import { cardsOf, compared, textFile, type WrittenFile } from "./reading/read-cards.ts";

const drawn = drawCards(drawFrom(5), { players: 14, pickUps: 0.03 });
/** One leaves after eleven holes, one leaves out a hole. */
const cards = drawn.map((card, place): DrawnCard => {
  const isUnplayed = (hole: number) => (place === 3 && hole > 10) || (place === 4 && hole === 6);
  return { ...card, strokes: card.strokes.map((one, hole) => (isUnplayed(hole) ? -1 : one)) };
});

/** What a person says about a list of players, here with names that another club, and a title of none, have, too. */
const answers = {
  tournament: "Resultatpokal, Anden Golf Klub",
  date: "2026-07-04",
  course: "Bogø Golf Klub, Skovbanen",
  tee: "Gul",
};

const memory = createUnionMemory();
const readAll = ({ bytes, name }: WrittenFile, given = {}) =>
  understandWithUnion(
    readGridFile(bytes, name),
    given,
    { today: "2026-07-05", committee: en.committee },
    unionOf(cards),
    memory,
  );

async function order(list: string) {
  const reading = await readAll(textFile(list), answers);
  expect([isPlayerList(reading), reading.questions, reading.doubts]).toEqual([true, [], []]);
  return orderTemplate(reading, memory);
}
const listOf = (players: readonly DrawnCard[]) =>
  tabulatePlayers(
    players.map(({ player }) => `${player.unionId}\t${player.name}\t${textOfIndex(player.index)}`).join("\n"),
  );

/** Fills a workbook in. @param isCalculated whether Excel has calculated the sums, and saved them */
function fillIn(sheet: WorkSheet, isCalculated: boolean): void {
  const set = (column: number, row: number, v: string | number) => {
    sheet[utils.encode_cell({ c: column, r: row })] = { t: typeof v === "number" ? "n" : "s", v };
  };
  for (const [place, card] of cards.entries()) {
    set(3, 6 + place, card.tee.name);
    for (const [hole, one] of card.strokes.entries())
      set(5 + hole + (hole > 8 ? 1 : 0), 6 + place, one === 0 ? "x" : one === -1 ? "np" : one);
  }
  for (const [address, { f }] of Object.entries<{ f?: string }>(sheet)) {
    const [, ranges] = /COUNT\((.*?)\)/.exec(f ?? "") ?? [];
    if (ranges === undefined || f === undefined || !isCalculated) continue;
    const cells = ranges
      .split(",")
      .flatMap((range) => utils.sheet_to_json<unknown[]>(sheet, { header: 1, range }));
    const numbers = cells.flat().filter((one) => typeof one === "number");
    const v = numbers.reduce((sum, one) => sum + one, 0);
    sheet[address] = numbers.length === 0 ? { t: "s", v: "", f } : { t: "n", v, f };
  }
}

test.each(
  templateLanguages.flatMap(
    (language) =>
      [
        [language, "nobody"],
        [language, "Excel"],
      ] as const,
  ),
)(
  "a workbook in the language %s that is filled in, and whose sums %s has calculated, is read without a question, and all cards are right",
  async (language, who) => {
    const workbook = await writeTemplate(await order(listOf(cards)), language);
    const book = readBook(await workbook.arrayBuffer(), { cellNF: true, sheetStubs: true });
    fillIn(book.Sheets[book.SheetNames[0] ?? ""] as WorkSheet, who === "Excel");
    const bytes = new Uint8Array(writeBook(book, { type: "array", bookType: "xlsx" }) as ArrayBuffer);
    const reading = await readAll({ name: "cards.xlsx", bytes });
    const { stops, sums } = proveRows(reading, en);
    expect([reading.questions, reading.doubts, stops]).toEqual([[], [], []]);
    expect(sums.map(({ kind }) => kind)).toEqual(who === "Excel" ? ["out", "in", "gross"] : []);
    const right = cards.map((card) => ({
      ...compared(card),
      start: "20260704T000000",
      marker: en.committee,
    }));
    expect(cardsOf(reading)).toEqual(right);
    const { value } = rowReader(reading.header, reading.columns, en)(reading.rows[0] ?? [], 7);
    expect(value).toMatchObject({ Round: { TournamentName: answers.tournament } });
    expect(reading.aside.map(({ reason }) => reason)).toEqual(["title", "title", "title", "course"]);
  },
);

test("players who are pasted without a heading are a table, whatever stands around their numbers", async () => {
  const pasted = '1;"Hjort, Frida";32-7;15,8\n32-8\tBo Bunker\n\n  32-9 Åse Kjær (+1.2)\nMax Hull';
  const rows = [
    "Player\tMember No\tTee\tHandicap Index",
    "Hjort, Frida\t32-7\t\t15,8",
    "Bo Bunker\t32-8\t\t",
    "Åse Kjær\t32-9\t\t+1.2",
  ];
  expect(tabulatePlayers(pasted)).toBe(rows.join("\n"));
  expect(tabulatePlayers("Spiller;Nr\nBo;32-8")).toBe("Spiller;Nr\nBo;32-8");
});

test("the largest workbook is small enough to be zipped without a worker, which the portal's policy forbids", async () => {
  const most = await order(listOf(drawCards(drawFrom(5), { players: maxTemplatePlayers })));
  const parts = unzipSync(new Uint8Array(await (await writeTemplate(most, "da")).arrayBuffer()));
  for (const [name, { length }] of Object.entries(parts))
    expect([name, length < 160_000]).toEqual([name, true]);
});
