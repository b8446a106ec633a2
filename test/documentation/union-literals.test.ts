import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const folders =
  "{bench,bin,command,core,docs/examples,functions,lib,local,packages,portal,unions/conformance}";

/** Files that may name a union's country, zone or API set, and why. */
const allowed: Readonly<Record<string, string>> = {
  "packages/stand-in/base/union-profile.ts": "the stand-in's own description of the unions",
  "core/aws/packed-json.ts": "the dictionary of stored cards: with another one they cannot be read",
  "command/backup/check-command.ts": "a table's word for what cannot be restored",
};

/** A European zone, the code of a country with a profile, or the records' API set. */
const literal = /Europe\/[A-Z]\w+|["'`](DK|NO)["'`]|\bstatistik\b/;

/** Files that may write what is of one country, and why. */
const allowedRules: Readonly<Record<string, string>> = {
  "packages/stand-in/base/union-profile.ts": "the stand-in's own description of the unions",
  "packages/stand-in/register/club.ts": "invented names of places",
  "packages/stand-in/register/tees.ts": "names of tees, of which a register has all kinds",
  "portal/texts/da.ts": "a language of the portal, which its readers choose",
  "portal/texts/language.ts": "as above",
  "portal/texts/tables/da.ts": "as above",
  "portal/texts/tables/table-words-da.ts": "as above",
  "portal/texts/tournaments/da.ts": "as above",
};

/**
 * A country or its language by name, a country's telephone prefix, a language's tag, or a value of a rule that a profile has. The
 * profiles themselves may be named, as `denmark` in the examples of the API's document.
 */
const rule =
  /\b(Denmark|Danish|Norway|Norwegian|Dansk|Norges|danish|norwegian)\b|["'`]\+4[57]|["'`](da|nb)(-[A-Z]{2})?["'`]|\b(scoresForHandicap|highestHandicapIndex|SCORES_FOR_HANDICAP|HIGHEST_HANDICAP_INDEX)\s*[:=]\s*\d/;

/** Lines outside the allowed files that match. */
function linesWith(pattern: RegExp, mayHave: Readonly<Record<string, string>>): string[] {
  // The client's types are made from the OpenAPI document when packages are installed.
  const files = globSync(`${folders}/**/*.{ts,tsx,js}`, { cwd: root.pathname }).filter(
    (file) => !/node_modules|\/dist\/|api-types\.ts$/.test(file) && !(file in mayHave),
  );
  expect(files.length).toBeGreaterThan(400);
  return files.flatMap((file) =>
    readFileSync(new URL(file, root), "utf8")
      .split("\n")
      .flatMap((line, place) => (pattern.test(line) ? [`${file}:${place + 1} ${line.trim()}`] : [])),
  );
}

test("no country, time zone or records' API set of a union is written outside unions/", () => {
  expect(linesWith(literal, allowed)).toEqual([]);
});

test("no rule, language or prefix of a union's country is written outside unions/", () => {
  expect(linesWith(rule, allowedRules)).toEqual([]);
});

test.each([
  [literal, allowed],
  [rule, allowedRules],
])("each file that may have what matches %s has it", (pattern, mayHave) => {
  for (const file of Object.keys(mayHave)) {
    expect(readFileSync(new URL(file, root), "utf8")).toMatch(pattern);
  }
});

test.each([
  "scoresForHandicap: 1,",
  "const scoresForHandicap = 1;",
  "SCORES_FOR_HANDICAP=1",
  "highestHandicapIndex: 72",
  '.localeCompare(other, "da")',
  "as Denmark does",
])("%s is found as a rule of a country", (line) => {
  expect(line).toMatch(rule);
});
