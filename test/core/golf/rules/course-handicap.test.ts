import { describe, expect, test } from "vitest";
import { courseHandicap, courseHandicapsByRule } from "../../../../core/golf/rules/course-handicap.ts";

describe("Course Handicap", () => {
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
