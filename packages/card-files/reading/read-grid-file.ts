import { checkFileSize } from "../base/file-budget.ts";
import { readSheets } from "../base/workbook.ts";
import { readCsvGrid } from "./csv-grid.ts";
import type { GridFile } from "./reading.ts";
import { decodeText, type TextEncoding } from "./text-encoding.ts";

/** How workbooks begin: zipped ones (.xlsx, .ods), and old ones (.xls). */
const workbooks = [
  [0x50, 0x4b],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Web pages and Excel's XML, which programs save as .xls. */
const markup = /^\s*<(?:!doctype|html|table|\?xml)/i;
/** Kinds of files that have tables and cannot be read, by how they begin. */
const others = /^\s*(?:%PDF|\{\\rtf)/i;

/**
 * Reads a file as a grid of texts: CSV in any encoding, or a workbook, by its content.
 *
 * @param encoding if a person has said it
 * @throws Error that says what is wrong with it and what to do
 */
export function readGridFile(bytes: Uint8Array, name: string, encoding?: TextEncoding): GridFile {
  checkFileSize(bytes.length, name);
  const isWorkbook = workbooks.some((signs) => signs.every((sign, place) => bytes[place] === sign));
  if (isWorkbook) return { name, sheets: readSheets(bytes, name) };
  const { text, encoding: found } = decodeText(bytes, encoding);
  if (markup.test(text.slice(0, 200))) return { name, sheets: readSheets(text, name), encoding: found };
  if (others.test(text.slice(0, 200)) || text.slice(0, 2_000).includes("\u0000"))
    throw new Error(`${name} is no table. Save it as .xlsx, or as CSV, and send that.`);
  return { name, sheets: [{ name: "", rows: readCsvGrid(text, name) }], encoding: found };
}
