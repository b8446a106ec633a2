import { readFile, stat } from "node:fs/promises";
import { checkFileSize } from "@scorecard-pipeline/card-files/base/file-budget";
import { readSheets } from "@scorecard-pipeline/card-files/base/workbook";
import type { OpenedTable } from "./opened-table.ts";

/**
 * Reads the first sheet of an Excel workbook (.xlsx), with its cells as texts such as a CSV file has.
 *
 * @throws Error if it is no such workbook, or larger than what is read of one
 */
export async function openExcelRows(path: string): Promise<OpenedTable> {
  const { size } = await stat(path);
  checkFileSize(size, path);
  const [{ rows } = { rows: [] }] = await readSheets(await readFile(path), path);
  let read = 0;
  async function* counted(): AsyncGenerator<readonly string[]> {
    for (const row of rows) {
      read += 1;
      yield row;
    }
  }
  return {
    header: rows[0] ?? [],
    rows: counted(),
    kind: "excel",
    size,
    bytesRead: () => Math.floor((size * read) / Math.max(1, rows.length)),
  };
}
