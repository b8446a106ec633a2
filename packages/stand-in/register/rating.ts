import { slopeBounds } from "@scorecard-pipeline/whs";

/** The rating of a tee for one gender. */
interface Rating {
  /** Strokes, to a tenth. */
  readonly courseRating: number;
  readonly bogeyRating: number;
  readonly slope: number;
}

/** 1 female, 2 male. */
export type RatedGender = 1 | 2;

const yardsPerMetre = 1.0936133;

/**
 * Yardage ratings of 18 holes and the factor from their difference to the Slope Rating.
 *
 * @see USGA, Course Rating System: yardage rating formulas; Slope Rating = (bogey - scratch) x 5.381 or 4.24
 */
const formulas = {
  1: { scratch: [180, 40.1], bogey: [120, 51.3], factor: 4.24 },
  2: { scratch: [220, 40.9], bogey: [160, 50.7], factor: 5.381 },
} as const;

const tenth = (strokes: number) => Math.round(strokes * 10) / 10;

/**
 * Rates a tee from its length and its obstacles.
 *
 * @param length total length in metres
 * @param holes number of holes that the rating is for
 * @param obstacles strokes that they cost a scratch player over 18 holes; they cost a bogey player more
 */
export function rate(gender: RatedGender, length: number, holes: number, obstacles: number): Rating {
  const { scratch, bogey, factor } = formulas[gender];
  const share = holes / 18;
  const yards = holes === 0 ? 0 : (length * yardsPerMetre) / share;
  const scratchRating = yards / scratch[0] + scratch[1] + obstacles;
  const bogeyRating = yards / bogey[0] + bogey[1] + 1.8 + obstacles * 1.6;
  const slope = Math.round((bogeyRating - scratchRating) * factor);
  return {
    courseRating: tenth(scratchRating * share),
    bogeyRating: tenth(bogeyRating * share),
    slope: Math.min(slopeBounds[1], Math.max(slopeBounds[0], slope)),
  };
}
