import { utils, write } from "@e965/xlsx";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { expect, test } from "vitest";
import writeExcelFile from "write-excel-file/node";
import { namedCards } from "../../../../packages/card-files/named-cards.ts";
import { describeStop } from "../../../../packages/card-files/proof.ts";
import { readGridFile } from "../../../../packages/card-files/reading/read-grid-file.ts";
import { type Answers, answerKey, type Reading } from "../../../../packages/card-files/reading/reading.ts";
import { understandTable } from "../../../../packages/card-files/reading/understand-table.ts";
import { proveRows, rowReader } from "../../../../packages/card-files/table-cards.ts";
import { en } from "../../../../packages/card-files/words/en.ts";
import { type DrawnCard, drawCards, drawFrom, pointsOf, sum, textOfIndex } from "./drawn-field.ts";
import { cardsOf, compared, read, textFile, type WrittenFile } from "./read-cards.ts";

type Cell = string | number;

const numbers = Array.from({ length: 18 }, (_, hole) => hole + 1);
const titles = ["Klubmesterskab", "Bogø Golf Klub"];
const aboveOnes = titles.map((title): Cell[] => [title]);

const head = ["Spiller", "Medlemsnr.", "HCP", "Banehandicap", "Tee", "Dato", "Markør"];
const danish = ({ day }: DrawnCard, sign = "-") => day.split("-").toReversed().join(sign);
/** The cells of a card before its holes. */
const start = (card: DrawnCard): Cell[] => [
  card.player.name,
  card.player.unionId,
  textOfIndex(card.player.index),
  card.courseHandicap,
  card.tee.name,
  danish(card, "."),
  card.marker,
];
const csv = (rows: readonly (readonly Cell[])[], separator = ";") =>
  rows.map((row) => row.map(String).join(separator)).join("\r\n");
const writeCsv = (rows: readonly (readonly Cell[])[]) => textFile(csv(rows));
/** A file of rows below the titles. */
const results = (...rows: readonly (readonly Cell[])[]) => writeCsv([...aboveOnes, ...rows]);
/** Writes a file of a header, and a row for each card. */
const writeRows =
  (header: readonly Cell[], row: (card: DrawnCard, place: number) => readonly Cell[]) =>
  (cards: readonly DrawnCard[]) =>
    results(header, ...cards.map(row));
/** Writes a file with several rows for each card, which a column tells apart. */
const writeEach =
  (heading: string, rows: (card: DrawnCard) => readonly (readonly Cell[])[]) =>
  (cards: readonly DrawnCard[]) =>
    results([...head, heading, ...numbers], ...cards.flatMap(rows));
/** A table below its titles, with holes named by `holeName`. */
const plain = (
  cards: readonly DrawnCard[],
  holes: (card: DrawnCard) => Cell[],
  holeName = (hole: number): Cell => `H${hole}`,
) => [
  ...aboveOnes,
  [...head, ...numbers.map(holeName)],
  ...cards.map((card) => [...start(card), ...holes(card)]),
];
const strokes = ({ strokes: all }: DrawnCard): Cell[] => [...all];
const netOf = ({ strokes: all, received }: DrawnCard) => all.map((one, hole) => one - (received[hole] ?? 0));
/** Writes a file with one more column behind the holes. */
const writeWith = (heading: string, cell: (card: DrawnCard) => Cell, holes = strokes) =>
  writeRows([...head, ...numbers, heading], (card) => [...start(card), ...holes(card), cell(card)]);

async function workbook(
  sheets: readonly (readonly [name: string, rows: readonly (readonly Cell[])[]])[],
): Promise<WrittenFile> {
  const data = sheets.map(([, rows]) =>
    rows.map((row) => row.map((value) => (value === "" ? null : { value }))),
  );
  const written = await writeExcelFile(
    data.map((one, place) => ({ data: one, sheet: sheets[place]?.[0] ?? "" })) as never,
  ).toBuffer();
  return { name: "results.xlsx", bytes: new Uint8Array(written) };
}

