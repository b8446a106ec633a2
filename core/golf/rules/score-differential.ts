import { oneStroke } from "../../formats/ten-thousandths.ts";
import { roundHalfUp, standardSlope } from "./course-handicap.ts";

/** The figures of the round and the tee that a Score Differential depends on. */
export interface ScoreDifferentialFigures {
  /** Adjusted Gross Score of 18 holes: no hole counts more than net double bogey. */
  readonly adjustedGross: number;
  /** Course Rating times 10,000. */
  readonly rating: number;
  readonly slope: number;
}

/**
 * The Score Differential of 18 holes, all played: 113 / Slope Rating x (Adjusted Gross Score - Course Rating), rounded to a tenth. The
 * Playing Conditions Calculation is left out: nobody knows it when the round ends.
 *
 * @returns times 10,000
 * @see Rules of Handicapping, 5.1a
 */
export function scoreDifferential({ adjustedGross, rating, slope }: ScoreDifferentialFigures): number {
  const tenth = oneStroke / 10;
  return roundHalfUp(standardSlope * (adjustedGross * oneStroke - rating), slope * tenth) * tenth;
}
