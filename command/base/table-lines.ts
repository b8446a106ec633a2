import Table from "cli-table3";
import { printable } from "./terminal.ts";

/**
 * The lines of a table without colours. Cells may have control characters, which are removed first, so that the
 * columns get the right width.
 */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  const table = new Table({ head: [...head], style: { head: [], border: [] } });
  for (const row of rows) table.push(row.map((cell) => printable(String(cell))));
  return table.toString().split("\n");
}
