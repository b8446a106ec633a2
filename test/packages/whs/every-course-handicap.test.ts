import { expect, test } from "vitest";
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
      yield { slope, overPar, rating: par * 10_000 + overPar * tenth };
  }
}

/** Half of an index in tenths: x.5 goes up. */
const halve = (index: number) => Math.ceil((index - 0.5) / 2 + 0.25);

test.each([
  { name: "6.1a, of eighteen holes", par: 72, rule: courseHandicap, counted: (index: number) => index },
  {
    name: "6.1b, of nine holes with the half rounded",
    par: 36,
    rule: nineHoleCourseHandicap,
    counted: halve,
  },
])(
  "Course Handicap $name, is exact for every Handicap Index, slope and rating over par",
  ({ par, rule, counted }) => {
    const wrong: unknown[] = [];
    let combinations = 0;
    const ratings = [...listRatings(par)];
    for (let index = -100; index <= 540; index++) {
      if (!isRoundedHalfUp(halve(index), index, 2)) wrong.push({ index });
      for (const { slope, overPar, rating } of ratings) {
        const figures = { handicapIndex: index * tenth, slope, par, rating };
        combinations++;
        // In tenths: (index x slope + 113 x overPar) / (113 x 10).
        const numerator = counted(index) * slope + 113 * overPar;
        if (!isRoundedHalfUp(rule(figures).value, numerator, 1_130)) wrong.push(figures);
      }
    }
    expect(wrong).toEqual([]);
    expect(combinations).toBe(641 * 101 * 81);
  },
);
