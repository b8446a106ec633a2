import { maxHoles } from "./holes.ts";

/** Strokes for playing from other tees than the others, or by a committee, are fewer. @see Rules of Handicapping, 6.2b */
const maxAdjustment = 10;

/** The highest Course Handicap of eighteen holes: 54.0 on a slope of 155, and six strokes for a rating above par. */
const maxCourseHandicap = 80;

/**
 * The least and the greatest Playing Handicap that a player may have in any format: with other tees, in gross Stableford none,
 * and in foursomes half of both partners' Course Handicaps, which no other format of partners exceeds.
 *
 * @param holes 9 or 18
 * @see Rules of Handicapping, 6.2 and appendix C
 */
export function playingHandicapBounds(
  courseHandicap: number,
  holes: number,
): readonly [least: number, most: number] {
  const ofPartners = Math.ceil((courseHandicap + (maxCourseHandicap * holes) / maxHoles) / 2);
  const most = Math.max(Math.max(0, courseHandicap) + maxAdjustment, ofPartners);
  return [Math.min(0, courseHandicap) - maxAdjustment, most];
}
