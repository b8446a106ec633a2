import { formatStrokes, formatTerm, oneStroke, roundHalfUp, roundToTenth, type Worked } from "./worked.ts";

/** Slope Rating of a course of standard difficulty. @see Rules of Handicapping, Definitions: Slope Rating */
export const standardSlope = 113;

/** Least and greatest Slope Rating. @see Rules of Handicapping, Definitions: Slope Rating */
export const slopeBounds = [55, 155] as const;

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

/** Course Rating - par, times 10,000. */
const ratingOverPar = ({ rating, par }: CourseHandicapFigures) => rating - par * oneStroke;

/** The Course Handicap before it is rounded, times 113 and 10,000: a whole number. */
const unrounded = (figures: CourseHandicapFigures) =>
  figures.handicapIndex * figures.slope + standardSlope * ratingOverPar(figures);

/** "16.4 x 124 / 113 - 2.2 = 15.80": the Course Handicap before it is rounded. */
function writeUnrounded(figures: CourseHandicapFigures): string {
  const index = formatStrokes(figures.handicapIndex);
  const handicap = (unrounded(figures) / (standardSlope * oneStroke)).toFixed(2);
  return `${index} x ${figures.slope} / ${standardSlope} ${formatTerm(ratingOverPar(figures))} = ${handicap}`;
}

/**
 * Course Handicap for 18 holes: Handicap Index x Slope Rating / 113 + (Course Rating - par), rounded.
 *
 * @see Rules of Handicapping, 6.1a
 */
export function courseHandicap(figures: CourseHandicapFigures): Worked {
  const value = roundHalfUp(unrounded(figures), standardSlope * oneStroke);
  return { value, working: () => `${writeUnrounded(figures)}, so ${value}` };
}

/**
 * Course Handicap for nine holes: the same formula with half the Handicap Index, rounded to a tenth.
 *
 * @see Rules of Handicapping, 6.1b
 */
export function nineHoleCourseHandicap(figures: CourseHandicapFigures): Worked {
  const half = roundToTenth(figures.handicapIndex, 2);
  const { value, working } = courseHandicap({ ...figures, handicapIndex: half });
  const halved = `${formatStrokes(figures.handicapIndex)} / 2`;
  return { value, working: () => `${halved} is ${formatStrokes(half)}; ${working()}` };
}

/**
 * Playing Handicap: the Course Handicap, before it is rounded, x the handicap allowance of the format, rounded.
 *
 * @param figures with the allowance in percent, e.g. of `handicapAllowances`
 * @see Rules of Handicapping, 6.2a
 */
export function playingHandicap(figures: CourseHandicapFigures & { readonly allowance: number }): Worked {
  const { allowance } = figures;
  const value = roundHalfUp(unrounded(figures) * allowance, standardSlope * oneStroke * 100);
  const exact = (unrounded(figures) * allowance) / (standardSlope * oneStroke * 100);
  const working = () => `${writeUnrounded(figures)}; x ${allowance} % = ${exact.toFixed(2)}, so ${value}`;
  return { value, working };
}
