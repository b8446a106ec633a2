import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  .option(
    "--against <folder>",
    "another checkout with its packages installed: each measure runs there as well",
  )
  .parse();
const { json, against } = command.opts<{ json?: true; against?: string }>();

// What a run keeps in the temporary folder, such as bundles, must be of this run's code.
const ownFolder = mkdtempSync(join(tmpdir(), "scorecard-bench-"));
process.env.TMPDIR = ownFolder;
process.once("exit", () => rmSync(ownFolder, { recursive: true }));

let kept = true;
for (const name of command.args.length > 0 ? command.args : known) {
  const { run }: Measure = await import(new URL(`${name}.ts`, folder).href);
  const rows = await run();
  kept &&= rows.every(keepsBar);
  process.stdout.write(`${json ? JSON.stringify({ measure: name, rows }) : formatTable(name, rows)}\n`);
  const others = against === undefined ? undefined : measureIn(against, name);
  if (others !== undefined && !json) process.stdout.write(`${formatTable(`${name}, ${against}`, others)}\n`);
}
process.exitCode = kept ? 0 : 1;

/** Runs a measure of another checkout. @returns its rows; none if it does not know the measure */
function measureIn(checkout: string, name: string): BenchRow[] {
  // It exits with 1 if a bar is missed, which is a result.
  const { stdout } = spawnSync(process.execPath, ["bench/bench.ts", "--json", name], {
    cwd: checkout,
    encoding: "utf8",
  });
  const line = stdout.split("\n").find((text) => text.startsWith("{"));
  return line === undefined ? [] : (JSON.parse(line) as { rows: BenchRow[] }).rows;
}

function formatTable(name: string, rows: readonly BenchRow[]): string {
  const table = new Table({
    head: [name, "", "", "bar", ""],
    colAligns: ["left", "right", "left", "right", "left"],
    style: { head: [], border: [] },
  });
  for (const row of rows) {
    const bar = row.bar === undefined ? "" : `≤ ${row.bar}`;
    table.push([row.name, row.value.toFixed(2), row.unit, bar, keepsBar(row) ? "" : "missed"]);
  }
  return table.toString();
}
