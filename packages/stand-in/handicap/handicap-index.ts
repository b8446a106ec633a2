import { roundHalfUp } from "./rounding.ts";

/** How a Handicap Index is calculated from a number of Score Differentials. */
interface Calculation {
  /** How many of the lowest count. */
  readonly lowest: number;
  /** Tenths added to their average. */
  readonly adjustment: number;
}

/** The highest Handicap Index, in tenths. @see Rules of Handicapping 2024, 5.3 */
export const maximumHandicapIndex = 540;
/** The number of Score Differentials in a full record. */
export const fullRecord = 20;

/** By the largest number of differentials that a line applies to. @see Rules of Handicapping 2024, 5.2a */
const table: readonly (readonly [upTo: number, calculation: Calculation])[] = [
  [3, { lowest: 1, adjustment: -20 }],
  [4, { lowest: 1, adjustment: -10 }],
  [5, { lowest: 1, adjustment: 0 }],
  [6, { lowest: 2, adjustment: -10 }],
  [8, { lowest: 2, adjustment: 0 }],
  [11, { lowest: 3, adjustment: 0 }],
  [14, { lowest: 4, adjustment: 0 }],
  [16, { lowest: 5, adjustment: 0 }],
  [18, { lowest: 6, adjustment: 0 }],
  [19, { lowest: 7, adjustment: 0 }],
];

/** Scores that a player's first Handicap Index takes: three by the Rules' own table, fewer if a union says so. */
export type ScoresForHandicap = 1 | 2 | 3;

/**
 * How a Handicap Index is calculated from a number of Score Differentials.
 *
 * @param fewest that give one; with fewer than three the line for three applies
 * @returns undefined for fewer, which give none
 * @see Rules of Handicapping 2024, 4.5, 5.2a and 5.2b
 */
export function calculationFor(
  differentials: number,
  fewest: ScoresForHandicap = 3,
): Calculation | undefined {
  if (differentials < fewest) return undefined;
  return table.find(([upTo]) => differentials <= upTo)?.[1] ?? { lowest: 8, adjustment: 0 };
}

/**
 * The average of the lowest Score Differentials of a record, with the adjustment for a short one, before caps.
 *
 * @param differentials tenths, at most the latest 20
 * @param fewest see `calculationFor`
 * @returns tenths; undefined if there are too few
 */
export function averageOfLowest(
  differentials: readonly number[],
  fewest?: ScoresForHandicap,
): number | undefined {
  const calculation = calculationFor(differentials.length, fewest);
  if (calculation === undefined) return undefined;
  const { lowest, adjustment } = calculation;
  const counting = differentials.toSorted((one, other) => one - other).slice(0, lowest);
  const sum = counting.reduce((total, differential) => total + differential, 0);
  return roundHalfUp(sum, lowest) + adjustment;
}

const softCapFrom = 30;
const hardCap = 50;

/**
 * Limits how far a Handicap Index rises above the Low Handicap Index: a rise above 3.0 counts half, and 5.0 is the limit.
 *
 * @param calculated tenths, as are the Low Handicap Index and the result
 * @see Rules of Handicapping 2024, 5.8
 */
export function capped(calculated: number, lowHandicapIndex: number): number {
  const rise = calculated - lowHandicapIndex;
  if (rise <= softCapFrom) return calculated;
  const soft = roundHalfUp(2 * (lowHandicapIndex + softCapFrom) + rise - softCapFrom, 2);
  return Math.min(soft, lowHandicapIndex + hardCap);
}

/**
 * The reduction that an exceptional score applies to every Score Differential of the record, also its own.
 *
 * @param differential tenths, as is the Handicap Index when the round was played
 * @returns tenths: 0 if the score is not exceptional
 * @see Rules of Handicapping 2024, 5.9a
 */
export function exceptionalReduction(differential: number, handicapIndex: number): number {
  const below = handicapIndex - differential;
  if (below >= 100) return 20;
  return below >= 70 ? 10 : 0;
}
