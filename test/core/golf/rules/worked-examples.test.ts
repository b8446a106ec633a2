import { describe, expect, test } from "vitest";
import { courseHandicap, nineHoleCourseHandicaps } from "../../../../core/golf/rules/course-handicap.ts";
import { countedStrokes, stablefordPoints, strokesReceived } from "../../../../core/golf/rules/holes.ts";
import { scoreDifferential } from "../../../../core/golf/rules/score-differential.ts";
import { accepted, loopTeeId, nineHoleCard } from "../sample-cards.ts";

/** Examples are written in plain numbers. */
const wire = (value: number) => Math.round(value * 10_000);
const eighteen = Array.from({ length: 18 }, (_, place) => place + 1);

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

describe("Rules of Handicapping 6.1a, Course Handicap", () => {
  test.each([
    // 10.4 x 128 / 113 + 71.2 - 71 = 11.78 + 0.2 = 11.98
    [10.4, 128, 71.2, 71, 12],
    // 0 + 74.5 - 72 = 2.5, up
    [0, 130, 74.5, 72, 3],
    // -2.0 x 125 / 113 + 70.1 - 72 = -2.21 - 1.9 = -4.11
    [-2, 125, 70.1, 72, -4],
    // 54.0 x 155 / 113 + 76 - 72 = 74.07 + 4 = 78.07
    [54, 155, 76, 72, 78],
    // 11.3 x 57 / 113 + 68.8 - 72 = 5.7 - 3.2 = 2.5, up
    [11.3, 57, 68.8, 72, 3],
    // -11.3 x 55 / 113 + 72 - 72 = -5.5, up
    [-11.3, 55, 72, 72, -5],
    // 67.2 x 113 / 113 + 71.8 - 72 = 67.0, a beginner above 54.0
    [67.2, 113, 71.8, 72, 67],
  ])("of %d on slope %i, rating %d, par %i is %i", (index, slope, rating, par, expected) => {
    expect(courseHandicap({ handicapIndex: wire(index), slope, rating: wire(rating), par })).toBe(expected);
  });
});

describe("Rules of Handicapping 6.1b, Course Handicap for nine holes", () => {
  test.each([
    // 8.7 / 2 = 4.35, 4.4; 4.4 x 121 / 113 - 0.7 = 4.01; exact 4.35 x 121 / 113 - 0.7 = 3.96
    [8.7, 121, 35.3, 36, 4, 4],
    // 15.5 / 2 = 7.75, 7.8; 7.8 + 0.7 = 8.5, up; exact 7.75 + 0.7 = 8.45
    [15.5, 113, 36.7, 36, 9, 8],
    // -2.1 / 2 = -1.05, up to -1.0; -1.0 + 0.5 = -0.5, up; exact -1.05 + 0.5 = -0.55
    [-2.1, 113, 36.5, 36, 0, -1],
  ])(
    "of %d on slope %i, rating %d, par %i is %i, with the exact half %i",
    (index, slope, rating, par, ruled, exact) => {
      const figures = { handicapIndex: wire(index), slope, rating: wire(rating), par };
      expect(nineHoleCourseHandicaps(figures)).toEqual([ruled, exact]);
    },
  );
});

describe("Rules of Handicapping appendix E, strokes received", () => {
  test.each([
    [18, [1, 1, 1]],
    [20, [2, 1, 1]],
    [36, [2, 2, 2]],
    [37, [3, 2, 2]],
    [54, [3, 3, 3]],
    [55, [4, 3, 3]],
    [0, [0, 0, 0]],
    [-1, [0, 0, -1]],
    [-18, [-1, -1, -1]],
    [-19, [-1, -1, -2]],
  ])("off %i are on stroke indexes 1, 3 and 18: %j", (handicap, expected) => {
    const received = strokesReceived(handicap, eighteen);
    expect([received[0], received[2], received[17]]).toEqual(expected);
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
