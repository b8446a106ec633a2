import { expect, test } from "vitest";
import { da } from "../../portal/texts/da.ts";
import { en } from "../../portal/texts/en.ts";

/** Every text with the path to it; texts with figures in them as they are for a sample of each. */
function textsIn(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") {
    const sample = [3, 4, 5].slice(0, value.length);
    return [[path, String(value(...sample))]];
  }
  return Object.entries(value as object).flatMap(([name, below]) => textsIn(below, `${path}.${name}`));
}

test("each text of the page is in both languages, and none is empty", () => {
  const [english, danish] = [textsIn(en), textsIn(da)];
  expect(danish.map(([path]) => path).sort()).toEqual(english.map(([path]) => path).sort());
  expect(danish.filter(([, text]) => text.trim() === "")).toEqual([]);
});

test("a text with figures in it has all of them in both languages", () => {
  const english = new Map(textsIn(en));
  const figures = (text = "") => (text.match(/\b[345]\b/g) ?? []).sort();
  for (const [path, text] of textsIn(da)) {
    expect([path, figures(text)]).toEqual([path, figures(english.get(path))]);
  }
});
