import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importTable } from "../../import-table.ts";

/** An import between two files of the project. */
interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
  /** By the name of a package, not by a path. */
  readonly isNamed: boolean;
}

const files = globSync(
  "{api,bench,bin,command,core,docs,functions,lib,local,packages,portal,test,unions}/**/*.{ts,tsx}",
  { exclude: ["**/node_modules/**", "**/dist/**", "docs/examples/generated-clients/**"] },
);
const known = new Set(files);

const packages = new Map(
  globSync("packages/*/package.json").map((manifest) => {
    const { name, exports = {} } = JSON.parse(readFileSync(manifest, "utf8")) as {
      readonly name: string;
      readonly exports?: Readonly<Record<string, string>>;
    };
    return [name, (face: string) => join(dirname(manifest), exports[`.${face}`] ?? `${face}.ts`)];
  }),
);

function resolveImport(from: string, name: string): string | undefined {
  if (name.startsWith(".")) return join(dirname(from), name);
  const [, owner = "", face = ""] = /^(@[^/]+\/[^/]+)(.*)/.exec(name) ?? [];
  return packages.get(owner)?.(face);
}

const statement =
  /\b(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"\n]+)"|\bimport\(\s*"([^"\n]+)"/g;

/** The imports of files of the project in a file's text. */
const readImports = (from: string, text: string): Import[] =>
  [...text.matchAll(statement)].flatMap(([, type, written = "", loaded]) => {
    const name = loaded ?? written;
    const to = resolveImport(from, name);
    return to !== undefined && known.has(to)
      ? [{ from, to, isType: type !== undefined, isNamed: !name.startsWith(".") }]
      : [];
  });

/** Lines of this test are no imports. */
const written = files.filter((file) => file !== "test/lint/imports.test.ts");
const imports = written.flatMap((file) => readImports(file, readFileSync(file, "utf8")));

const isIn = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`);

/** The folders in which a file is, from the top down. */
const foldersAbove = (file: string) => {
  const steps = dirname(file).split("/");
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
};

/** What the table says of a folder; empty if it has no row. */
const rowsOf = (folder: string) =>
  [importTable[folder], importTable[join(folder, "../*")]].filter((row) => row !== undefined);

/** Why an import is forbidden; undefined if it is allowed. */
function findFault({ from, to, isType, isNamed }: Import): string | undefined {
  const owner = /^packages\/[^/]+/.exec(to)?.[0];
  if (owner !== undefined && !isNamed && !isIn(from, owner) && !isIn(from, "test/packages"))
    return `${from} imports ${to}, but not by the name of its package`;
  if (isIn(from, "test")) return undefined;
  const folders = foldersAbove(from);
  const own = folders.findLast((folder) => rowsOf(folder).length > 0);
  if (own === undefined) return `${from} is in no folder of the table`;
  const allowed = folders.flatMap(rowsOf).flat();
  return isIn(to, own) || allowed.some((entry) => isIn(to, isType ? entry.replace("type ", "") : entry))
    ? undefined
    : `${from} imports ${to}, which ${own} may not`;
}

/** The entries of a room, its folders and its own files together, that import each other in a circle. */
function findCircle(room: string): string[] {
  const entry = (file: string) => foldersAbove(file)[room.split("/").length] ?? room;
  let edges = imports
    .filter(({ from, to }) => isIn(from, room) && isIn(to, room))
    .map(({ from, to }) => [entry(from), entry(to)] as const)
    .filter(([from, to]) => from !== to);
  for (let left = -1; left !== edges.length; ) {
    left = edges.length;
    const [sources, targets] = [new Set(edges.map(([from]) => from)), new Set(edges.map(([, to]) => to))];
    edges = edges.filter(([from, to]) => targets.has(from) && sources.has(to));
  }
  return [...new Set(edges.map((edge) => edge.join(" imports ")))].toSorted();
}

test("a folder imports only what the table of imports allows it", () => {
  expect(imports.length).toBeGreaterThan(3_000);
  expect(imports.map(findFault).filter((fault) => fault !== undefined)).toEqual([]);
});

test("no folder is in a circle of imports, in any room of the tree", () => {
  const rooms = new Set(files.flatMap(foldersAbove).filter((folder) => !isIn(folder, "test")));
  expect([...rooms].flatMap(findCircle)).toEqual([]);
});

test("the table of imports has a row for each folder of a room that it divides, and names only what exists", () => {
  const folders = new Set(files.flatMap(foldersAbove));
  const divided = new Set(Object.keys(importTable).map(dirname));
  divided.delete(".");
  expect(
    [...folders].filter((folder) => divided.has(dirname(folder)) && rowsOf(folder).length === 0),
  ).toEqual([]);
  const named = Object.entries(importTable).flatMap(([folder, row]) => [folder, ...row]);
  const exists = (name: string) => files.some((file) => isIn(file, name.replace(/^type |\/\*$/g, "")));
  expect(named.filter((name) => !exists(name))).toEqual([]);
});

test.for<[file: string, line: string]>([
  ["core/formats/days.ts", 'import type { Account } from "../accounts/account.ts";'],
  ["core/golf/assess.ts", 'import { apiSetSchema } from "../accounts/account.ts";'],
  ["core/cards/life/card.ts", 'export type { WakeUp } from "../delivery/queue.ts";'],
  ["command/base/target.ts", 'import { program } from "../program.ts";'],
  ["command/cards/withdraw-command.ts", 'const table = await import("../submit/submit-table.ts");'],
  ["functions/authorize/handler.ts", 'import "../submit-scorecards/handler.ts";'],
  ["lib/webhooks.ts", 'import { deliver } from "../core/cards/delivery/deliver.ts";'],
  ["lib/webhooks.ts", 'import { measured } from "../functions/runtime/metrics.ts";'],
  ["portal/base/route.ts", 'import { Table } from "../views/cards/cards-view.tsx";'],
  ["packages/client/client.ts", 'import { startStandIn } from "@scorecard-pipeline/stand-in";'],
  [
    "command/submit/table-file.ts",
    'import { cardFields } from "../../packages/card-files/base/card-fields.ts";',
  ],
])("%s may not have the line: %s", ([file, line]) => {
  expect(readImports(file, line).map(findFault)).toEqual([expect.stringContaining(file)]);
});