/** A kind of table that a club sends. */
interface Kind {
  readonly name: string;
  readonly field?: Parameters<typeof drawCards>[1];
  readonly write: (cards: readonly DrawnCard[]) => WrittenFile | Promise<WrittenFile>;
  /** The questions that it may ask, with what their answers are. */
  readonly answers?: Answers;
  /** The cards as they are right; by default all that were drawn, without a time. */
  readonly right?: (cards: readonly DrawnCard[]) => readonly Record<string, unknown>[];
}

const atMidnight = (cards: readonly DrawnCard[]): Record<string, unknown>[] =>
  cards.map((card) => ({ ...compared(card), start: `${card.day.replaceAll("-", "")}T000000` }));

const withoutDay = <Item>(cells: readonly Item[]) => cells.toSpliced(5, 1);

/** Two rounds a player without their days, which a column tells apart by something else. */
const roundsBy = (name: string, heading: string, cell: (round: number) => Cell): Kind => ({
  name,
  field: { players: 6, rounds: 2 },
  write: writeRows([...withoutDay(head), heading, ...numbers], (card) => [
    ...withoutDay(start(card)),
    cell(card.round),
    ...card.strokes,
  ]),
  answers: { [`date:${cell(1)}`]: "04.07.2026", [`date:${cell(2)}`]: "05.07.2026" },
});

