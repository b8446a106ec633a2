import {
  type CourseHandicapFigures,
  countedHandicapIndex,
  courseHandicap,
  nineHoleCourseHandicap,
} from "@scorecard-pipeline/whs";

/**
 * Course Handicap for nine holes.
 *
 * @returns the one with half the Handicap Index rounded to a tenth, as the rule says, and the one with the exact half, as many apps do
 * @see Rules of Handicapping, 6.1b
 */
export function nineHoleCourseHandicaps(figures: CourseHandicapFigures): [ruled: number, exact: number] {
  const exact = courseHandicap({ ...figures, handicapIndex: figures.handicapIndex / 2 });
  return [nineHoleCourseHandicap(figures).value, exact.value];
}

/** Every Course Handicap that we accept as by the rule, each once: one for 18 holes, one or two for 9. */
export function courseHandicapsByRule(
  { handicapIndex, slope, rating, par }: CourseHandicapFigures,
  holes: number,
): number[] {
  const figures = { handicapIndex: countedHandicapIndex(handicapIndex), slope, rating, par };
  if (holes !== 9) return [courseHandicap(figures).value];
  const [ruled, exact] = nineHoleCourseHandicaps(figures);
  return ruled === exact ? [ruled] : [ruled, exact];
}
