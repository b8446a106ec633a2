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
function inflateParts(bytes: Uint8Array, name: string): Uint8Array {
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
  return zipSync(parts, { level: 0 });
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
function readSheet(sheet: WorkSheet, name: string): Omit<Sheet, "name"> {
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
  return { rows, hidden };
}

/**
 * Reads the sheets of a workbook that have cells, as texts such as a CSV file has: .xlsx, .xls, .ods, or a table of a web page.
 *
 * @param content bytes, or the text of a web page
 * @param name of the file
 * @throws FileBudgetError, or Error that says what to do if it is no such workbook
 */
export function readSheets(content: Uint8Array | string, name: string): Sheet[] {
  try {
    const isZip = typeof content !== "string" && content[0] === 0x50;
    const { SheetNames, Sheets } = read(isZip ? inflateParts(content, name) : content, {
      type: typeof content === "string" ? "string" : "array",
      dense: true,
      raw: true,
      cellDates: true,
      // Only with it hidden rows are told.
      cellStyles: true,
      cellFormula: false,
      cellHTML: false,
      sheetRows: fileBudget.rows + 1,
    });
    return SheetNames.flatMap((sheet) => {
      const found = Sheets[sheet];
      return found === undefined ? [] : [{ name: sheet, ...readSheet(found, name) }];
    }).filter(({ rows }) => rows.some((row) => row.some((cell) => cell !== "")));
  } catch (cause) {
    if (cause instanceof FileBudgetError) throw cause;
    throw new Error(unreadableWorkbook(name), { cause });
  }
}
