import { oneStroke } from "../../formats/ten-thousandths.ts";
import { roundHalfUp } from "./round-half-up.ts";

const tenth = oneStroke / 10;
const standardSlope = 113;
const most = 54 * oneStroke;

/** Of so many differentials or more, how many of the lowest count, and what is added to their average. */
const table = [
  { differentials: 20, lowest: 8, adjustment: 0 },
  { differentials: 19, lowest: 7, adjustment: 0 },
  { differentials: 17, lowest: 6, adjustment: 0 },
  { differentials: 15, lowest: 5, adjustment: 0 },
  { differentials: 12, lowest: 4, adjustment: 0 },
  { differentials: 9, lowest: 3, adjustment: 0 },
  { differentials: 7, lowest: 2, adjustment: 0 },
  { differentials: 6, lowest: 2, adjustment: -oneStroke },
  { differentials: 5, lowest: 1, adjustment: 0 },
  { differentials: 4, lowest: 1, adjustment: -oneStroke },
  { differentials: 3, lowest: 1, adjustment: -2 * oneStroke },
];

/**
 * Score Differential: 113 / Slope Rating x (adjusted gross score - Course Rating - PCC), to a tenth.
 *
 * @param rating Course Rating times 10,000
 * @param conditions playing conditions calculation, whole strokes from -1 to 3
 * @returns times 10,000
 * @see Rules of Handicapping, 5.1
 */
export function scoreDifferential(
  adjustedGross: number,
  rating: number,
  slope: number,
  conditions: number,
): number {
  const overRating = (adjustedGross - conditions) * oneStroke - rating;
  return roundHalfUp(standardSlope * overRating, slope * tenth) * tenth;
}

/**
 * Handicap Index from the most recent Score Differentials, before any cap but the maximum of 54.0.
 *
 * @param differentials up to 20, times 10,000
 * @returns times 10,000; undefined with fewer than three
 * @see Rules of Handicapping, 5.2
 */
export function handicapIndexFrom(differentials: readonly number[]): number | undefined {
  const row = table.find((entry) => differentials.length >= entry.differentials);
  if (row === undefined) return undefined;
  const lowest = differentials.toSorted((one, other) => one - other).slice(0, row.lowest);
  const sum = lowest.reduce((total, differential) => total + differential, 0);
  return Math.min(most, roundHalfUp(sum + row.adjustment * row.lowest, row.lowest * tenth) * tenth);
}

/**
 * A Handicap Index held back by the soft cap (half of what exceeds 3.0 above the Low Handicap Index) and the hard
 * cap (5.0 above it).
 *
 * @param calculated times 10,000
 * @param low Low Handicap Index times 10,000
 * @returns times 10,000
 * @see Rules of Handicapping, 5.8
 */
export function cappedHandicapIndex(calculated: number, low: number): number {
  const soft = 3 * oneStroke;
  const rise = calculated - low;
  if (rise <= soft) return calculated;
  return Math.min(low + 5 * oneStroke, roundHalfUp(2 * (low + soft) + rise - soft, 2 * tenth) * tenth);
}
