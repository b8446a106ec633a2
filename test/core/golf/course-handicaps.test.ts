import { expect, test } from "vitest";
import { courseHandicapsByRule } from "../../../core/golf/course-handicaps.ts";

test("a Course Handicap of nine holes may have either half of the Handicap Index, one of eighteen the whole", () => {
  // 6.1b: 15.5 / 2 = 7.75, rounded 7.8; 7.8 + 0.7 = 8.5, and 7.75 + 0.7 = 8.45
  const figures = { handicapIndex: 155_000, slope: 113 };
  expect(courseHandicapsByRule({ ...figures, rating: 367_000, par: 36 }, 9)).toEqual([9, 8]);
  expect(courseHandicapsByRule({ ...figures, rating: 727_000, par: 72 }, 18)).toEqual([16]);
});

test("a Handicap Index above 54.0 gives the Course Handicap of 54.0", () => {
  const figures = { slope: 113, rating: 720_000, par: 72 };
  expect(courseHandicapsByRule({ ...figures, handicapIndex: 600_000 }, 18)).toEqual([54]);
});
