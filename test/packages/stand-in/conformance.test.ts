import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const list = readFileSync(new URL("./conformance.md", import.meta.url), "utf8");
const document = new URL("../../../../shared/union-api.md", import.meta.url);
const documentIsThere = existsSync(document);

const rows = [...list.matchAll(/^\| (?<says>.+) \| (?<tested>.+) \|$/gm)]
  .map(({ groups }) => ({ says: groups?.says ?? "", tested: groups?.tested ?? "" }))
  .filter(({ says }) => says !== "the document" && says !== "---");

const sources = new Map<string, string>();
function sourceOf(file: string): string {
  const source = sources.get(file) ?? readFileSync(new URL(`${file}.test.ts`, import.meta.url), "utf8");
  sources.set(file, source);
  return source;
}

/** The tests that a row names: file and name. */
const namedIn = (tested: string) =>
  tested
    .split("<br>")
    .map((one) => /^`(?<file>[\w./-]+)` (?<name>.+)$/.exec(one)?.groups ?? { file: "", name: "" });

describe("the list of what the union's document says", () => {
  test.each(rows)("names tests that exist: $says", ({ tested }) => {
    if (tested.startsWith("nothing to test: ")) return;
    for (const { file = "", name } of namedIn(tested)) expect(sourceOf(file)).toContain(`"${name}"`);
  });

  test("leaves little untested", () => {
    expect(rows.length).toBeGreaterThan(90);
    expect(rows.filter(({ tested }) => tested.startsWith("nothing to test: ")).length).toBeLessThan(10);
  });

  test.skipIf(!documentIsThere)(
    "has every sentence of the document (../shared/union-api.md) that is no table",
    () => {
      const prose = readFileSync(document, "utf8")
        .split("\n")
        .filter((line) => line !== "" && !/^[#|]/.test(line))
        .flatMap((line) => line.replace(/^(\d+\.|-) /, "").split(/(?<=\.) +(?=[A-Z`])/));
      // What begins the document or leads over to a table says nothing of the union, and shapes are in one row each.
      const said = prose.filter(
        (sentence) =>
          !/^(This single document|Each part below|The service is|Scorecard\.\w+:|Selection rule:|Their meaning)/.test(
            sentence,
          ) && !/^(CreateDateTime|Course|Marker|Result|Round|Player)(,|:) [A-Z]/.test(sentence),
      );
      expect(said.length).toBeGreaterThan(55);
      const says = new Set(rows.map((row) => row.says));
      expect(said.filter((sentence) => !says.has(sentence))).toEqual([]);
    },
  );
});
