import { expect, test } from "vitest";
import { faultCodes, warningCodes } from "../../core/golf/findings.ts";
import { da } from "../../portal/texts/da.ts";
import { en } from "../../portal/texts/en.ts";
import { da as tournamentsDa } from "../../portal/texts/tournaments/da.ts";
import { en as tournamentsEn } from "../../portal/texts/tournaments/en.ts";

const pairs = [
  { of: "the page", first: en, second: da },
  { of: "tournaments", first: tournamentsEn, second: tournamentsDa },
];

/** Every text with the path to it; texts with figures in them as they are for a sample of each. */
function textsIn(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") {
    const sample = [3, 4, 5].slice(0, value.length);
    return [[path, String(value(...sample))]];
  }
  return Object.entries(value as object).flatMap(([name, below]) => textsIn(below, `${path}.${name}`));
}

test.each(pairs)("each text of $of is in both languages, and none is empty", ({ first, second }) => {
  const [english, danish] = [textsIn(first), textsIn(second)];
  expect(danish.map(([path]) => path).sort()).toEqual(english.map(([path]) => path).sort());
  expect(danish.filter(([, text]) => text.trim() === "")).toEqual([]);
});

test.each(pairs)(
  "a text of $of with figures in it has all of them in both languages",
  ({ first, second }) => {
    const english = new Map(textsIn(first));
    const figures = (text = "") => (text.match(/\b[345]\b/g) ?? []).sort();
    for (const [path, text] of textsIn(second)) {
      expect([path, figures(text)]).toEqual([path, figures(english.get(path))]);
    }
  },
);

test("each fault and each warning is said to a secretary in both languages", () => {
  const codes = [...faultCodes, ...warningCodes].sort();
  for (const { faults } of [en, da]) expect(Object.keys(faults).sort()).toEqual(codes);
});
