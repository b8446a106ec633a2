import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonBreak } from "../../../core/formats/exact-json.ts";

test.each([
  ['[{"HCP":NaN}]', 8],
  ["[1,]", 3],
  ["[1 // a comment\n]", 3],
  ["// a comment\n[]", 0],
  ["undefined", 0],
  ["['a']", 1],
  ["[object Object]", 1],
  ["[1] [2]", 4],
  ['["a\nb"]', 3],
  ["\ufffd\ufffd[\0]\0", 0],
])("%j breaks at %i", (text, place) => {
  expect(jsonBreak(text)).toBe(place);
});

test.each(["", "{", "[1", '["a', '["\\u12', "[-", "[1.", "[tru", '{"a":'])(
  "%j is incomplete JSON, which breaks at its end",
  (text) => {
    expect(jsonBreak(text)).toBe(text.length);
  },
);

test.each(["[]", " 1 ", "[".repeat(10_000) + "]".repeat(10_000)])(
  "%.10s is JSON, so no position is named",
  (text) => {
    expect(jsonBreak(text)).toBeUndefined();
  },
);

test("a position that the text itself mentions is not taken for the break", () => {
  expect(jsonBreak("[' in JSON at position 7 (line 1 column 8)")).toBe(1);
});

test("JSON with an invalid character outside of its strings breaks at that character", () => {
  const json = fc.json().filter((text) => !text.includes('"'));
  fc.assert(
    fc.property(json, fc.nat(), fc.constantFrom("N", "@", "'", "\ufffd", "\0"), (text, number, wrong) => {
      const place = number % (text.length + 1);
      expect(jsonBreak(text.slice(0, place) + wrong + text.slice(place))).toBe(place);
    }),
  );
});

test("a word that is not JSON is searched for only near the beginning of a large text", () => {
  const cards = (length: number) => `[${"1,".repeat(length / 2)}NaN]`;
  expect(jsonBreak(cards(200_000))).toBe(200_001);
  expect(jsonBreak(cards(4_000_000))).toBeUndefined();
  expect(jsonBreak(`[NaN,${cards(4_000_000)}]`)).toBe(1);
});
