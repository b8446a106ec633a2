import { standardSlope } from "./rule-6.ts";
import { formatStrokes, formatTerm, oneStroke, roundHalfUp, roundToTenth, type Worked } from "./worked.ts";

/** The highest Handicap Index, times 10,000. @see Rules of Handicapping, 5.3 */
export const maxHandicapIndex = 54 * oneStroke;

/**
 * The Handicap Index that a player's strokes are calculated from. A union may give beginners a higher one, to show their progress;
 * they receive the strokes of 54.0.
 *
 * @see Rules of Handicapping, 5.3
 */
export const countedHandicapIndex = (handicapIndex: number): number =>
  Math.min(handicapIndex, maxHandicapIndex);

/** The figures of the round and the tee that a Score Differential depends on. */
export interface ScoreDifferentialFigures {
  /** Adjusted Gross Score of the holes played: no hole counts more than net double bogey. */
  readonly adjustedGross: number;
  /** Course Rating of the holes played, times 10,000. */
  readonly rating: number;
  readonly slope: number;
}

/** A Score Differential times 10,000, rounded to a tenth as `value`. */
export interface ScoreDifferential extends Worked {
  /** The same before it is rounded, as a fraction of whole numbers: times 10,000, too. */
  readonly numerator: number;
  readonly denominator: number;
}

/**
 * The Score Differential of a round, all holes played: 113 / Slope Rating x (Adjusted Gross Score - Course Rating). The Playing
 * Conditions Calculation (5.6) is left out: nobody knows it when the round ends.
 *
 * @see Rules of Handicapping, 5.1a
 */
export function scoreDifferential(figures: ScoreDifferentialFigures): ScoreDifferential {
  const { slope } = figures;
  const numerator = standardSlope * overRating(figures);
  const value = roundToTenth(numerator, slope);
  const working = () => `${writeDifferential(figures)}, so ${formatStrokes(value)}`;
  return { value, numerator, denominator: slope, working };
}

/** Adjusted Gross Score - Course Rating, times 10,000. */
const overRating = ({ adjustedGross, rating }: ScoreDifferentialFigures) =>
  adjustedGross * oneStroke - rating;

/** "113 / 125 x (94 - 73.0) = 18.98": a Score Differential before it is rounded. */
function writeDifferential(figures: ScoreDifferentialFigures): string {
  const { adjustedGross, rating, slope } = figures;
  const unrounded = ((standardSlope * overRating(figures)) / slope / oneStroke).toFixed(2);
  return `${standardSlope} / ${slope} x (${adjustedGross} - ${formatStrokes(rating)}) = ${unrounded}`;
}

/** What a player is expected to score on a hole, times 100: 0.52 x Handicap Index + 1.197 over nine holes. */
const expectedHundredfold = (handicapIndex: number) => 52 * handicapIndex + 119.7 * oneStroke;

/**
 * The expected Score Differential of nine holes: 0.52 x Handicap Index + 1.197. The formula is not published; this line fits the
 * published examples.
 *
 * @see Rules of Handicapping, 5.1b
 */
export function expectedScoreDifferential({ handicapIndex }: { readonly handicapIndex: number }): Worked {
  const value = roundHalfUp(expectedHundredfold(handicapIndex), 100);
  const working = () => `0.52 x ${formatStrokes(handicapIndex)} + 1.197 = ${(value / oneStroke).toFixed(2)}`;
  return { value, working, estimated: true };
}

/**
 * The Score Differential of a round over fewer than 18 holes: that of the holes played, and the expected one of the others; only the
 * sum is rounded.
 *
 * @param figures of the holes played, with the player's Handicap Index at the time, and how many holes fewer than 18 they are
 * @see Rules of Handicapping, 5.1b and 3.2
 */
export function shortRoundScoreDifferential(
  figures: ScoreDifferentialFigures & { readonly handicapIndex: number; readonly holesNotPlayed: number },
): ScoreDifferential {
  const { slope, handicapIndex, holesNotPlayed } = figures;
  const expected = expectedHundredfold(handicapIndex) * holesNotPlayed;
  // Over nine holes and a hundred, as `expected` is.
  const numerator = 900 * standardSlope * overRating(figures) + expected * slope;
  const denominator = 900 * slope;
  const value = roundToTenth(numerator, denominator);
  const others = `${holesNotPlayed} holes at 0.52 x ${formatStrokes(handicapIndex)} + 1.197 for nine`;
  const sum = (numerator / denominator / oneStroke).toFixed(2);
  const working = () => `${writeDifferential(figures)}; with ${others} = ${sum}, so ${formatStrokes(value)}`;
  return { value, numerator, denominator, working, estimated: true };
}

/** The number of Score Differentials in a full record. @see Rules of Handicapping, 5.2b */
export const fullRecord = 20;

/** By the largest number of differentials that a line applies to. @see Rules of Handicapping, 5.2a */
const calculations: readonly (readonly [upTo: number, lowest: number, strokes: number])[] = [
  [3, 1, -2],
  [4, 1, -1],
  [5, 1, 0],
  [6, 2, -1],
  [8, 2, 0],
  [11, 3, 0],
  [14, 4, 0],
  [16, 5, 0],
  [18, 6, 0],
  [19, 7, 0],
];

