import { describe, expect, test } from "vitest";
import { courseHandicap, courseHandicapsByRule } from "../../../../core/golf/rules/course-handicap.ts";

describe("Course Handicap", () => {
  test("rounds a tie up where a product of floats falls short of it", () => {
    // 11.3 x 57 / 113 + 68.8 - 72 = 5.7 - 3.2 = 2.5
    expect(courseHandicap({ handicapIndex: 113_000, slope: 57, rating: 688_000, par: 72 })).toBe(3);
  });

  test("rounds a tie below zero towards zero", () => {
    // -11.3 x 55 / 113 + 72.0 - 72 = -5.5
    expect(courseHandicap({ handicapIndex: -113_000, slope: 55, rating: 720_000, par: 72 })).toBe(-5);
  });

  test("is never minus zero", () => {
    expect(
      Object.is(courseHandicap({ handicapIndex: -3_000, slope: 113, rating: 720_000, par: 72 }), 0),
    ).toBe(true);
  });

  test("of nine holes is taken with either half, of eighteen with the whole", () => {
    // 6.1b: 15.5 / 2 = 7.75, rounded 7.8; 7.8 x 155 / 113 = 10.699, 7.75 x 155 / 113 = 10.63
    expect(
      courseHandicapsByRule({ handicapIndex: 155_000, slope: 113, rating: 360_000 + 7_000, par: 36 }, 9),
    ).toEqual([9, 8]);
    expect(
      courseHandicapsByRule({ handicapIndex: 155_000, slope: 113, rating: 727_000, par: 72 }, 18),
    ).toEqual([16]);
  });
});
