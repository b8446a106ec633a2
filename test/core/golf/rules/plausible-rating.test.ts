import { expect, test } from "vitest";
import { isPlausibleRating, isPlausibleSlope } from "../../../../core/golf/rules/plausible-rating.ts";

test.each([
  [55, true],
  [113, true],
  [155, true],
  [54, false],
  [156, false],
  [12, false],
  [1310, false],
  [Number.NaN, false],
])("a Slope Rating of %d is plausible: %s", (slope, isPlausible) => {
  expect(isPlausibleSlope(slope)).toBe(isPlausible);
});

test.each([
  [718_000, 72, 18, true],
  [510_000, 72, 18, true],
  [499_000, 72, 18, false],
  [870_000, 72, 18, true],
  [500_000, 54, 18, true],
  [359_000, 72, 18, false],
  [356_000, 36, 9, true],
  [718_000, 36, 9, false],
  [435_000, 36, 9, true],
  [436_000, 36, 9, false],
])(
  "a Course Rating of %i for a par of %i on %i holes is plausible: %s",
  (rating, par, holes, isPlausible) => {
    expect(isPlausibleRating(rating, par, holes)).toBe(isPlausible);
  },
);