/** Scores that a player's first Handicap Index takes: three by the Rules' own table, fewer if a union says so. */
export type ScoresForHandicap = 1 | 2 | 3;

/**
 * How many of the lowest Score Differentials a Handicap Index is the average of, and what is added to that, times 10,000.
 *
 * @param fewest scores that give one; with fewer than three the line for three applies
 * @returns undefined for fewer, which give none
 * @see Rules of Handicapping, 4.5, 5.2a and 5.2b
 */
export function findCalculation(differentials: number, fewest: ScoresForHandicap = 3) {
  if (differentials < fewest) return undefined;
  const [, lowest = 0, strokes = 0] = calculations.find(([upTo]) => differentials <= upTo) ?? [0, 8, 0];
  return { lowest, adjustment: strokes * oneStroke } as const;
}

/** The record that a Handicap Index is calculated from; all figures times 10,000. */
export interface RecordOfScores {
  /** The latest 20 Score Differentials at most, to a tenth, after reductions for exceptional scores. */
  readonly differentials: readonly number[];
  /** Left out if none is established. */
  readonly lowHandicapIndex?: number | undefined;
  readonly minScores?: ScoresForHandicap | undefined;
}

/**
 * The Handicap Index of a record: the average of its lowest Score Differentials, adjusted if it is short, capped above the Low
 * Handicap Index, and at most 54.0.
 *
 * @returns undefined if there are too few scores
 * @see Rules of Handicapping, 5.2, 5.3 and 5.8
 */
export function handicapIndex(record: RecordOfScores): Worked | undefined {
  const { differentials, lowHandicapIndex: low, minScores } = record;
  const calculation = findCalculation(differentials.length, minScores);
  if (calculation === undefined) return undefined;
  const { lowest, adjustment } = calculation;
  const counting = differentials.toSorted((one, other) => one - other).slice(0, lowest);
  const sum = counting.reduce((total, differential) => total + differential, 0);
  const average = roundToTenth(sum, lowest) + adjustment;
  const capped = low === undefined ? average : capRise({ handicapIndex: average, lowHandicapIndex: low });
  const value = countedHandicapIndex(capped);
  const working = () => {
    const adjusted = adjustment === 0 ? "" : ` ${formatTerm(adjustment)}`;
    const scores = `(${counting.map(formatStrokes).join(" + ")}) / ${lowest}${adjusted}`;
    const cap =
      capped === average ? "" : `; capped above ${formatStrokes(low ?? 0)}: ${formatStrokes(capped)}`;
    return `${scores} = ${formatStrokes(average)}${cap}${value === capped ? "" : "; at most 54.0"}`;
  };
  return { value, working };
}

/** A Handicap Index that a player had from a day on. */
export interface DatedHandicapIndex {
  /** Days since 1970. */
  readonly day: number;
  readonly index: number;
}

const daysOfLowIndex = 365;

/** The Handicap Indexes that a player had in the 365 days before a day, also the one at their start; in order of time. */
export function findIndexesInPeriod(
  indexes: readonly DatedHandicapIndex[],
  day: number,
): readonly DatedHandicapIndex[] {
  const start = indexes.findLastIndex((dated) => dated.day <= day - daysOfLowIndex);
  return start > 0 ? indexes.slice(start) : indexes;
}

/**
 * The Low Handicap Index: the lowest that the player had in the 365 days before the latest round.
 *
 * @param day of the latest round
 * @returns undefined if none is established
 * @see Rules of Handicapping, 5.7
 */
export function lowHandicapIndex(indexes: readonly DatedHandicapIndex[], day: number): number | undefined {
  const inPeriod = findIndexesInPeriod(indexes, day).map(({ index }) => index);
  return inPeriod.length === 0 ? undefined : Math.min(...inPeriod);
}

const softCapFrom = 3 * oneStroke;
const hardCap = 5 * oneStroke;

/**
 * Limits how far a Handicap Index rises above the Low Handicap Index: a rise above 3.0 counts half, and 5.0 is the limit.
 *
 * @see Rules of Handicapping, 5.8
 */
export function capRise(indexes: {
  readonly handicapIndex: number;
  readonly lowHandicapIndex: number;
}): number {
  const { handicapIndex: calculated, lowHandicapIndex: low } = indexes;
  const rise = calculated - low;
  if (rise <= softCapFrom) return calculated;
  return Math.min(roundToTenth(2 * (low + softCapFrom) + rise - softCapFrom, 2), low + hardCap);
}

/** Strokes from which on a score is exceptional, and what it then takes off each Score Differential of the record. */
const exceptional = [
  { below: 10 * oneStroke, reduction: 2 * oneStroke },
  { below: 7 * oneStroke, reduction: oneStroke },
] as const;

/**
 * What an exceptional score takes off every Score Differential of the record, also its own: 1.0 if it is 7.0 or more below the
 * Handicap Index when the round was played, 2.0 if it is 10.0 or more. The Score Differential counts before it is rounded.
 *
 * @see Rules of Handicapping, 5.9
 */
export function exceptionalScoreReduction(
  { numerator, denominator }: Pick<ScoreDifferential, "numerator" | "denominator">,
  handicapIndex: number,
): number {
  const below = handicapIndex * denominator - numerator;
  return exceptional.find((step) => below >= step.below * denominator)?.reduction ?? 0;
}
