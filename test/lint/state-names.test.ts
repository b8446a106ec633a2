import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cardStates } from "../../core/cards/life/states.ts";

const sources = [
  "{bench,bin,command,core,functions,lib,local,packages,portal,unions}/**/*.{ts,tsx,js}",
  "docs/examples/*.ts",
];

/** Files with the names of states as texts, or with the same words for other things. Each says why. */
const allowed: Readonly<Record<string, string>> = {
  "core/cards/life/states.ts": "the only place that names the states",
  "packages/client/card-states.ts": "compared with the OpenAPI document by the compiler",
  "packages/client/api-types.ts": "generated from the OpenAPI document",
  "core/formats/external-ids.ts": "outcomes that an ExternalID can force",
  "core/operations/burn-rates.ts": "the name of a metric",
};

const quoted = `["'](?:${cardStates.join("|")})["']`;
const stateName = new RegExp(quoted, "g");
/** The kind of a result or an event, and the status of a promise that was rejected. */
const discriminant = new RegExp(`\\b(?:kind|status)(?:\\??:| ===| !==) ${quoted}`, "g");

const linesWithStates = (text: string) =>
  text
    .split("\n")
    .flatMap((line, index) => (line.replaceAll(discriminant, "").match(stateName) ? [index + 1] : []));

const findings = globSync(sources, { exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name) }).flatMap(
  (file) => linesWithStates(readFileSync(file, "utf8")).map((line) => ({ file, line })),
);

test("no file but that of the states names one: use its constants, or CardState of the client", () => {
  const unexpected = findings.filter(({ file }) => !(file in allowed));
  expect(unexpected.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
});

test("every file that may have the name of a state has one", () => {
  const files = new Set(findings.map(({ file }) => file));
  expect(Object.keys(allowed).filter((file) => !files.has(file))).toEqual([]);
});