const kinds: readonly Kind[] = [
  roundsBy("a round in a column, and no day", "Runde", (round) => round),
  roundsBy("a word for the day", "Dato", (round) => ["lørdag", "søndag"][round - 1] ?? ""),
  {
    name: "a dated title above each of two parts",
    field: { players: 6, rounds: 2 },
    write: (cards) =>
      results(
        ...[1, 2].flatMap((round) => [
          [`${round}. runde ${3 + round}.07.2026`],
          [...withoutDay(head), ...numbers],
          ...cards
            .filter((card) => card.round === round)
            .map((card) => [...withoutDay(start(card)), ...card.strokes]),
        ]),
      ),
    answers: { "date:1. runde 4.07.2026": "04.07.2026", "date:2. runde 5.07.2026": "05.07.2026" },
    right: (cards) => atMidnight(cards.toSorted((one, other) => one.round - other.round)),
  },
  {
    name: "unknown headings of numbers and tees, players called Max and Par, and an M for men",
    write: writeRows(
      ["Spiller", "Kennung", "HCP", "Banehandicap", "Farve", "Dato", "Markør", "Køn", ...numbers],
      (card, place) => [
        ["Max", "Par"][place] ?? card.player.name,
        card.player.unionId.slice(3),
        ...start(card).slice(2),
        card.player.gender === 2 ? "M" : "K",
        ...card.strokes,
      ],
    ),
    answers: { "column:Player/UnionID": "Kennung" },
  },
  {
    name: "headings merged over two lines",
    write: (cards) =>
      results(
        ["Spiller", "", "Handicap", "", "Runde 1", "", "", "Huller", ...numbers.slice(1).map(() => "")],
        ["Navn", "Medlemsnr.", "Index", "Banehcp", "Tee", "Dato", "Markør", ...numbers],
        ...cards.map((card) => [...start(card), ...card.strokes]),
      ),
  },
  {
    name: "quoted line breaks in a heading",
    write: (cards) =>
      writeCsv(
        plain(cards, strokes).map((row) =>
          row[0] === "Spiller" ? row.with(2, '"Handicap\nindex"').with(1, '"DGU\r\nnummer"') : row,
        ),
      ),
  },
  {
    name: "dates such as 27-11-2026 of which none says its order",
    write: (cards) =>
      writeCsv(
        plain(cards, strokes).map((row) =>
          row.map((cell) =>
            typeof cell === "string" ? cell.replaceAll(/^(\d\d)\.(\d\d)\.(\d{4})$/g, "$1-$2-$3") : cell,
          ),
        ),
      ),
    answers: { dates: "day-first" },
  },
  {
    name: "dates with the month first",
    field: { players: 12, rounds: 2, day: "2026-07-12" },
    write: writeRows([...head, "Round", ...numbers], (card) => [
      ...start(card).with(5, `${Number(card.day.slice(5, 7))}/${Number(card.day.slice(8))}/2026`),
      card.round,
      ...card.strokes,
    ]),
  },
  {
    name: "points in columns named S1 to S18",
    write: (cards) => writeCsv(plain(cards, pointsOf, (hole) => `S${hole}`)),
    answers: { holes: "points" },
    right: (cards) =>
      atMidnight(cards).map((card, place) => ({
        ...card,
        strokes: (card.strokes as unknown as number[]).map((one, hole) =>
          pointsOf(cards[place] as DrawnCard)[hole] === 0 ? 0 : one,
        ),
      })),
  },
  {
    name: "strokes over par in columns named S1 to S18",
    write: (cards) =>
      writeCsv(
        plain(
          cards,
          ({ strokes: all, tee }) =>
            all.map((one, place) => {
              const over = one - (tee.pars[place] ?? 0);
              return over > 0 ? `+${over}` : over === 0 ? "E" : String(over);
            }),
          (hole) => `S${hole}`,
        ),
      ),
  },
  {
    name: "net strokes beside their sum",
    write: writeWith("Netto", (card) => sum(netOf(card)), netOf),
    answers: { holes: "net" },
  },
  {
    name: "net strokes, beside a total of gross ones, that no word tells",
    write: writeWith("Brutto", (card) => sum(card.strokes), netOf),
    answers: { holes: "net" },
  },
  {
    name: "net strokes that neither a word nor a sum tells",
    write: (cards) => writeCsv(plain(cards, netOf)),
    answers: { holes: "net" },
  },
  {
    name: "rows of points and of gross strokes for each player",
    write: writeEach("Type", (card) => [
      [...start(card), "Points", ...pointsOf(card)],
      [...start(card), "Gross", ...card.strokes],
    ]),
  },
  {
    name: "rows of a player whose name stands only in the first",
    write: writeEach("Række", (card) => [
      [...start(card), "Slag", ...card.strokes],
      [...head.map(() => ""), "Point", ...pointsOf(card)],
    ]),
  },
  {
    name: "rows of a player that are told by words that nobody knows",
    write: writeEach("Xyz", (card) => [
      [...start(card), "Aa", ...card.strokes],
      [...start(card), "Bb", ...card.strokes.map((one) => Math.max(1, one - 1))],
    ]),
    answers: { rows: "Aa" },
  },
  {
    name: "Handicap that is the course handicap, beside no index",
    write: writeRows(["Spiller", "Medlemsnr.", "Handicap", "Tee", "Dato", "Markør", ...numbers], (card) => [
      ...start(card).toSpliced(2, 1),
      ...card.strokes,
    ]),
    answers: { index: "register" },
  },
  {
    name: "an index without a course handicap",
    write: writeRows(["Spiller", "Medlemsnr.", "Handicap", "Tee", "Dato", "Markør", ...numbers], (card) => [
      ...start(card).toSpliced(3, 1),
      ...card.strokes,
    ]),
  },
  {
    name: "Total of points",
    write: writeWith("Total", (card) => sum(pointsOf(card))),
  },
  {
    name: "Total of net strokes",
    write: writeWith("Total", (card) => sum(card.strokes) - card.courseHandicap),
  },
  {
    name: "nine columns on a tee of eighteen holes",
    write: (cards) =>
      writeCsv(plain(cards, ({ strokes: all }) => all.slice(0, 9)).map((row) => row.slice(0, 16))),
    answers: { nine: "front" },
    right: (cards) =>
      atMidnight(cards).map((card) => ({
        ...card,
        strokes: [
          ...(card.strokes as unknown as number[]).slice(0, 9),
          ...Array.from({ length: 9 }, () => -1),
        ],
      })),
  },
  {
    name: "one row a hole",
    write: (cards) =>
      results(
        [...head, "Hul", "Slag", "Par"],
        ...cards.flatMap((card) =>
          card.strokes.map((one, place) => [...start(card), place + 1, one, card.tee.pars[place] ?? 4]),
        ),
      ),
  },
  {
    name: "two rounds beside each other",
    field: { players: 6, rounds: 2 },
    write: (cards) =>
      results(
        [...head, ...numbers.map((hole) => `R1 H${hole}`), ...numbers.map((hole) => `R2 H${hole}`)],
        ...cards
          .filter(({ round }) => round === 1)
          .map((card, place) => [...start(card), ...card.strokes, ...(cards[place * 2 + 1]?.strokes ?? [])]),
      ),
    right: (cards) => atMidnight(cards.map((card) => ({ ...card, day: cards[0]?.day ?? "" }))),
  },
  {
    name: "a round on each of two sheets",
    field: { players: 6, rounds: 2 },
    write: (cards) =>
      workbook(
        [1, 2].map(
          (round) =>
            [
              `Runde ${round}`,
              plain(
                cards.filter((card) => card.round === round),
                strokes,
              ),
            ] as const,
        ),
      ),
    answers: { sheet: "all" },
    right: (cards) => atMidnight(cards.toSorted((one, other) => one.round - other.round)),
  },
  {
    name: "headings that come again on each page",
    write(cards) {
      const rows = plain(cards, strokes);
      return writeCsv([...rows.slice(0, 9), rows[2] ?? [], ...rows.slice(9)]);
    },
  },
  {
    name: "no marker and no day",
    write: writeRows([...head.slice(0, 5), ...numbers], (card) => [
      ...start(card).slice(0, 5),
      ...card.strokes,
    ]),
    answers: { marker: "Turneringsudvalget", date: "04.07.2026" },
    right: (cards) => atMidnight(cards).map((card) => ({ ...card, marker: "Turneringsudvalget" })),
  },
];

