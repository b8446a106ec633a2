import writeExcelFile from "write-excel-file/node";
import type { Answers } from "../../../../packages/card-files/reading/reading.ts";
import { type Draw, type DrawnCard, drawCards, drawFrom, pointsOf, sum, textOfIndex } from "./drawn-field.ts";
import drawnWords from "./drawn-words.json" with { type: "json" };
import { compared, type WrittenFile } from "./read-cards.ts";

type Cell = string | number;

/** A table with the cards that are in it, and what a person would answer about it. */
export interface DrawnTable {
  readonly file: WrittenFile;
  readonly cards: readonly DrawnCard[];
  readonly right: readonly Record<string, unknown>[];
  readonly answers: Answers;
  /** What was drawn, for the message of a test that fails. */
  readonly drawn: readonly string[];
}

/** Words of the languages in which tables are drawn; the reader knows none of them from here. */
const languages = Object.values(drawnWords);
type Words = (typeof languages)[number];

const teeNames: Readonly<Record<string, readonly string[]>> = {
  Hvid: ["Hvid", "White", "hvid", "Weiß", "Vit", "Wit", "Blancs", "Blancas", "Bianco", "Valkoinen"],
  Gul: ["Gul", "Yellow", "GUL", "Gelb", "Gul tee", "Geel", "Jaunes", "Amarillas", "Giallo", "Keltainen"],
  Blå: ["Blå", "Blue", "blå", "Blau", "Blå tee", "Blauw", "Bleus", "Azules", "Blu", "Sininen"],
  Rød: ["Rød", "Red", "rød", "Rot", "Röd", "Rood", "Rouges", "Rojas", "Rosso", "Punainen"],
};

/** Draws one of some values, and notes which. */
const chooser = (draw: Draw, drawn: string[]) =>
  function choose<Value extends string | number | boolean>(name: string, values: readonly Value[]): Value {
    const value = values[Math.floor(draw(values.length))] ?? (values[0] as Value);
    drawn.push(`${name}=${value}`);
    return value;
  };

/** A column with its heading and its cells. */
interface Column {
  readonly heading: string;
  readonly cell: (card: DrawnCard) => Cell;
}

