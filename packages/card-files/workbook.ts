import readWorkbook from "read-excel-file/universal";
import { textOfCell, unreadableWorkbook } from "./excel-cells.ts";
import { checkTableSize, FileBudgetError } from "./file-budget.ts";
import { unzipWorkbook, zipParts } from "./unzip-workbook.ts";

/** A sheet of a file; a CSV file has one without a name. */
export interface Sheet {
  readonly name: string;
  /** Texts of the cells, row by row, from the first one of the file on. */
  readonly rows: readonly (readonly string[])[];
}

const columnNumber = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** A cell whose row or column cannot be told is as far out as a cell can be. */
const farthest = ["", "XFD", "1048576"];

const reference = /\sr\s*=\s*["']([^"']*)["']/g;

/** @throws FileBudgetError if a sheet's cells or their references are too many or too far out */
function checkSheet(xml: string, name: string): void {
  let [rows, columns, last] = [xml.match(/<(?:\w+:)?row[\s/>]/g)?.length ?? 0, 1, ""];
  for (const [, text = ""] of xml.matchAll(reference)) {
    const [, letters = "", digits = ""] = /^([A-Z]{0,3})(\d{1,7})$/.exec(text) ?? farthest;
    const [row, column] = [Number(digits), columnNumber(letters)];
    if (row > rows || column > columns) last = text;
    rows = Math.max(rows, row);
    columns = Math.max(columns, column);
  }
  checkTableSize({ rows, columns, cells: rows * columns }, name, last);
  const cells = xml.match(/<(?:\w+:)?c[\s/>]/g)?.length ?? 0;
  checkTableSize({ rows, columns, cells }, name);
}

/**
 * Reads the sheets of an Excel workbook (.xlsx) that have cells, as texts such as a CSV file has.
 *
 * @param name of the file
 * @throws FileBudgetError, or Error that says what to do if it is no such workbook
 */
export async function readSheets(bytes: Uint8Array, name: string): Promise<Sheet[]> {
  try {
    const parts = unzipWorkbook(bytes, name);
    for (const content of parts.values()) {
      const xml = new TextDecoder().decode(content);
      if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new Error("A workbook has no document types.");
      if (xml.includes("sheetData")) checkSheet(xml, name);
    }
    const sheets = await readWorkbook(zipParts(parts).buffer);
    return sheets
      .map(({ sheet, data }) => ({ name: sheet, rows: data.map((row) => row.map(textOfCell)) }))
      .filter(({ rows }) => rows.some((row) => row.some((cell) => cell !== "")));
  } catch (cause) {
    if (cause instanceof FileBudgetError) throw cause;
    throw new Error(unreadableWorkbook(name), { cause });
  }
}
