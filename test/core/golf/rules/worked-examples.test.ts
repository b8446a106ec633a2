import { describe, expect, test } from "vitest";
import { countedStrokes, stablefordPoints } from "../../../../core/golf/rules/holes.ts";
import { scoreDifferential } from "../../../../core/golf/rules/score-differential.ts";
import { accepted, loopTeeId, nineHoleCard } from "../sample-cards.ts";

/** Examples are written in plain numbers. */
const wire = (value: number) => Math.round(value * 10_000);

describe("Rules of Handicapping 5.1a, Score Differential", () => {
  test.each([
    // 113 / 125 x (94 - 73.0) = 18.98
    [94, 73, 125, 19],
    // 113 / 113 x (71 - 71.25) = -0.25, up, which is towards 0
    [71, 71.25, 113, -0.2],
    // 113 / 113 x (72 - 71.75) = 0.25, up
    [72, 71.75, 113, 0.3],
    // 113 / 142 x (68 - 74.4) = -5.093
    [68, 74.4, 142, -5.1],
    // 113 / 55 x (120 - 64.2) = 114.64
    [120, 64.2, 55, 114.6],
    // 113 / 113 x (72 - 72.04) = -0.04, which is no negative zero
    [72, 72.04, 113, 0],
  ])("of %i strokes on rating %d and slope %i is %d", (adjustedGross, rating, slope, expected) => {
    expect(scoreDifferential({ adjustedGross, rating: wire(rating), slope })).toBe(wire(expected));
  });
});

describe("Rules of Golf 21.1b, Stableford points", () => {
  test.each([
    // par, strokes received, strokes, points
    [4, 0, 4, 2],
    [4, 1, 4, 3],
    [5, 2, 3, 6],
    [3, 0, 5, 0],
    [3, 1, 5, 1],
    [3, -1, 3, 1],
    [4, 4, 0, 0],
    [4, 4, -1, 0],
  ])("on par %i with %i received, in %i, are %i", (par, received, strokes, points) => {
    expect(stablefordPoints(par, received, strokes)).toBe(points);
  });
});

describe("Rules of Handicapping 3.1, net double bogey", () => {
  test.each([
    // par, strokes received, strokes, what the hole counts
    [4, 0, 7, 6],
    [4, 1, 7, 7],
    [5, -1, 9, 6],
    [3, 5, 12, 8], // 3.1b: never more than par + 5
    [4, undefined, 11, 9], // 3.1a: par + 5 before there is a Handicap Index
    [4, 1, 0, 7], // 3.3: picked up
    [4, 1, 2, 2],
  ])("on par %i with %s received, in %i, counts %i", (par, received, strokes, counted) => {
    expect(countedStrokes(par, received, strokes)).toBe(counted);
  });
});

describe("a whole card", () => {
  test("of a plus player on nine holes: strokes are given back on the two easiest, level par is 16 points", () => {
    const sent = nineHoleCard({
      HCP: "-30000",
      CourseHandicap: -2,
      Result: { Strokes: [4, 4, 3, 5, 4, 4, 3, 4, 5], IsQualifying: true },
    });
    const { card } = accepted(sent);
    expect(card.Course.TeeID).toBe(loopTeeId);
    // Stroke indexes 7 3 15 9 1 11 17 5 13: the easiest are 15 and 17.
    expect(card.Course.Holes?.map(({ SPH }) => SPH)).toEqual([0, 0, -1, 0, 0, 0, -1, 0, 0]);
    expect(card.Result).toMatchObject({
      Points: [2, 2, 1, 2, 2, 2, 1, 2, 2],
      TotalPoints: 16,
      TotalStrokes: 36,
      NetDoubleBogeyGross: 36,
    });
  });
});