test.each(kinds)(
  "a table with $name is right, or asks one thing whose answer makes it right",
  async (kind) => {
    const cards = drawCards(drawFrom(7), kind.field ?? { players: 12 });
    const file = await kind.write(cards);
    const { answers = {}, right = atMidnight } = kind;
    const open = await read(file, cards);
    // Questions are asked for what the file does not say, and only for that.
    expect(open.questions.map(answerKey).toSorted()).toEqual(Object.keys(answers).toSorted());
    const reading = await read(file, cards, answers);
    expect(reading.questions).toEqual([]);
    expect(cardsOf(reading)).toEqual(right(cards));
  },
);

test("a table whose rows name several courses is not sent by one answer for all", async () => {
  const cards = drawCards(drawFrom(7), { players: 6 });
  const rows = [
    ["Klub"],
    [...head, "Bane", ...numbers],
    ...cards.map((card, place) => [...start(card), place < 3 ? "Skovbanen" : "Søbanen", ...card.strokes]),
  ];
  const { questions } = await read(writeCsv(rows), cards, { course: "Skovbanen" });
  expect(questions.map(({ id, choices }) => [id, choices])).toEqual([["course", []]]);
});

test("numbers that Excel has turned into dates are faults that say so, with the number that was there", async () => {
  const cards = drawCards(drawFrom(7), { players: 12 });
  const rows = plain(cards, strokes);
  const damaged = ["02-nov", "3-jan.", "nov-32", "2026-11-02T00:00:00", "02-11-2026"];
  for (const [place, text] of damaged.entries()) (rows[3 + place] as Cell[])[1] = text;
  (rows[9] as Cell[])[2] = "12-apr";
  const reading = await read(writeCsv(rows), cards);
  const readCard = rowReader(reading.header, reading.columns, en);
  const faults = reading.rows.map((row, place) => readCard(row, reading.numbers[place] ?? 0).fault);
  expect(faults.flatMap((fault) => fault?.detail.match(/was probably (\S+)\./)?.[1] ?? [])).toEqual([
    "2-11",
    "3-1",
    "11-32",
    "2-11",
    "2-11",
    "12.4",
  ]);
  expect(faults.map((fault) => fault?.code)).toEqual([
    ...Array.from({ length: 5 }, () => "excel_date"),
    undefined,
    "excel_date",
    ...Array.from({ length: 5 }, () => undefined),
  ]);
});

