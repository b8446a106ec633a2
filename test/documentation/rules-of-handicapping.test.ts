import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderRules, rulesHere } from "../../docs/rules-of-handicapping.ts";

const vectors = globSync("packages/whs/vectors/*.json").flatMap((file): { readonly function: string }[] =>
  JSON.parse(readFileSync(file, "utf8")),
);
const countVectors = (name: string) => vectors.filter((vector) => vector.function === name).length;

/** The rules that docstrings name as their source. */
const named = globSync("{core,local,packages,portal,unions}/**/*.ts", { exclude: ["**/node_modules/**"] })
  .flatMap((file) => readFileSync(file, "utf8").match(/@see Rules of (Handicapping|Golf).*/g) ?? [])
  .flatMap((source) =>
    source
      .split(/(?=Rules of Golf)/)
      .flatMap((book) =>
        Array.from(book.matchAll(/\d+\.\d+[a-z]?|appendix [A-Z]|Slope Rating/g), ([rule]) =>
          book.startsWith("Rules of Golf") ? `Rules of Golf ${rule}` : rule,
        ),
      ),
  );

test("docs/rules-of-handicapping.md is made from the table of rules", async () => {
  await expect(renderRules(countVectors)).toMatchFileSnapshot("../../docs/rules-of-handicapping.md");
});

test("each rule that the code names as its source is in the table", () => {
  expect(named.length).toBeGreaterThan(40);
  const isListed = (rule: string) => rulesHere.some(([row]) => rule.startsWith(row) || row.startsWith(rule));
  expect([...new Set(named)].filter((rule) => !isListed(rule))).toEqual([]);
});

test("each rule that has vectors is in the table, and each function there has vectors", () => {
  const functions = rulesHere.flatMap(([, , , names]) => names);
  expect(functions.toSorted()).toEqual([...new Set(vectors.map((vector) => vector.function))].sort());
});
