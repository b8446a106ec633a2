import { roundHalfUp } from "./rounding.ts";

/** The figures that a Score Differential is calculated from. */
export interface PlayedHoles {
  /** Adjusted gross score of the holes played. */
  readonly adjustedGross: number;
  /** Course Rating of the holes played, times 10,000. */
  readonly courseRating: number;
  readonly slope: number;
  /** Holes short of 18, for which the player's expected score counts: 9 for a nine-hole round, 0 for a full one. */
  readonly holesExpected: number;
}

/** The Slope Rating of a course of standard difficulty. */
const standardSlope = 113;

/**
 * A player's expected Score Differential over nine holes, in thousandths of a stroke: 0.52 x Handicap Index + 1.197.
 *
 * An estimate: the formula is not published. This line fits the published examples.
 *
 * @param handicapIndex tenths
 */
export function estimatedNineHoleDifferential(handicapIndex: number): number {
  return 52 * handicapIndex + 1_197;
}

/**
 * The Score Differential of a round over 18 holes, or over fewer with the expected score for the rest; only the sum is
 * rounded. The Playing Conditions Calculation is 0.
 *
 * @param handicapIndex tenths, at the time the round was played
 * @returns tenths
 * @see Rules of Handicapping 2024, 5.1a, 5.1b and 3.2
 */
export function scoreDifferential(played: PlayedHoles, handicapIndex: number): number {
  const { adjustedGross, courseRating, slope, holesExpected } = played;
  const overRating = standardSlope * (adjustedGross * 10_000 - courseRating) * 9;
  const expected = estimatedNineHoleDifferential(handicapIndex) * holesExpected * slope * 10;
  return roundHalfUp(overRating + expected, slope * 9_000);
}
