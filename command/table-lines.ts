import Table from "cli-table3";
import { printable } from "./terminal.ts";

/** The lines of a table without colours. Its cells may come from outside, so a cell is as wide as it is shown. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  const table = new Table({ head: [...head], style: { head: [], border: [] } });
  for (const row of rows) table.push(row.map((cell) => printable(String(cell))));
  return table.toString().split("\n");
}
