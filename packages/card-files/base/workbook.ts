import { type CellObject, read, type WorkSheet } from "@e965/xlsx";
import { unzipSync, zipSync } from "fflate";
import {
  checkCellLength,
  checkTableSize,
  FileBudgetError,
  fileBudget,
  inflatedTooFar,
} from "./file-budget.ts";

/** A sheet of a file; a CSV file has one without a name. */
export interface Sheet {
  readonly name: string;
  /** Texts of the cells, row by row, from the first one of the file on. */
  readonly rows: readonly (readonly string[])[];
  /** Places of the rows that are hidden. */
  readonly hidden?: readonly number[];
}

/** Why a workbook cannot be read, and what to do. @param name of the file */
const unreadableWorkbook = (name: string): string =>
  `${name} is not an Excel workbook that can be read. Save it as .xlsx without a password, or as CSV in UTF-8.`;

/** Cells are read from these; pictures, macros and the like are not. */
const isRead = (part: string) =>
  /\.(xml|rels)$|^mimetype$/i.test(part) && !/^(customXml|docProps)\//i.test(part);

/** A reference that no cell has; and cells and rows without one, of which a few signs are many. */
const badReference = /<(?:\w+:)?(?:c|row)\s[^>]*?\br\s*=\s*["'](?![A-Z]{0,3}\d{1,7}["'])/;
const maxUnnamed = 100_000;

/** @throws FileBudgetError if a sheet has so many cells, or such, that a parser would take minutes */
function checkSheet(xml: string, name: string): void {
  const rows = xml.match(/<(?:\w+:)?row[\s/>]/g)?.length ?? 0;
  const cells = xml.match(/<(?:\w+:)?c[\s/>]/g)?.length ?? 0;
  checkTableSize({ rows, columns: 1, cells }, name);
  const unnamed = xml.match(/<(?:\w+:)?(?:c|row)(?:\s*\/)?>/g)?.length ?? 0;
  if (unnamed > maxUnnamed) checkTableSize({ rows, columns: 1, cells: Number.POSITIVE_INFINITY }, name);
  if (badReference.test(xml)) throw new Error("A cell is at no place of a sheet.");
}

/** A row or a cell of an OpenDocument sheet that stands for so many, and is not empty. */
const repeated = [
  /<table:table-cell[^>]*number-columns-repeated="\d{4,}"[^>]*[^/]>/,
  /<table:table-row[^>]*number-rows-repeated="\d{5,}"[^>]*>(?:(?!<\/table:table-row>).)*<text:p/s,
];

/**
 * The parts of a zipped workbook that have its cells. The sizes that it claims are checked first: a part that comes to more is cut off there.
 *
 * @throws FileBudgetError, or Error if it is no zip file or a damaged one
 */
function inflateParts(
  bytes: Uint8Array,
  name: string,
): { readonly content: Uint8Array; readonly markup: string } {
  let [size, count] = [0, 0];
  const parts = unzipSync(bytes, {
    filter({ name: part, originalSize }) {
      count += 1;
      if (count > fileBudget.parts) throw new Error("It has more parts than a workbook.");
      if (!isRead(part)) return false;
      size += originalSize;
      if (size > fileBudget.inflatedBytes) throw inflatedTooFar(name);
      return true;
    },
  });
  const sheets = Object.keys(parts).filter((part) => /^xl\/\w+sheets\/[^/]+$/i.test(part)).length;
  const workbook = new TextDecoder().decode(parts["xl/workbook.xml"]);
  // A sheet with two names would be read twice, and a small file would be a large table.
  if ((workbook.match(/<(?:\w+:)?sheet\s/g)?.length ?? 0) > sheets) throw new Error("A sheet has two names.");
  for (const [part, content] of Object.entries(parts)) {
    if (!/^content\.xml$|sheets\/[^/]+$/i.test(part)) continue;
    const xml = new TextDecoder().decode(content);
    checkSheet(xml, name);
    if (repeated.some((one) => one.test(xml))) throw inflatedTooFar(name);
  }
  const markup = new TextDecoder().decode(parts["content.xml"]);
  return { content: zipSync(parts, { level: 0 }), markup };
}

/** How rows begin in a web page and in an OpenDocument sheet, and their words for a row that is not shown. */
const rowTag = /<(?:tr|table:table-row)(?=[\s/>])[^>]*>/gi;
const unshown = /display:\s*none|\shidden[\s=>]|visibility="(?:collapse|filter)"/i;

/** Places of the rows of each table that are not shown, which the parser tells of other workbooks only. */
function findUnshownRows(markup: string): number[][] {
  const tables = markup.split(/<(?:table:)?table(?=[\s>])/i).slice(1);
  return tables.map((table) => {
    let next = 0;
    return [...table.matchAll(rowTag)].flatMap(([tag]) => {
      const count = Math.min(Number(/rows-repeated="(\d+)"/.exec(tag)?.[1] ?? 1), fileBudget.rows);
      next += count;
      return unshown.test(tag) ? Array.from({ length: count }, (_, place) => next - count + place) : [];
    });
  });
}

/** Excel keeps 15 digits of a number; more are noise of binary fractions, as in 15.799999999999999. */
const digitsOfExcel = 15;

/** A cell as the text that a CSV file would have. Dates have no time zone, and their fractions of a day miss whole seconds by a little. */
function textOfCell({ t, v, w }: CellObject): string {
  if (t === "e") return w ?? "";
  if (v instanceof Date) return new Date(Math.round(v.getTime() / 1_000) * 1_000).toISOString().slice(0, 19);
  if (typeof v === "number") return String(Number(v.toPrecision(digitsOfExcel)));
  return String(v ?? "").trim();
}

/** @throws FileBudgetError if it is larger than what is read of one */
function readSheet(sheet: WorkSheet, name: string, unshown: readonly number[]): Omit<Sheet, "name"> {
  const cells = (sheet["!data"] ?? []) as readonly (readonly (CellObject | undefined)[] | undefined)[];
  const columns = cells.reduce((most, row) => Math.max(most, row?.length ?? 0), 0);
  const last = sheet["!fullref"] ?? sheet["!ref"] ?? "";
  checkTableSize({ rows: cells.length, columns, cells: cells.length * columns }, name, last);
  const rows = Array.from(cells, (row) =>
    Array.from({ length: columns }, (_, place) => {
      const cell = row?.[place];
      const text = cell === undefined ? "" : textOfCell(cell);
      checkCellLength(text.length, name);
      return text;
    }),
  );
  const hidden = (sheet["!rows"] ?? []).flatMap((row, place) => (row?.hidden ? [place] : []));
  return { rows, hidden: [...hidden, ...unshown] };
}

/**
 * Reads the sheets of a workbook that have cells, as texts such as a CSV file has: .xlsx, .xls, .ods, or a table of a web page.
 *
 * @param given bytes, or the text of a web page
 * @param name of the file
 * @throws FileBudgetError, or Error that says what to do if it is no such workbook
 */
export function readSheets(given: Uint8Array | string, name: string): Sheet[] {
  try {
    const isText = typeof given === "string";
    const { content, markup } = isText
      ? { content: given, markup: given }
      : given[0] === 0x50
        ? inflateParts(given, name)
        : { content: given, markup: "" };
    const unshown = findUnshownRows(markup);
    const { SheetNames, Sheets } = read(content, {
      type: isText ? "string" : "array",
      dense: true,
      raw: true,
      cellDates: true,
      // Only with it hidden rows are told.
      cellStyles: true,
      cellFormula: false,
      cellHTML: false,
      sheetRows: fileBudget.rows + 1,
    });
    return SheetNames.flatMap((sheet, place) => {
      const found = Sheets[sheet];
      return found === undefined ? [] : [{ name: sheet, ...readSheet(found, name, unshown[place] ?? []) }];
    }).filter(({ rows }) => rows.some((row) => row.some((cell) => cell !== "")));
  } catch (cause) {
    if (cause instanceof FileBudgetError) throw cause;
    throw new Error(unreadableWorkbook(name), { cause });
  }
}
