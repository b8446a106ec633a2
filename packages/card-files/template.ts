import writeExcelFile, { type Cell } from "write-excel-file/universal";
import type { TemplateOrder, TemplatePlayer } from "./template-order.ts";
import templateWords from "./words/template.json" with { type: "json" };

const words: Readonly<Record<string, (typeof templateWords)["en"]>> = templateWords;

/** The languages of its words. */
export const templateLanguages: readonly string[] = Object.keys(words);
/** A larger sheet would be zipped in a worker, which the portal's policy forbids. */
export const maxTemplatePlayers = 300;
/** Rows for players who enter later. */
const spareRows = 12;

const bold = (value: string | number): Cell => ({ value, fontWeight: "bold" });
const writeText = (value: string): Cell => ({ value, type: String, format: "@" });
/** The letter of a column; a template has at most 26. */
const toLetter = (place: number) => String.fromCharCode(65 + place);

/** Columns before the holes. */
const factColumns = ["player", "member", "index", "tee", "date"] as const;
const holesOfNine = Array.from({ length: 9 }, (_, hole) => hole);

/** The cells of a row: facts, the holes with the sum of each nine behind it, and the sum of all. */
function writeRow(
  facts: readonly Cell[],
  nines: number,
  writeHole: (hole: number) => Cell,
  writeSum: (ranges: readonly string[], nine?: number) => Cell,
  row: number,
): Cell[] {
  const ranges = Array.from({ length: nines }, (_, nine) => {
    const from = factColumns.length + nine * 10;
    return `${toLetter(from)}${row}:${toLetter(from + 8)}${row}`;
  });
  const holes = ranges.flatMap((range, nine) => [
    ...holesOfNine.map((hole) => writeHole(nine * 9 + hole + 1)),
    ...(nines > 1 ? [writeSum([range], nine)] : []),
  ]);
  return [...facts, ...holes, writeSum(ranges)];
}

/** @param start `20260704T081000` */
function writeStart(start: string, dateFormat: string): Cell {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/.exec(start) ?? [];
  if (year === undefined) return start;
  const isTimed = hour !== "00" || minute !== "00";
  const value = new Date(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  return { value, type: Date, format: isTimed ? `${dateFormat} hh:mm` : dateFormat };
}

const writeFormula = (ranges: readonly string[]): Cell => ({
  type: "Formula",
  value: `IF(COUNT(${ranges.join()})=0,"",SUM(${ranges.join()}))`,
});

/**
 * Writes a workbook for the cards of a tournament, one row a player, which is read without a question.
 *
 * @throws Error that says what to do
 */
export async function writeTemplate(order: TemplateOrder, language: string): Promise<Blob> {
  const { tournament, course, pars, players } = order;
  const own = words[language];
  if (own === undefined) throw new Error(`A workbook is written in ${templateLanguages.join(" or ")}.`);
  if (players.length > maxTemplatePlayers)
    throw new Error(`A workbook to fill in has at most ${maxTemplatePlayers} players. Divide the list.`);
  const nines = pars.length === 9 ? 1 : 2;
  const writeFacts = ({ unionId, name, index, tee, start }: TemplatePlayer): Cell[] => [
    name,
    writeText(unionId),
    // Whether a plus handicap as a number has a minus, or none, is for no program to guess.
    /^\d/.test(index)
      ? { value: Number(index.replace(",", ".")), type: Number, format: "0.0" }
      : writeText(index.replace(/[.,]/, own.decimal)),
    tee,
    writeStart(start, own.dateFormat),
  ];
  const nameSum = (_: unknown, nine?: number) =>
    bold(nine === undefined ? own.total : nine === 0 ? own.out : own.in);
  const facts = factColumns.map((name) => bold(own[name]));
  const above: Cell[][] = [
    [bold(`${own.tournament}:`), tournament],
    [bold(`${own.course}:`), course],
    [own.hint],
    [],
    writeRow(facts, nines, bold, nameSum, 0),
    writeRow([own.par, null, null, null, null], nines, (hole) => pars[hole - 1], writeFormula, 6),
  ];
  const spare = Array.from({ length: spareRows }, () => [null, writeText(""), null, null, null]);
  const rows = [...players.map(writeFacts), ...spare].map((start, place) =>
    writeRow(start, nines, () => null, writeFormula, above.length + place + 1),
  );
  return await writeExcelFile([...above, ...rows], {
    sheet: own.sheet,
    columns: [26, 12, 14, 12, 16, ...Array.from({ length: 21 }, () => 5)].map((width) => ({ width })),
    stickyRowsCount: 5,
    stickyColumnsCount: 2,
  }).toBlob();
}
