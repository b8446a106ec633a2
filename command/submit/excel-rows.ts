import { stat } from "node:fs/promises";
import { readSheet } from "read-excel-file/node";
import type { TableRows } from "./table-rows.ts";

/**
 * Reads the first sheet of an Excel workbook (.xlsx), with its cells as texts such as a CSV file has.
 *
 * @throws Error if it is no such workbook
 */
export async function openExcelRows(path: string): Promise<TableRows> {
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
    size,
    bytesRead: () => Math.floor((size * read) / Math.max(1, rows.length)),
    strayCells: "Clear the cells to the right of the header's last column.",
  };
}

async function sheetOf(path: string): Promise<readonly (readonly unknown[])[]> {
  try {
    return await readSheet(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") throw cause;
    throw new Error(
      `${path} is not an Excel workbook that can be read. Save it as .xlsx without a password, or as CSV in UTF-8.`,
      { cause },
    );
  }
}

/** Excel keeps 15 digits of a number; more are noise of binary fractions, as in 15.799999999999999. */
const digitsOfExcel = 15;

function textOfCell(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date) return textOfDate(cell);
  if (typeof cell === "number") return String(Number(cell.toPrecision(digitsOfExcel)));
  return String(cell).trim();
}

/** Excel's dates have no time zone, and their fractions of a day miss whole seconds by a little. */
function textOfDate(date: Date): string {
  const wholeSecond = new Date(Math.round(date.getTime() / 1_000) * 1_000);
  return wholeSecond.toISOString().slice(0, 19);
}