const dateForms = {
  dots: ({ day }: DrawnCard) => day.split("-").toReversed().join("."),
  dashes: ({ day }: DrawnCard) => day.split("-").toReversed().join("-"),
  slashes: ({ day }: DrawnCard) => day.split("-").toReversed().join("/"),
  american: ({ day }: DrawnCard) => `${Number(day.slice(5, 7))}/${Number(day.slice(8))}/${day.slice(0, 4)}`,
  iso: ({ day }: DrawnCard) => day,
  words: ({ day }: DrawnCard, locale: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(new Date(day)),
} as const;

type Choose = ReturnType<typeof chooser>;

function columnsOf(
  words: Words,
  choose: Choose,
  draw: Draw,
): { readonly columns: Column[]; readonly answers: Record<string, string>; readonly hasTime: boolean } {
  const answers: Record<string, string> = {};
  const dates = choose("dates", ["dots", "dashes", "slashes", "american", "iso", "words"] as const);
  if (dates === "dashes" || dates === "slashes") answers.dates = "day-first";
  if (dates === "american") answers.dates = "month-first";
  const time = choose("time", ["none", "column", "joined"] as const);
  const comma = choose("decimal", [",", "."] as const);
  const teeForm = choose("teeName", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const);
  const clock = ({ time: of }: DrawnCard) => of.replace(":", time === "column" && teeForm === 0 ? "." : ":");
  const columns: Column[] = [
    ...(choose("name", ["whole", "parts"] as const) === "whole"
      ? [{ heading: words.player, cell: ({ player }: DrawnCard) => player.name }]
      : [
          { heading: words.first, cell: ({ player }: DrawnCard) => player.name.split(" ")[0] ?? "" },
          { heading: words.last, cell: ({ player }: DrawnCard) => player.name.split(" ")[1] ?? "" },
        ]),
    { heading: words.member, cell: ({ player }) => player.unionId },
    {
      heading: choose("index", [words.index, "Handicap"]),
      cell: ({ player }) => textOfIndex(player.index, comma),
    },
    { heading: words.tee, cell: ({ tee }) => teeNames[tee.name]?.[teeForm] ?? tee.name },
    {
      heading: words.date,
      cell: (card) => `${dateForms[dates](card, words.locale)}${time === "joined" ? ` ${clock(card)}` : ""}`,
    },
    ...(time === "column" ? [{ heading: words.time, cell: clock }] : []),
    ...(choose("handicap", [true, false])
      ? [{ heading: words.handicap, cell: ({ courseHandicap }: DrawnCard) => courseHandicap }]
      : []),
    ...(choose("gender", [true, false])
      ? [
          {
            heading: words.gender,
            cell: ({ player }: DrawnCard) => (player.gender === 1 ? words.female : words.male),
          },
        ]
      : []),
    { heading: words.marker, cell: ({ marker }) => marker },
  ];
  // In any order; the holes stand together.
  for (let place = columns.length - 1; place > 0; place -= 1) {
    const other = Math.floor(draw(place + 1));
    [columns[place], columns[other]] = [columns[other] as Column, columns[place] as Column];
  }
  return { columns, answers, hasTime: time !== "none" };
}

const holeNumbers = Array.from({ length: 18 }, (_, hole) => hole + 1);

function holesOf(
  words: Words,
  choose: Choose,
  answers: Record<string, string>,
): {
  readonly headings: readonly string[];
  readonly cells: (card: DrawnCard) => readonly Cell[];
  readonly rows: "one" | "two";
} {
  const mark = choose("mark", ["x", "-", "", "NR"] as const);
  const kind = choose("kind", ["strokes", "strokes", "strokes", "over-par", "points"] as const);
  if ((mark === "-" || mark === "") && kind !== "points") answers.unset = "picked-up";
  if (kind === "points") answers.holes = "points";
  const name = choose("hole", ["", words.hole, "H", "S"] as const);
  const sums = choose("sums", [true, false]) && kind === "strokes";
  const cells = (card: DrawnCard): readonly Cell[] => {
    const points = pointsOf(card);
    const holes = card.strokes.map((one, place): Cell => {
      if (kind === "points") return points[place] ?? 0;
      if (one === 0) return mark;
      if (kind === "strokes") return one;
      const over = one - (card.tee.pars[place] ?? 0);
      return over > 0 ? `+${over}` : over === 0 ? "E" : String(over);
    });
    const isWhole = card.strokes.every((one) => one > 0);
    return sums ? [...holes, isWhole ? sum(card.strokes) : ""] : holes;
  };
  const rows = kind === "strokes" ? choose("rows", ["one", "one", "two"] as const) : "one";
  return {
    headings: [...holeNumbers.map((hole) => `${name}${hole}`), ...(sums ? [words.total] : [])],
    cells,
    rows,
  };
}

const quote = (cell: Cell, separator: string) =>
  String(cell).includes(separator) ? `"${cell}"` : String(cell);

async function writeFile(
  rows: readonly (readonly Cell[])[],
  choose: Choose,
  words: Words,
): Promise<WrittenFile> {
  const form = choose("file", [
    "utf-8",
    "utf-8 bom",
    "windows-1252",
    "utf-16",
    "sep",
    "workbook",
    "second sheet",
  ] as const);
  if (form === "workbook" || form === "second sheet") {
    const data = rows.map((row) => row.map((value) => (value === "" ? null : { value })));
    const other = [
      [{ value: "Pos" }, { value: words.player }, { value: words.points }],
      [{ value: 1 }, { value: "A B" }, { value: 36 }],
    ];
    const sheets =
      form === "workbook"
        ? [{ data, sheet: "Ark1" }]
        : [
            { data: other, sheet: "Stilling" },
            { data, sheet: "Scorekort" },
          ];
    return { name: "results.xlsx", bytes: new Uint8Array(await writeExcelFile(sheets as never).toBuffer()) };
  }
  const separator = choose("separator", form === "sep" ? ([";", ","] as const) : ([";", ",", "\t"] as const));
  const text = rows.map((row) => row.map((cell) => quote(cell, separator)).join(separator)).join("\r\n");
  const whole = form === "sep" ? `sep=${separator}\r\n${text}` : text;
  if (form === "windows-1252") return { name: "results.csv", bytes: Buffer.from(whole, "latin1") };
  if (form === "utf-16") return { name: "results.csv", bytes: Buffer.from(`\ufeff${whole}`, "utf16le") };
  return { name: "results.csv", bytes: Buffer.from(form === "utf-8 bom" ? `\ufeff${whole}` : whole) };
}

/** Draws a table: encoding, separator, sheets, languages, order and names of columns, extra rows, dates, marks, tees. */
export async function drawTable(seed: number): Promise<DrawnTable> {
  const draw = drawFrom(seed);
  const drawn: string[] = [];
  const choose = chooser(draw, drawn);
  const words = languages[seed % languages.length] ?? drawnWords.english;
  drawn.push(words.locale);
  const day = choose("day", ["2026-07-04", "2026-10-27"]);
  const cards = drawCards(draw, {
    players: 8 + Math.floor(draw(20)),
    rounds: choose("rounds", [1, 1, 2]),
    day,
    pickUps: choose("pickUps", [0, 0.05]),
  });
  const { columns, answers, hasTime } = columnsOf(words, choose, draw);
  const holes = holesOf(words, choose, answers);
  const withRound = cards.some(({ round }) => round > 1);
  const kindOfRow = holes.rows === "two";
  const heading = [
    ...columns.map((column) => column.heading),
    ...(withRound ? [words.round] : []),
    ...(kindOfRow ? ["Type"] : []),
    ...holes.headings,
  ];
  const start = (card: DrawnCard) => [
    ...columns.map(({ cell }) => cell(card)),
    ...(withRound ? [card.round] : []),
  ];
  const rows: (readonly Cell[])[] = cards.flatMap((card) =>
    kindOfRow
      ? [
          [...start(card), words.points, ...pointsOf(card), ...holes.headings.slice(18).map(() => "")],
          [...start(card), "Brutto", ...holes.cells(card)],
        ]
      : [[...start(card), ...holes.cells(card)]],
  );
  const blank = heading.slice(1, heading.length - holes.headings.length).map(() => "");
  const after = holes.headings.slice(18).map(() => "");
  const [first] = cards;
  const extra = choose("extra", ["none", "par", "average", "absent"] as const);
  const above: (readonly Cell[])[] = [
    ["Klubmesterskab"],
    ["Bogø Golf Klub"],
    ...(choose("gap", [true, false]) ? [[""]] : []),
  ];
  const below =
    extra === "average" ? [["Gennemsnit", ...blank, ...holeNumbers.map(() => "4,9"), ...after]] : [];
  const pars =
    extra === "par"
      ? [
          ["Par", ...blank, ...(first?.tee.pars ?? []), ...after],
          ["Index", ...blank, ...(first?.tee.indexes ?? []), ...after],
        ]
      : [];
  const absent =
    extra === "absent" && first !== undefined
      ? [
          [
            ...start(first).map((cell) => (cell === first.player.unionId ? "32-9" : cell)),
            ...(kindOfRow ? ["Brutto"] : []),
            ...holes.headings.map(() => ""),
          ],
        ]
      : [];
  const file = await writeFile([...above, heading, ...pars, ...rows, ...absent, ...below], choose, words);
  const right = cards.map((card) => {
    const all = compared(card);
    const strokes =
      answers.holes === "points"
        ? card.strokes.map((one, place) => (pointsOf(card)[place] === 0 ? 0 : one))
        : card.strokes;
    return { ...all, strokes, start: hasTime ? all.start : `${card.day.replaceAll("-", "")}T000000` };
  });
  return { file, cards, right, answers, drawn };
}
