import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const folders = "{bench,bin,command,conformance,core,examples,functions,lib,local,packages,portal,sample}";

/** Files that may name a union's country, zone or API set, and why. */
const allowed: Readonly<Record<string, string>> = {
  "packages/stand-in/union-profile.ts": "the stand-in's own description of the unions",
  "core/aws/packed-json.ts": "the dictionary of stored cards: with another one they cannot be read",
  "command/backup/check-command.ts": "a table's word for what cannot be restored",
};

/** A European zone, the code of a country with a profile, or the records' API set. */
const literal = /Europe\/[A-Z]\w+|["'`](DK|NO)["'`]|\bstatistik\b/;

test("no country, time zone or records' API set of a union is written outside unions/", () => {
  const files = globSync(`${folders}/**/*.{ts,tsx,js}`, { cwd: root.pathname }).filter(
    (file) => !/node_modules|\/dist\//.test(file) && !(file in allowed),
  );
  expect(files.length).toBeGreaterThan(400);
  const found = files.flatMap((file) =>
    readFileSync(new URL(file, root), "utf8")
      .split("\n")
      .flatMap((line, place) => (literal.test(line) ? [`${file}:${place + 1} ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test("each file that may name them does", () => {
  for (const file of Object.keys(allowed)) {
    expect(readFileSync(new URL(file, root), "utf8")).toMatch(literal);
  }
});