test("a card is named by its round: the same from every file and row, and a player's round is in a file once", async () => {
  const cards = drawCards(drawFrom(7), { players: 12 });
  const rows = plain(cards, strokes);
  const before = await namesOf(writeCsv(rows), cards);
  const sorted = [...rows.slice(0, 3), ...rows.slice(3).toReversed()];
  expect(await namesOf(textFile(csv(sorted), "Results (1).csv"), cards)).toEqual(before.toReversed());
  expect(new Set(before).size).toBe(12);
  const nextWeek = csv(rows).replaceAll(danish(cards[0] as DrawnCard, "."), "20.11.2026");
  const ofNextWeek = await namesOf(textFile(nextWeek), cards);
  expect(ofNextWeek.filter((name) => before.includes(name))).toEqual([]);
  (rows[4] as Cell[])[1] = "32-9";
  (rows[5] as Cell[])[1] = "32-9";
  const reading = await read(writeCsv(rows), cards);
  const named = namedCards(cardsOfReading(reading));
  const faults = [];
  for await (const { number, fault } of named)
    if (fault !== undefined) faults.push([number, fault.code, fault.expected]);
  expect(faults).toEqual([[6, "duplicate_external_id", 5]]);
});

async function* cardsOfReading({ header, rows, numbers: places, columns }: Reading) {
  const readCard = rowReader(header, columns, en);
  for (const [place, row] of rows.entries()) yield readCard(row, places[place] ?? 0);
}

async function namesOf(file: WrittenFile, cards: readonly DrawnCard[]): Promise<unknown[]> {
  const names = [];
  for await (const { value } of cardsOfReading(await read(file, cards)))
    names.push((value as { readonly ExternalID?: unknown }).ExternalID);
  return names;
}

const mistyped = ["", "?", "2026-02-31", "2099-12-24", "x4", "999", "scratch", "32/1", "12.5"];

test("a cell that is mistyped costs its own row, not the table", async () => {
  const cards = drawCards(drawFrom(7), { players: 12 });
  const rows = plain(cards, strokes);
  const columns = [...head, ...numbers.map((hole) => `H${hole}`), "Total"];
  const written = rows.slice(3).map((row, place) => [...row, sum(cards[place]?.strokes ?? [])]);
  const readWith = (all: readonly (readonly Cell[])[]) =>
    read(writeCsv([["Cup"], ["Bogø Golf Klub, Skovbanen"], columns, ...all]), cards);
  const expected = cardsOf(await readWith(written));
  expect(expected).toEqual(atMidnight(cards));
  const at = 4;
  for (const place of [...head.keys(), 7, 15, 24, 25])
    for (const cell of mistyped) {
      const reading = await readWith(written.with(at, (written[at] ?? []).with(place, cell)));
      const what = `${columns[place]} ${cell}`;
      const others = expected.toSpliced(at, 1);
      expect(cardsOf(reading), what).toEqual(expect.arrayContaining(others));
      expect(
        reading.questions.filter(({ id, about }) => id !== "tee" && about !== "…"),
        what,
      ).toEqual([]);
      const sums = proveRows(reading, en).sums.map(({ column }) => column);
      expect(sums, what).toContain("Total");
    }
});

