import type { PlayableHole, PlayableTee } from "../../core/smoke-test/playable-tee.ts";
import { type Random, weighted } from "./random.ts";

const oneStroke = 10_000;
const standardSlope = 113;
/** Beginners with a higher Handicap Index play with the strokes of this one. */
const maxHandicapIndex = 54 * oneStroke;

/** Rounds a fraction, halves up. It takes integers, so that every tie is exact. */
const roundHalfUp = (numerator: number, denominator: number) =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

/**
 * The handicaps of a round.
 *
 * @param handicapIndex times 10,000
 * @returns Course Handicap, and Playing Handicap at the 95 % of individual stroke play
 * @see Rules of Handicapping, 6.1a and 6.2a
 */
export function handicapsFor(
  handicapIndex: number,
  tee: PlayableTee,
): { courseHandicap: number; playingHandicap: number } {
  const counted = Math.min(handicapIndex, maxHandicapIndex);
  const unrounded = counted * tee.slope + standardSlope * (tee.rating - tee.par * oneStroke);
  return {
    courseHandicap: roundHalfUp(unrounded, standardSlope * oneStroke),
    playingHandicap: roundHalfUp(unrounded * 95, standardSlope * oneStroke * 100),
  };
}

/**
 * Strokes received on each hole: the same number on every hole, then one more on the hardest holes; a plus handicap gives
 * strokes back from the easiest hole on.
 *
 * @param handicap whole strokes
 */
export function strokesReceived(handicap: number, holes: readonly PlayableHole[]): number[] {
  const everywhere = Math.floor(handicap / holes.length);
  const hardest = handicap - everywhere * holes.length;
  return holes.map(({ index }) => {
    const rank = holes.filter((other) => other.index < index).length;
    return everywhere + (rank < hardest ? 1 : 0);
  });
}

/** Strokes on each hole of a golfer who plays exactly to the handicap: net par. */
export const netPars = (courseHandicap: number, { holes }: PlayableTee): number[] =>
  strokesReceived(courseHandicap, holes).map((received, hole) =>
    Math.max(1, (holes[hole]?.par ?? 0) + received),
  );

/** Probabilities of net strokes over par on a hole: golfers play four or five over their handicap in a round. */
const overPar: readonly [number, number][] = [
  [-2, 0.01],
  [-1, 0.19],
  [0, 0.45],
  [1, 0.25],
  [2, 0.1],
];
const pickedUpShare = 0.1;

/** Strokes on each hole of a round; 0 if the ball was picked up, as some do when the hole gives no points any more. */
export function playHoles(courseHandicap: number, tee: PlayableTee, random: Random): number[] {
  return netPars(courseHandicap, tee).map((netPar) => {
    const over = weighted(overPar, random);
    const gaveUp = random() < pickedUpShare;
    return over === 2 && gaveUp ? 0 : Math.max(1, netPar + over);
  });
}

/** Stableford points on each hole. */
export function pointsFor(strokes: readonly number[], playingHandicap: number, tee: PlayableTee): number[] {
  const received = strokesReceived(playingHandicap, tee.holes);
  return tee.holes.map(({ par }, hole) => {
    const played = strokes[hole] ?? 0;
    return played === 0 ? 0 : Math.max(0, par + 2 + (received[hole] ?? 0) - played);
  });
}

/** Total of the strokes in the union's form: 0 if the ball was picked up on any hole. */
export function totalStrokes(strokes: readonly number[]): number {
  return strokes.includes(0) ? 0 : strokes.reduce((sum, played) => sum + played, 0);
}

/** Adjusted gross score: each hole counts at most net double bogey, and exactly that if the ball was picked up. */
export function netDoubleBogeyGross(
  strokes: readonly number[],
  courseHandicap: number,
  tee: PlayableTee,
): number {
  const received = strokesReceived(courseHandicap, tee.holes);
  return tee.holes.reduce((sum, { par }, hole) => {
    const most = Math.min(par + 5, par + 2 + (received[hole] ?? 0));
    const played = strokes[hole] ?? 0;
    return sum + (played === 0 ? most : Math.min(played, most));
  }, 0);
}
