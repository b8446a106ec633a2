import { readTenThousandths } from "../formats/ten-thousandths.ts";
import { courseHandicapsByRule } from "./rules/course-handicap.ts";
import { isNineOfEighteen } from "./score-round.ts";
import type { Scorecard } from "./scorecard.ts";

/**
 * What the Course Handicap of a card may be by the rule, from its own HCP, TeeRating and TeeSlope.
 *
 * @param par of the tee; undefined where it is not known
 * @returns none where a figure is missing, or for nine holes of eighteen: the card has no rating of those nine
 */
export function courseHandicapsOfCard(card: Scorecard, par: number | undefined): number[] {
  const { Course: course, Result: result, Round: round } = card;
  const handicapIndex = readTenThousandths(card.HCP);
  const rating = readTenThousandths(course.TeeRating);
  const slope = Number(course.TeeSlope);
  if (handicapIndex === undefined || rating === undefined || par === undefined || !(slope > 0)) return [];
  if (isNineOfEighteen(result.Strokes, round.HolesPlayed)) return [];
  return courseHandicapsByRule({ handicapIndex, rating, slope, par }, result.Strokes.length);
}
