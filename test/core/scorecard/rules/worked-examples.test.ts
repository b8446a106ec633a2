import { describe, expect, test } from "vitest";
import {
  courseHandicap,
  nineHoleCourseHandicaps,
  playingHandicap,
} from "../../../../core/scorecard/rules/course-handicap.ts";
import {
  cappedHandicapIndex,
  handicapIndexFrom,
  scoreDifferential,
} from "../../../../core/scorecard/rules/handicap-index.ts";
import { countedStrokes } from "../../../../core/scorecard/rules/net-double-bogey.ts";
import { stablefordPoints } from "../../../../core/scorecard/rules/stableford.ts";
import { strokesReceived } from "../../../../core/scorecard/rules/strokes-received.ts";
import { accepted, loopTeeId, nineHoleCard } from "../sample-cards.ts";

/** Examples are written in plain numbers. */
const wire = (value: number) => Math.round(value * 10_000);
const eighteen = Array.from({ length: 18 }, (_, place) => place + 1);

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

describe("Rules of Handicapping 6.2a, Playing Handicap", () => {
  test.each([
    // (10.5 + 0) x 0.95 = 9.975
    [10.5, 113, 72, 72, 95, 10],
    // (12.4 x 130 / 113 - 1) x 0.85 = 13.27 x 0.85 = 11.28; the rounded 13 would give 11.05
    [12.4, 130, 71, 72, 85, 11],
    // (10.6 x 113 / 113 + 0) x 0.9 = 9.54; the rounded 11 would give 9.9
    [10.6, 113, 72, 72, 90, 10],
    // -4.0 x 0.95 = -3.8
    [-4, 113, 72, 72, 95, -4],
  ])(
    "of %d on slope %i, rating %d, par %i at %i per cent is %i",
    (index, slope, rating, par, percent, expected) => {
      const figures = { handicapIndex: wire(index), slope, rating: wire(rating), par };
      expect(playingHandicap(figures, percent)).toBe(expected);
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

describe("Rules of Handicapping 5, from a score to a Handicap Index", () => {
  test("5.1a: the Score Differential is 113 / slope x (adjusted gross - rating - PCC)", () => {
    expect(scoreDifferential(85, wire(71.5), 125, 0)).toBe(wire(12.2)); // 12.204
    expect(scoreDifferential(70, wire(73.9), 140, 0)).toBe(wire(-3.1)); // -3.148
    expect(scoreDifferential(85, wire(71.5), 125, 1)).toBe(wire(11.3)); // 11.3
  });

  test("5.2a: of three differentials the lowest less 2.0, of six the lowest two less 1.0", () => {
    expect(handicapIndexFrom([22, 20, 21].map(wire))).toBe(wire(18));
    expect(handicapIndexFrom([22, 20, 21, 25, 30, 28].map(wire))).toBe(wire(19.5));
  });

  test("5.8: half of what exceeds 3.0 above the Low Handicap Index, and never more than 5.0 above it", () => {
    expect(cappedHandicapIndex(wire(14), wire(10))).toBe(wire(13.5));
    expect(cappedHandicapIndex(wire(18), wire(10))).toBe(wire(15));
    expect(cappedHandicapIndex(wire(12.9), wire(10))).toBe(wire(12.9));
  });
});

describe("a whole card", () => {
  test("of a plus player on nine holes: strokes are given back on the two easiest, level par is 16 points", () => {
    const sent = {
      ...nineHoleCard(),
      HCP: "-30000",
      CourseHandicap: -2,
      Result: { Strokes: [4, 4, 3, 5, 4, 4, 3, 4, 5], IsQualifying: true },
    };
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
