import { readdirSync } from "node:fs";
import Table from "cli-table3";
import { Command, InvalidArgumentError } from "commander";
import { type BenchRow, keepsBar } from "./bench-row.ts";

/** A benchmark is a file of the folder `measures`, named for what it measures. */
interface Measure {
  /** Measures, all figures in this one run. */
  readonly run: () => Promise<BenchRow[]>;
}

const folder = new URL("measures/", import.meta.url);
const known = readdirSync(folder)
  .map((file) => file.replace(/\.ts$/, ""))
  .sort();

function measure(name: string, before: readonly string[] = []): readonly string[] {
  if (!known.includes(name))
    throw new InvalidArgumentError(`There is no ${name}; there are ${known.join(", ")}.`);
  return [...before, name];
}

const command = new Command("npm run bench --")
  .description("Measures, and prints ratios of one run with their bars.")
  .argument("[measures...]", `of ${known.join(", ")}; all where none is named`, measure)
  .option("--json", "one line of JSON a measure on stdout instead of tables")
  .parse();
const { json } = command.opts<{ json?: true }>();

let kept = true;
for (const name of command.args.length > 0 ? command.args : known) {
  const { run }: Measure = await import(new URL(`${name}.ts`, folder).href);
  const rows = await run();
  kept &&= rows.every(keepsBar);
  process.stdout.write(`${json ? JSON.stringify({ measure: name, rows }) : tableOf(name, rows)}\n`);
}
process.exitCode = kept ? 0 : 1;

function tableOf(name: string, rows: readonly BenchRow[]): string {
  const table = new Table({
    head: [name, "", "", "bar", ""],
    colAligns: ["left", "right", "left", "right", "left"],
    style: { head: [], border: [] },
  });
  for (const row of rows) {
    const bar = row.bar !== undefined ? `≤ ${row.bar}` : row.atLeast !== undefined ? `≥ ${row.atLeast}` : "";
    table.push([row.name, row.value.toFixed(2), row.unit, bar, keepsBar(row) ? "" : "missed"]);
  }
  return table.toString();
}
