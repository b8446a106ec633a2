import { stat } from "node:fs/promises";
import { textOfCell, unreadableWorkbook } from "@scorecard-pipeline/card-files/excel-cells";
import { readSheet } from "read-excel-file/node";
import type { OpenedTable } from "./opened-table.ts";

/**
 * Reads the first sheet of an Excel workbook (.xlsx), with its cells as texts such as a CSV file has.
 *
 * @throws Error if it is no such workbook
 */
export async function openExcelRows(path: string): Promise<OpenedTable> {
  const { size } = await stat(path);
  const rows = (await sheetOf(path)).map((row) => row.map(textOfCell));
  let read = 0;
  async function* counted(): AsyncGenerator<string[]> {
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

async function sheetOf(path: string): Promise<readonly (readonly unknown[])[]> {
  try {
    return await readSheet(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") throw cause;
    throw new Error(unreadableWorkbook(path), { cause });
  }
}
