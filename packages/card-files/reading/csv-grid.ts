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
function scoreSeparator(sample: string, separator: string): number {
  const counts = new Map<number, number>();
  const rows = splitRows(sample, separator).slice(0, 100);
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
const unguard = (cell: string): string => /^="(.*)"$/.exec(cell)?.[1] ?? cell.replace(/^'(?=\d)/, "");

/** Checks of a whole file while it is split; a sample needs none. */
interface SplitChecks {
  /** Called with the line of a quotation mark that is not closed. */
  readonly onOpen: (line: number) => never;
  readonly checkLength: (length: number) => void;
  readonly checkSize: (size: { rows: number; columns: number; cells: number }) => void;
}

/**
 * Splits a text into rows of cells, quoted as in RFC 4180; a quotation mark within a cell is one. Size is checked before there is more of it
 * in memory.
 */
function splitRows(text: string, separator: string, checks?: SplitChecks): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cells = 0;
  let at = 0;
  const isEnd = (sign: string | undefined) =>
    sign === separator || sign === "\n" || sign === "\r" || sign === undefined;
  while (at < text.length) {
    let start = at;
    while (text[start] === " ") start += 1;
    let cell: string;
    if (text[start] === '"') {
      let end = text.indexOf('"', start + 1);
      while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
      if (end === -1) {
        checks?.onOpen(rows.length + 1);
        end = text.length;
      }
      at = end + 1;
      while (!isEnd(text[at])) at += 1;
      checks?.checkLength(at - start);
      cell = text.slice(start + 1, end).replaceAll('""', '"') + text.slice(end + 1, at);
    } else {
      while (!isEnd(text[at])) at += 1;
      checks?.checkLength(at - start);
      cell = text.slice(start, at);
    }
    row.push(unguard(cell.trim()));
    cells += 1;
    checks?.checkSize({ rows: rows.length + 1, columns: row.length, cells });
    if (text[at] === separator) {
      at += 1;
      if (at >= text.length) row.push("");
    } else {
      if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
      at += 1;
      rows.push(row);
      row = [];
    }
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

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
  const rows = splitRows(rest, given ?? best, {
    onOpen(number) {
      throw new Error(`${name} is not a table from line ${number} on. Check its quotation marks.`);
    },
    checkLength: (length) => checkCellLength(length, name),
    checkSize: (size) => checkTableSize(size, name),
  });
  if (line !== "") rows.unshift([]);
  return rows;
}
