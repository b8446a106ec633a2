import Table from "cli-table3";
import { printable } from "./terminal.ts";

/**
 * The lines of a table without colours. Cells may have control characters, which are removed first, so that the
 * columns get the right width. The entries of a list are words of one cell.
 *
 * @param nothing the line if there are no rows; by default there is none
 */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
  nothing?: string,
): string[] {
  if (rows.length === 0) return nothing === undefined ? [] : [nothing];
  const table = new Table({ head: [...head], style: { head: [], border: [] } });
  for (const row of rows) table.push(row.map((cell) => printable([cell ?? ""].flat().join(" "))));
  return table.toString().split("\n");
}
