/**
 * Handicap allowances in percent of the Course Handicap: one for each player or, for a side with one ball, one for each partner from the
 * lowest Course Handicap up, whose shares are added and then rounded.
 *
 * @see Rules of Handicapping, appendix C
 */
export const handicapAllowances = {
  individualStrokePlay: [95],
  individualStableford: [95],
  individualParBogey: [95],
  individualMaximumScore: [95],
  individualMatchPlay: [100],
  fourBallStrokePlay: [85],
  fourBallStableford: [85],
  fourBallParBogey: [90],
  fourBallMatchPlay: [90],
  bestOneOfFour: [75],
  bestTwoOfFour: [85],
  bestThreeOfFour: [100],
  allFourOfFour: [100],
  foursomes: [50, 50],
  greensomes: [60, 40],
  pinehurst: [60, 40],
  scrambleOfTwo: [35, 15],
  scrambleOfFour: [25, 20, 15, 10],
} as const;

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
  const ofPartners = Math.ceil((courseHandicap + (maxCourseHandicap * holes) / 18) / 2);
  const most = Math.max(Math.max(0, courseHandicap) + maxAdjustment, ofPartners);
  return [Math.min(0, courseHandicap) - maxAdjustment, most];
}
