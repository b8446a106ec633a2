import { describe, expect, test } from "vitest";
import { courseHandicap, nineHoleCourseHandicap } from "../../../packages/whs/index.ts";

const tenth = 1_000;

/**
 * Whether a whole number is the fraction rounded with halves up: above the fraction less a half, and not above the
 * fraction and a half. All terms are whole and far below 2^53, so this is exact.
 */
function isRoundedHalfUp(rounded: number, numerator: number, denominator: number): boolean {
  const doubled = 2 * rounded * denominator;
  return 2 * numerator - denominator < doubled && doubled <= 2 * numerator + denominator;
}

/** Every Slope Rating, with every Course Rating of up to 4.0 over or under par. */
function* listRatings(par: number) {
  for (let slope = 55; slope <= 155; slope++) {
    for (let overPar = -40; overPar <= 40; overPar++)
      yield { slope, par, overPar, rating: par * 10_000 + overPar * tenth };
  }
}

describe("Course Handicap", () => {
  // Rules of Handicapping 6.1a: Handicap Index x Slope Rating / 113 + (Course Rating - par).
  test("is exact for every Handicap Index, slope and rating over par", () => {
    let combinations = 0;
    const wrong: unknown[] = [];
    for (let index = -100; index <= 540; index++) {
      for (const { overPar, ...rating } of listRatings(72)) {
        const figures = { handicapIndex: index * tenth, ...rating };
        combinations++;
        // In tenths: (index x slope + 113 x overPar) / (113 x 10).
        if (!isRoundedHalfUp(courseHandicap(figures).value, index * rating.slope + 113 * overPar, 1_130))
          wrong.push(figures);
      }
    }
    expect(wrong).toEqual([]);
    expect(combinations).toBe(641 * 101 * 81);
  });

  // Rules of Handicapping 6.1b: with half the Handicap Index, rounded to a tenth.
  test("is exact for nine holes, with the half rounded", () => {
    const wrong: unknown[] = [];
    for (let index = -100; index <= 540; index++) {
      const half = Math.ceil((index - 0.5) / 2 + 0.25); // tenths; x.5 goes up
      if (!isRoundedHalfUp(half, index, 2)) wrong.push({ index, half });
      for (const { overPar, ...rating } of listRatings(36)) {
        const figures = { handicapIndex: index * tenth, ...rating };
        const { value } = nineHoleCourseHandicap(figures);
        if (!isRoundedHalfUp(value, half * rating.slope + 113 * overPar, 1_130)) wrong.push(figures);
      }
    }
    expect(wrong).toEqual([]);
  });
});