test("a table of a club that nothing names is asked for its course, unless the account reads none", async () => {
  const cards = drawCards(drawFrom(7), { players: 6 });
  const file = textFile(csv([["Cup"], ...plain(cards, strokes).slice(2)]).replaceAll("32-", "99-"));
  const { questions } = await read(file, cards);
  expect(questions.map(({ id }) => id)).toEqual(["course"]);
  const grid = readGridFile(file.bytes, file.name);
  const { notes } = understandTable(grid, {}, { today: "2026-11-27", courses: "unreadable" });
  expect(notes.map(({ kind }) => kind)).toContain("unreadable");
});

test.each(["xlsx", "biff8", "ods", "html"] as const)(
  "a workbook of the form %s is read by its content, and a hidden row only if a person wants it",
  async (bookType) => {
    const cards = drawCards(drawFrom(7), { players: 6 });
    const sheet = utils.aoa_to_sheet(plain(cards, strokes));
    if (bookType === "xlsx") sheet["!rows"] = [{}, {}, {}, {}, { hidden: true }];
    const content = write(utils.book_new(sheet, "A"), { type: "array", bookType }) as ArrayBuffer | string;
    const written = typeof content === "string" ? strToU8(content) : new Uint8Array(content);
    const bytes = bookType === "html" ? strToU8(hideFifthRow(strFromU8(written))) : hideInSheet(written);
    const file = { name: "club.xls", bytes };
    expect(cardsOf(await read(file, cards, { hidden: "read" }))).toEqual(atMidnight(cards));
    const { notes, rows } = await read(file, cards);
    // No library writes a hidden row of the old form.
    expect(rows).toHaveLength(bookType === "biff8" ? 6 : 5);
    expect(notes.some(({ kind, text }) => kind === "hidden" && text === "1")).toBe(bookType !== "biff8");
  },
);

/** Hides a row of a web page or an OpenDocument sheet, as a filter does. */
const hideFifthRow = (markup: string): string => {
  let place = 0;
  return markup.replaceAll(/<(?:tr|table:table-row)(?=[ >])/g, (tag) => {
    place += 1;
    return place === 5 ? `${tag} style="display:none" table:visibility="filter"` : tag;
  });
};

function hideInSheet(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x50) return bytes;
  const { "content.xml": content, ...parts } = unzipSync(bytes);
  return content === undefined
    ? bytes
    : zipSync({ ...parts, "content.xml": strToU8(hideFifthRow(strFromU8(content))) });
}

/** Tables that are stopped, each with its heading and rows, and what is told. */
const stopped: Readonly<
  Record<
    string,
    { readonly rows: (cards: readonly DrawnCard[]) => readonly (readonly Cell[])[]; readonly told: RegExp }
  >
> = {
  "a second heading with other columns": {
    rows: (cards) => [
      [...head, ...numbers],
      ...cards.slice(0, 6).map((card) => [...start(card), ...card.strokes]),
      [...withoutDay(head), ...numbers],
      ...cards.slice(6).map((card) => [...withoutDay(start(card)), ...card.strokes]),
    ],
    told: /Row 10 is another heading/,
  },
  "stroke indexes of another course": {
    rows: (cards) => [
      [...head, ...numbers],
      ["Index", ...head.slice(1).map(() => ""), ...numbers.toReversed()],
      ...cards.map((card) => [...start(card), ...card.strokes]),
    ],
    told: /stroke indexes are those of no tee of the course: 1 of 18/,
  },
  "partners with the score of their side": {
    rows: (cards) => [
      [...head, ...numbers],
      ...cards.map((card, place) => [...start(card), ...(cards[place - (place % 2)] ?? card).strokes]),
    ],
    told: /^Most players have the strokes of another one/,
  },
};

test.each(Object.entries(stopped))("a table with %s is not sent, and says why", async (_, { rows, told }) => {
  const cards = drawCards(drawFrom(7), { players: 12 });
  const { doubts, questions } = await read(results(...rows(cards)), cards);
  const sentences = [
    ...doubts.map((stop) => describeStop(stop, en)),
    ...questions.map(({ id, about }) => en.questions.ask[id](about)),
  ];
  expect(sentences[0]).toMatch(told);
});
