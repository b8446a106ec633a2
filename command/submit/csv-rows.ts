import { createReadStream } from "node:fs";
import { csvRows, delimiterOf } from "../../card-files/csv-rows.ts";
import { refuseUtf16, textOf } from "../../card-files/utf8-text.ts";
import type { OpenedTable } from "./opened-table.ts";
import { readStart } from "./utf8-file.ts";

/**
 * Opens a file whose rows are separated by commas, semicolons or tabs and quoted as in RFC 4180. It is streamed.
 *
 * @throws Error if it cannot be read; also while its rows are read, if one is malformed
 */
export async function openCsvRows(path: string): Promise<OpenedTable> {
  const { start, size } = await readStart(path);
  refuseUtf16(start, path);
  const delimiter = delimiterOf(start);
  const rowsOf = (bytes: AsyncIterable<Buffer>) => csvRows(textOf(bytes, path), delimiter, path);
  const header = await headerOf(rowsOf(createReadStream(path)));
  const bytes = createReadStream(path);
  return { header, rows: rowsOf(bytes), kind: "csv", size, bytesRead: () => bytes.bytesRead };
}

async function headerOf(rows: AsyncIterable<string[]>): Promise<string[]> {
  for await (const header of rows) return header;
  return [];
}
