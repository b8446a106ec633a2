import { strokesReceived } from "./appendix-e.ts";
import type { Worked } from "./worked.ts";

/** Highest score of a hole over par, whatever strokes are received on it. */
const maxOverPar = 5;

/**
 * The most that one hole counts for handicapping: net double bogey, and never more than par + 5.
 *
 * @param received strokes received off the Course Handicap; undefined if the player has no Handicap Index yet
 * @see Rules of Handicapping, 3.1
 */
export function netDoubleBogey(par: number, received: number | undefined): number {
  return received === undefined ? par + maxOverPar : Math.min(par + maxOverPar, par + 2 + received);
}

/**
 * What a hole that was begun counts for handicapping.
 *
 * @param strokes 0 picked up: the most that the hole counts
 * @see Rules of Handicapping, 3.1 and 3.3
 */
export function countedStrokes(par: number, received: number | undefined, strokes: number): number {
  const most = netDoubleBogey(par, received);
  return strokes === 0 ? most : Math.min(strokes, most);
}

/** A round of which the Adjusted Gross Score is asked; each list has one entry per hole. */
export interface RoundToAdjust {
  readonly pars: readonly number[];
  readonly strokeIndexes: readonly number[];
  /** 0 picked up, -1 not played. */
  readonly strokes: readonly number[];
  /** Of these holes; null if the player has no Handicap Index yet. */
  readonly courseHandicap: number | null;
}

/**
 * The Adjusted Gross Score of the holes played: each counts at most net double bogey, and so does one picked up.
 *
 * @see Rules of Handicapping, 3.1 and 3.3
 */
export function adjustedGrossScore(round: RoundToAdjust): Worked {
  const { pars, strokeIndexes, strokes, courseHandicap } = round;
  const received = courseHandicap === null ? [] : strokesReceived(courseHandicap, strokeIndexes);
  const counted = strokes.flatMap((taken, hole) =>
    taken === -1 ? [] : [countedStrokes(pars[hole] ?? 0, received[hole], taken)],
  );
  const value = counted.reduce((sum, strokes) => sum + strokes, 0);
  return { value, working: () => `${counted.join(" + ")} = ${value}` };
}
