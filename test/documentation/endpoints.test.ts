import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endpointsDocument, proofTables } from "./endpoints.ts";

const sources = new Map<string, string>();

function sourceOf(file: string): string {
  const known = sources.get(file) ?? readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  sources.set(file, known);
  return known;
}

test("every test that docs/endpoints.md names is there", () => {
  for (const { file, test: name } of proofTables.flatMap(({ rows }) => rows)) {
    expect(sourceOf(file).includes(`"${name}"`), `${file}: ${name}`).toBe(true);
  }
});

test("every field of a card that docs/endpoints.md names is among those that its test tries", () => {
  const pointers = proofTables
    .flatMap(({ rows }) => rows)
    .filter(({ test: name }) => name === "the field $pointer");
  expect(pointers.length).toBeGreaterThan(40);
  for (const { said, file } of pointers) expect(sourceOf(file)).toContain(`pointer: "${said}"`);
});

test("docs/endpoints.md is as its tables say", async () => {
  await expect(endpointsDocument(proofTables)).toMatchFileSnapshot("../../docs/endpoints.md");
});
