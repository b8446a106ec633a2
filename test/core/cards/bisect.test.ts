import fc from "fast-check";
import { expect, test } from "vitest";
import { partsOf, sampleOf } from "../../../core/cards/bisect.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each([
  [0, []],
  [1, [0]],
  [2, [0, 1]],
  [3, [0, 1, 2]],
  [50, [0, 16, 33]],
])("of %i cards those that are posted alone are spread: %j", (count, sample) => {
  expect(sampleOf(numbers(count))).toEqual(sample);
});

test.each([
  [
    "halves, if failing took as long as going through",
    7,
    300,
    300,
    [
      [0, 1, 2, 3],
      [4, 5, 6],
    ],
  ],
  [
    "halves, if failing was quicker",
    4,
    20,
    300,
    [
      [0, 1],
      [2, 3],
    ],
  ],
  [
    "thirds, if it took three times as long",
    7,
    900,
    300,
    [
      [0, 1, 2],
      [3, 4],
      [5, 6],
    ],
  ],
  ["single cards, if the exchange hung", 3, 10_000, 300, [[0], [1], [2]]],
  ["halves, if the time was too short to be measured", 2, 0, 0, [[0], [1]]],
  ["one part, if only one card is left", 1, 300, 300, [[0]]],
  ["nothing, if no card is left", 0, 300, 300, []],
])("the parts of a failed array are %s", (_, count, failedIn, wentThroughIn, parts) => {
  expect(partsOf(numbers(count), failedIn, wentThroughIn)).toEqual(parts);
});

test("the parts of a failed array have each card once, in its order, and none is empty or the whole", () => {
  const milliseconds = fc.nat(30_000);
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 200 }),
      milliseconds,
      milliseconds,
      (count, failedIn, wentThroughIn) => {
        const parts = partsOf(numbers(count), failedIn, wentThroughIn);
        expect(parts.flat()).toEqual(numbers(count));
        expect(Math.min(...parts.map(({ length }) => length))).toBeGreaterThan(0);
        expect(parts.length).toBeGreaterThan(1);
      },
    ),
  );
});
