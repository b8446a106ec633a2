import type { SeededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import {
  adjustedGrossScore,
  countedHandicapIndex,
  courseHandicap,
  handicapAllowances,
  playingHandicap,
  stablefordPoints,
  strokesReceived as strokesByRule,
} from "@scorecard-pipeline/whs";
import type { PlayableHole, PlayableTee } from "../../core/smoke-test/playable-tee.ts";

const [allowance] = handicapAllowances.individualStrokePlay;

/**
 * The handicaps of a round of individual stroke play.
 *
 * @param handicapIndex times 10,000
 * @see Rules of Handicapping, 6.1a and 6.2a
 */
export function handicapsFor(
  handicapIndex: number,
  { slope, rating, par }: PlayableTee,
): { courseHandicap: number; playingHandicap: number } {
  const figures = { handicapIndex: countedHandicapIndex(handicapIndex), slope, rating, par };
  return {
    courseHandicap: courseHandicap(figures).value,
    playingHandicap: playingHandicap({ ...figures, allowance }).value,
  };
}

const strokeIndexesOf = (holes: readonly PlayableHole[]) => holes.map(({ index }) => index);

/** Strokes received on each hole. @param handicap whole strokes */
export const strokesReceived = (handicap: number, holes: readonly PlayableHole[]): number[] =>
  strokesByRule(handicap, strokeIndexesOf(holes));

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
export function playHoles(courseHandicap: number, tee: PlayableTee, random: SeededRandom): number[] {
  return netPars(courseHandicap, tee).map((netPar) => {
    const over = random.weighted(overPar);
    const gaveUp = random.chance(pickedUpShare);
    return over === 2 && gaveUp ? 0 : Math.max(1, netPar + over);
  });
}

/** Stableford points on each hole. */
export function pointsFor(strokes: readonly number[], playingHandicap: number, tee: PlayableTee): number[] {
  const received = strokesReceived(playingHandicap, tee.holes);
  return tee.holes.map(({ par }, hole) => stablefordPoints(par, received[hole] ?? 0, strokes[hole] ?? 0));
}

/** Total of the strokes in the union's form: 0 if the ball was picked up on any hole. */
export function totalStrokes(strokes: readonly number[]): number {
  return strokes.includes(0) ? 0 : strokes.reduce((sum, played) => sum + played, 0);
}

/** The Adjusted Gross Score. */
export const netDoubleBogeyGross = (
  strokes: readonly number[],
  courseHandicap: number,
  { holes }: PlayableTee,
): number =>
  adjustedGrossScore({
    pars: holes.map(({ par }) => par),
    strokeIndexes: strokeIndexesOf(holes),
    strokes,
    courseHandicap,
  }).value;
