import Papa from "papaparse";
import { checkCellLength, checkTableSize } from "../base/file-budget.ts";
import { kindsOfHeading } from "./headings.ts";

const separators = [";", ",", "\t", "|"] as const;

/** The first line of a file that Excel writes its separator in. */
const separatorLine = /^sep=(.)\r?\n/i;

const sampleLength = 20_000;

const minKnown = 2;
const ofHeading = 10_000;

/**
 * How well a separator makes columns: the most frequent number of them, times its share of the rows. One that makes a heading comes before
 * one that only parts what stands in cells.
 */
function scoreSeparator(sample: string, delimiter: string): number {
  const counts = new Map<number, number>();
  const rows = Papa.parse<string[]>(sample, { delimiter, preview: 100 }).data;
  const known = Math.max(
    0,
    ...rows.map((row) => row.filter((cell) => kindsOfHeading(cell).length > 0).length),
  );
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  return (
    (known < minKnown ? 0 : ofHeading) +
    Math.max(0, ...[...counts].map(([cells, times]) => ((cells - 1) * times) / rows.length))
  );
}

/** A text without what keeps Excel from taking it for a number or a date: `="2-11"` and `'2-11`. */
const unguard = (cell: string): string => /^=?"(.*)"$/s.exec(cell)?.[1] ?? cell.replace(/^'(?=\d)/, "");

/**
 * Reads a text whose cells are separated by what separates them best.
 *
 * @param name of the file
 * @throws FileBudgetError, or Error if a quotation mark is not closed
 */
export function readCsvGrid(text: string, name: string): string[][] {
  const [line = "", given] = separatorLine.exec(text) ?? [];
  const rest = text.slice(line.length);
  const sample = rest.slice(0, sampleLength);
  const scored = separators.map((one) => [one, scoreSeparator(sample, one)] as const);
  const [best] = scored.reduce((one, other) => (other[1] > one[1] ? other : one));
  const rows: string[][] = line === "" ? [] : [[]];
  let cells = 0;
  Papa.parse<string[]>(rest, {
    delimiter: given ?? best,
    step({ data, errors }) {
      cells += data.length;
      for (const cell of data) checkCellLength(cell.length, name);
      if (errors.some(({ type }) => type === "Quotes"))
        throw new Error(`${name} is not a table from line ${rows.length + 1} on. Check its quotation marks.`);
      rows.push(data.map((cell) => unguard(cell.trim())));
      checkTableSize({ rows: rows.length, columns: data.length, cells }, name);
    },
  });
  // The end of the last line is no row.
  if (rows.at(-1)?.every((cell) => cell === "") && rows.at(-1)?.length === 1) rows.pop();
  return rows;
}
