import { csvForm, delimiterOf, malformedCsv } from "@scorecard-pipeline/card-files/csv-form";
import { textOfCell, unreadableWorkbook } from "@scorecard-pipeline/card-files/excel-cells";
import type { TableRows } from "@scorecard-pipeline/card-files/table-rows";
import { refuseUtf16, startBytes, startOf, textOf } from "@scorecard-pipeline/card-files/utf8-text";
import { parse } from "csv-parse/browser/esm/sync";
import { readSheet } from "read-excel-file/web-worker";

/** A table that was read whole. */
export interface ReadTable extends Pick<TableRows, "header" | "kind"> {
  /** All rows below the header, empty ones too. */
  readonly rows: readonly (readonly string[])[];
  /** Of the file's content. */
  readonly digest: string;
}

/** First bytes of a zip file, which a workbook is whatever its name says. */
const zip = "PK";

/**
 * Reads a table from a file that a person has chosen: CSV or an Excel workbook, by its content.
 *
 * @throws Error that says what is wrong with it
 */
export async function readTable(file: Blob & { readonly name: string }): Promise<ReadTable> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const start = startOf(bytes.subarray(0, startBytes));
  const isWorkbook = start.startsWith(zip);
  const all = isWorkbook ? await rowsOfWorkbook(file) : await rowsOfText(bytes, start, file.name);
  const [header = [], ...rows] = all;
  return { header, rows, kind: isWorkbook ? "excel" : "csv", digest: await hashBytes(bytes) };
}

async function rowsOfWorkbook(file: Blob & { readonly name: string }): Promise<string[][]> {
  try {
    return (await readSheet(file)).map((row) => row.map(textOfCell));
  } catch (cause) {
    throw new Error(unreadableWorkbook(file.name), { cause });
  }
}

async function rowsOfText(bytes: Uint8Array, start: string, name: string): Promise<string[][]> {
  refuseUtf16(start, name);
  let text = "";
  for await (const piece of textOf([bytes], name)) text += piece;
  try {
    return parse(text, csvForm(delimiterOf(start)));
  } catch (cause) {
    throw malformedCsv(name, cause);
  }
}

/** SHA-256 of some bytes, in hexadecimal digits. */
async function hashBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
