import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { proofTables } from "./endpoints.ts";

const sources = new Map<string, string>();

function sourceOf(file: string): string {
  const known = sources.get(file) ?? readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  sources.set(file, known);
  return known;
}

test.each(proofTables)(
  "each test that proves what the union's document says of $title exists",
  ({ rows }) => {
    for (const { file, test: name } of rows) {
      expect(sourceOf(file).includes(`"${name}"`), `${file}: ${name}`).toBe(true);
    }
  },
);

test("every field of a card is among those that its test tries", () => {
  const pointers = proofTables
    .flatMap(({ rows }) => rows)
    .filter(({ test: name }) => name === "the field $pointer");
  expect(pointers.length).toBeGreaterThan(40);
  for (const { said, file } of pointers) expect(sourceOf(file)).toContain(`pointer: "${said}"`);
});
