import { unreadableWorkbook } from "../base/excel-cells.ts";
import { checkFileSize } from "../base/file-budget.ts";
import { readSheets } from "../base/workbook.ts";
import { readCsvGrid } from "./csv-grid.ts";
import type { GridFile } from "./reading.ts";
import { decodeText, type TextEncoding } from "./text-encoding.ts";

const zip = [0x50, 0x4b];
/** Old workbooks, and new ones with a password. */
const compound = [0xd0, 0xcf, 0x11, 0xe0];

const beginsWith = (bytes: Uint8Array, signs: readonly number[]) =>
  signs.every((sign, place) => bytes[place] === sign);

/** Kinds of files that have tables and are none, by how they begin. */
const others = /^\s*(?:%PDF|<(?:!doctype|html|table|\?xml)|\{\\rtf)/i;

/**
 * Reads a file as a grid of texts: CSV in any encoding, or an Excel workbook, by its content.
 *
 * @param encoding if a person has said it
 * @throws Error that says what is wrong with it and what to do
 */
export async function readGridFile(
  bytes: Uint8Array,
  name: string,
  encoding?: TextEncoding,
): Promise<GridFile> {
  checkFileSize(bytes.length, name);
  if (beginsWith(bytes, compound)) throw new Error(unreadableWorkbook(name));
  if (beginsWith(bytes, zip)) return { name, kind: "excel", sheets: await readSheets(bytes, name) };
  const { text, encoding: found } = decodeText(bytes, encoding);
  if (others.test(text.slice(0, 200)) || text.slice(0, 2_000).includes("\u0000"))
    throw new Error(`${name} is no table. Save it as .xlsx, or as CSV, and send that.`);
  return { name, kind: "csv", sheets: [{ name: "", rows: readCsvGrid(text, name) }], encoding: found };
}
