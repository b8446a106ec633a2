import { describe, expect, test } from "vitest";
import { adjustedGrossScore } from "../../../../packages/stand-in/handicap/adjusted-gross.ts";
import {
  estimatedNineHoleDifferential,
  scoreDifferential,
} from "../../../../packages/stand-in/handicap/score-differential.ts";

describe("a Score Differential", () => {
  test("over 18 holes is (113 / Slope Rating) x (adjusted gross score - Course Rating), to a tenth (Rule 5.1a)", () => {
    // 113 / 127 x (90 - 71.4) = 16.5497
    const played = { adjustedGross: 90, courseRating: 714_000, slope: 127, holesExpected: 0 };
    expect(scoreDifferential(played, 158)).toBe(165);
  });

  test("below zero is rounded towards zero at a half (Rule 5.1c)", () => {
    // On slope 113 the differential is the difference itself.
    const under = (courseRating: number) =>
      scoreDifferential({ adjustedGross: 70, courseRating, slope: 113, holesExpected: 0 }, 0);
    expect([under(715_400), under(715_500), under(715_600)]).toEqual([-15, -15, -16]);
  });

  test("over nine holes has the expected score for the other nine, and the sum alone is rounded (Rule 5.1b)", () => {
    // 113 / 120 x (44 - 35.3) = 8.1925, and 0.52 x 14.0 + 1.197 = 8.477: 16.6695
    const nine = { adjustedGross: 44, courseRating: 353_000, slope: 120, holesExpected: 9 };
    expect(scoreDifferential(nine, 140)).toBe(167);
  });

  test("as published: nine holes at 7.2 and a Handicap Index of 14.0 make 15.7", () => {
    const nine = { adjustedGross: 42, courseRating: 348_000, slope: 113, holesExpected: 9 };
    expect(scoreDifferential(nine, 140)).toBe(157);
  });

  test("over 14 holes has the expected score for four (Rule 3.2)", () => {
    // 113 / 113 x (63 - 55.3) = 7.7, and (0.52 x 20.0 + 1.197) x 4 / 9 = 5.1542
    const played = { adjustedGross: 63, courseRating: 553_000, slope: 113, holesExpected: 4 };
    expect(scoreDifferential(played, 200)).toBe(129);
  });

  test("the expected nine holes are an estimate: 0.52 x Handicap Index + 1.197", () => {
    expect(estimatedNineHoleDifferential(0)).toBe(1_197);
    expect(estimatedNineHoleDifferential(540)).toBe(29_277);
    expect(estimatedNineHoleDifferential(-20)).toBe(157);
  });
});

describe("an adjusted gross score", () => {
  const holes = (strokes: readonly number[], par = 4) =>
    strokes.map((one, hole) => ({ par, index: hole + 1, strokes: one }));

  test("counts a hole at most as net double bogey (Rule 3.1b)", () => {
    expect(adjustedGrossScore(holes(Array(18).fill(12)), 0)).toBe(18 * 6);
    expect(adjustedGrossScore(holes(Array(18).fill(12)), 9)).toBe(18 * 6 + 9);
    expect(adjustedGrossScore(holes(Array(18).fill(12)), 20)).toBe(18 * 7 + 2);
  });

  test("counts a hole at most as par + 5, whatever is received on it", () => {
    expect(adjustedGrossScore(holes(Array(18).fill(15)), 72)).toBe(18 * 9);
  });

  test("of a player without a Handicap Index counts a hole at most as par + 5 (Rule 3.1a)", () => {
    expect(adjustedGrossScore(holes([12, 4, 0], 5), undefined)).toBe(10 + 4 + 10);
  });

  test("of a plus player has strokes given back on the easiest holes", () => {
    expect(adjustedGrossScore(holes([9, 9, 9]), -1)).toBe(6 + 6 + 5);
  });

  test("counts a hole picked up as net double bogey, and one not played not at all (Rule 3.3)", () => {
    expect(adjustedGrossScore(holes([0, -1, 4]), 0)).toBe(6 + 4);
  });
});
