import { oneStroke } from "../../formats/ten-thousandths.ts";

/** Slope Rating of a course of standard difficulty. @see Rules of Handicapping, Definitions: Slope Rating */
export const standardSlope = 113;
const tenth = oneStroke / 10;

/** The highest Handicap Index, times 10,000. @see Rules of Handicapping, 5.3 */
const maxHandicapIndex = 54 * oneStroke;

/**
 * The Handicap Index that a player's strokes are calculated from. A union may give beginners a higher one, to show their progress;
 * they receive the strokes of 54.0.
 */
export const countedHandicapIndex = (handicapIndex: number): number =>
  Math.min(handicapIndex, maxHandicapIndex);

/** The figures of the player and the tee that a Course Handicap depends on. */
export interface CourseHandicapFigures {
  /** Times 10,000. */
  readonly handicapIndex: number;
  readonly slope: number;
  /** Course Rating times 10,000, of the holes played: 18 or 9. */
  readonly rating: number;
  /** Of the holes played. */
  readonly par: number;
}

/**
 * Course Handicap for 18 holes: Handicap Index x Slope Rating / 113 + (Course Rating - par), rounded.
 *
 * @see Rules of Handicapping, 6.1a
 */
export function courseHandicap(figures: CourseHandicapFigures): number {
  const unrounded = figures.handicapIndex * figures.slope + standardSlope * ratingOverPar(figures);
  return roundHalfUp(unrounded, standardSlope * oneStroke);
}

/** Course Rating - par, times 10,000. */
function ratingOverPar({ rating, par }: CourseHandicapFigures): number {
  return rating - par * oneStroke;
}

/**
 * Course Handicap for nine holes: the same formula with half the Handicap Index.
 *
 * @returns the one with the half rounded to a tenth, as the rule says, and the one with the exact half, as many apps do
 * @see Rules of Handicapping, 6.1b
 */
export function nineHoleCourseHandicaps(figures: CourseHandicapFigures): [ruled: number, exact: number] {
  const half = roundHalfUp(figures.handicapIndex, 2 * tenth) * tenth;
  const ruled = courseHandicap({ ...figures, handicapIndex: half });
  const numerator = figures.handicapIndex * figures.slope + 2 * standardSlope * ratingOverPar(figures);
  return [ruled, roundHalfUp(numerator, 2 * standardSlope * oneStroke)];
}

/** Every Course Handicap that we accept as by the rule, each once: one for 18 holes, one or two for 9. */
export function courseHandicapsByRule(
  { handicapIndex, slope, rating, par }: CourseHandicapFigures,
  holes: number,
): number[] {
  const figures = { handicapIndex: countedHandicapIndex(handicapIndex), slope, rating, par };
  if (holes !== 9) return [courseHandicap(figures)];
  const [ruled, exact] = nineHoleCourseHandicaps(figures);
  return ruled === exact ? [ruled] : [ruled, exact];
}

/**
 * The whole number nearest to a fraction; a half goes up, towards plus infinity: 1.5 is 2, -1.5 is -1.
 *
 * All rounding of the rules is done here, on whole numbers, because a product of floats misses ties: 11.3 x 57 / 113 +
 * 68.8 - 72 is exactly 2.5, but 2.4999999999999996 in floats.
 *
 * @param numerator a whole number; twice it and the denominator together below 2^53
 * @param denominator a whole number above 0
 * @see Rules of Handicapping, 5.1c
 */
export function roundHalfUp(numerator: number, denominator: number): number {
  // The quotient of two whole numbers below 2^53 is never rounded up to the next whole number by the division.
  const rounded = Math.floor((2 * numerator + denominator) / (2 * denominator));
  return rounded === 0 ? 0 : rounded;
}
