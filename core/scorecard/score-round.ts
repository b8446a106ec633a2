import type { CompleteHoles } from "../courses/tee-numbers.ts";
import { countedStrokes } from "./rules/net-double-bogey.ts";
import { stablefordPoints } from "./rules/stableford.ts";
import { strokesByRank, strokesReceived } from "./rules/strokes-received.ts";

/** A round as it was played. */
export interface PlayedRound {
  /** Pars and stroke indexes, in the order of the strokes. */
  readonly holes: CompleteHoles;
  /** 0 picked up, -1 not played. */
  readonly strokes: readonly number[];
  /** Length of the round; it may include holes that were not played. */
  readonly holesPlayed: number;
  readonly courseHandicap: number;
  readonly playingHandicap: number;
}

/** What follows from a round; each list has one entry per hole. */
export interface WorkedOut {
  /** Strokes received off the Playing Handicap. */
  readonly playingStrokes: readonly number[];
  /** Strokes received off the Course Handicap. */
  readonly courseStrokes: readonly number[];
  readonly points: readonly number[];
  /** What each hole counts for handicapping, -1 where it was not played. */
  readonly counted: readonly number[];
  /** Undefined where holes of the round were not played: how those count is for the WHS server to say. */
  readonly netDoubleBogeyGross: number | undefined;
}

/** Works out what follows from a round. @see Rules of Handicapping, 3.1 and appendix E; Rules of Golf, 21.1 */
export function scoreRound(round: PlayedRound): WorkedOut {
  const { holes, strokes, holesPlayed, courseHandicap, playingHandicap } = round;
  const nine = nineOfEighteen(strokes, holesPlayed);
  const received = (handicap: number) =>
    nine === undefined ? strokesByRank(handicap, holes.ranks) : strokesOnNine(handicap, holes.indexes, nine);
  const courseStrokes = received(courseHandicap);
  const playingStrokes = playingHandicap === courseHandicap ? courseStrokes : received(playingHandicap);
  const points: number[] = [];
  const counted: number[] = [];
  let played = 0;
  let gross = 0;
  for (const [hole, par] of holes.pars.entries()) {
    const taken = strokes[hole] ?? -1;
    points.push(stablefordPoints(par, playingStrokes[hole] ?? 0, taken));
    const counts = taken === -1 ? -1 : countedStrokes(par, courseStrokes[hole], taken);
    counted.push(counts);
    if (taken !== -1) {
      played++;
      gross += counts;
    }
  }
  const netDoubleBogeyGross = played === holesPlayed ? gross : undefined;
  return { playingStrokes, courseStrokes, points, counted, netDoubleBogeyGross };
}

/** How many holes were played, those with a pick-up included. */
export function playedHoles(strokes: readonly number[]): number {
  return strokes.filter((taken) => taken !== -1).length;
}

/** Whether a round was over nine holes of a course that has eighteen, however many of the nine were played. */
export function isNineOfEighteen(strokes: readonly number[], holesPlayed: number): boolean {
  return holesPlayed === 9 && strokes.length === 18;
}

/**
 * The places, from 0, of the holes of a nine-hole round on an eighteen-hole course: the nine that were played or,
 * where fewer were, the half of the course that they all lie in.
 *
 * @returns undefined for any other round, and where the holes lie in both halves
 */
export function nineOfEighteen(
  strokes: readonly number[],
  holesPlayed: number,
): readonly number[] | undefined {
  if (!isNineOfEighteen(strokes, holesPlayed)) return undefined;
  const places = [...strokes.keys()];
  const played = places.filter((place) => strokes[place] !== -1);
  if (played.length === 9) return played;
  const half = places.slice(0, 9).includes(played[0] ?? 0) ? places.slice(0, 9) : places.slice(9);
  return played.every((place) => half.includes(place)) ? half : undefined;
}

/** Strokes received on nine holes of eighteen, by the rank of each among the nine; none on the other holes. */
function strokesOnNine(handicap: number, indexes: readonly number[], nine: readonly number[]): number[] {
  const received = indexes.map(() => 0);
  const onNine = strokesReceived(
    handicap,
    nine.map((place) => indexes[place] ?? 0),
  );
  nine.forEach((place, rank) => {
    received[place] = onNine[rank] ?? 0;
  });
  return received;
}
