import {
  countedStrokes,
  playingHandicapBounds,
  stablefordPoints,
  strokesByRank,
  strokesReceived,
} from "@scorecard-pipeline/whs";
import type { ReadableCard } from "./scorecard.ts";
import { type CompleteHoles, holeBounds, isRoundLength, maxHoles } from "./tee-numbers.ts";

/** A round as it was played. */
export interface RoundToScore {
  /** Pars and stroke indexes, in the order of the strokes. */
  readonly holes: CompleteHoles;
  /** 0 picked up, -1 not played. */
  readonly strokes: readonly number[];
  /** Length of the round; it may include holes that were not played. */
  readonly holesPlayed: number;
  readonly courseHandicap: number;
  readonly playingHandicap: number;
}

/** Strokes received, points and counted strokes of a round; each list has one entry per hole. */
export interface RoundScore {
  /** Strokes received off the Playing Handicap. */
  readonly playingStrokes: readonly number[];
  /** Strokes received off the Course Handicap. */
  readonly courseStrokes: readonly number[];
  readonly points: readonly number[];
  /** Strokes that the holes played count for handicapping. */
  readonly gross: number;
  /** Undefined unless 9 or 18 holes were played, all of the round: the WHS server decides how other holes count. */
  readonly netDoubleBogeyGross: number | undefined;
}

/** Scores a round. @see Rules of Handicapping, 3.1 and appendix E; Rules of Golf, 21.1 */
export function scoreRound(round: RoundToScore): RoundScore {
  const { holes, strokes, holesPlayed, courseHandicap, playingHandicap } = round;
  const received = allocationByRule(round);
  const courseStrokes = received(courseHandicap);
  const playingStrokes = playingHandicap === courseHandicap ? courseStrokes : received(playingHandicap);
  const points: number[] = [];
  let played = 0;
  let gross = 0;
  let hole = 0;
  for (const par of holes.pars) {
    const taken = strokes[hole] ?? -1;
    points.push(stablefordPoints(par, playingStrokes[hole] ?? 0, taken));
    if (taken !== -1) {
      played++;
      gross += countedStrokes(par, courseStrokes[hole], taken);
    }
    hole++;
  }
  const netDoubleBogeyGross = played === holesPlayed && isRoundLength(played) ? gross : undefined;
  return { playingStrokes, courseStrokes, points, gross, netDoubleBogeyGross };
}

/** The strokes received on each hole of a round off a handicap, by the rule. */
function allocationByRule({ holes, strokes, holesPlayed }: RoundToScore): (handicap: number) => number[] {
  const nine = nineOfEighteen(strokes, holesPlayed);
  return nine === undefined
    ? (handicap) => strokesByRank(handicap, holes.ranks)
    : (handicap) => strokesOnNine(handicap, holes.indexes, nine);
}

/** Whether a round was over nine holes of a course that has eighteen, however many of the nine were played. */
export function isNineOfEighteen(strokes: readonly number[], holesPlayed: number): boolean {
  return holesPlayed === 9 && strokes.length === 18;
}

/**
 * The places, from 0, of the holes of a nine-hole round on an eighteen-hole course: the first nine, the last nine, or those
 * that were played. If fewer than nine were played and some are of each half, the holes that follow the last of them are
 * taken for the others.
 *
 * @returns undefined for any other round, and if more than nine holes were played
 */
export function nineOfEighteen(
  strokes: readonly number[],
  holesPlayed: number,
): readonly number[] | undefined {
  if (!isNineOfEighteen(strokes, holesPlayed)) return undefined;
  const isPlayed = (taken: number) => taken !== -1;
  const [front, back] = [strokes.slice(0, 9).some(isPlayed), strokes.slice(9).some(isPlayed)];
  if (!front || !back) return Array.from({ length: 9 }, (_, hole) => (front ? hole : 9 + hole));
  const played = strokes.flatMap((taken, place) => (isPlayed(taken) ? [place] : []));
  const last = played.at(-1) ?? 0;
  const following = strokes.map((_, hole) => (last + hole) % strokes.length);
  const nine = new Set(played);
  for (const place of following) if (nine.size < 9) nine.add(place);
  return nine.size === 9 ? [...nine].sort((one, other) => one - other) : undefined;
}

/** How many holes were played, those with a pick-up included. */
export function playedHoles(strokes: readonly number[]): number {
  let played = 0;
  for (const taken of strokes) if (taken !== -1) played++;
  return played;
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

/** How the strokes that a player receives are spread over the holes, and the points that follow. */
export interface Allocation {
  /** The Playing Handicap that they come from. */
  readonly handicap: number;
  /** Strokes received on each hole. */
  readonly strokes: readonly number[];
  /** Strokes received by the rule; other than `strokes` if the card has its own. */
  readonly ruled: readonly number[];
  /** Points on each hole. */
  readonly points: readonly number[];
}

/**
 * The one Playing Handicap of a card, with the strokes received and the points of each hole: the card's PHCP; without that, the
 * one that explains its points; else the Course Handicap.
 *
 * Points may come from another allocation, or from a format with another Playing Handicap: 95 or 85 % of the Course Handicap,
 * none in gross Stableford, no points in stroke play (Rules of Handicapping, appendix C). The card's own SPH may explain them, or
 * the Playing Handicap next to the Course Handicap, if the card has no PHCP. One stroke less changes a total by one at most, so
 * there is one for every total up to the highest. If the card has a PHCP, or counts nine holes by the stroke indexes as they are
 * written, its handicap and strokes stay, and only the points add up to its total: a card that was filled in is taken again.
 */
export function allocationOf(
  { Course, Result, PHCP }: ReadableCard,
  round: RoundToScore,
  { playingStrokes, points }: RoundScore,
): Allocation {
  const { Points, TotalPoints } = Result;
  const { playingHandicap } = round;
  const byRule = {
    handicap: playingHandicap,
    strokes: playingStrokes,
    ruled: playingStrokes,
    points: Points ?? points,
  };
  const total = Points === undefined ? TotalPoints : sum(Points);
  if (total === undefined && PHCP === undefined) return allocatedBy(Course.Holes, round) ?? byRule;
  const ofRule = sum(points);
  if (total === undefined || total === ofRule) return byRule;
  if (total === ofRule + pointsOfHolesNotPlayed(round.strokes)) return byRule;
  const explains = ({ points }: Allocation) =>
    Points === undefined ? sum(points) === total : points.every((ofHole, hole) => ofHole === Points[hole]);
  const own = playingStrokes.map((received, hole) => Course.Holes?.[hole]?.SPH ?? received);
  const received = allocationByRule(round);
  const ofOwn = allocated(PHCP ?? sum(own), own, round);
  if (explains(ofOwn)) return { ...ofOwn, ruled: received(ofOwn.handicap) };
  let found = allocated(playingHandicap, strokesAsWritten(round), round);
  if (explains(found)) return { ...byRule, points: found.points };
  const step = total < ofRule ? -1 : 1;
  const last = step < 0 ? -maxPointsOfHole * round.strokes.length : maxHandicap(round);
  for (let handicap = playingHandicap; handicap * step <= last * step; handicap += step) {
    found = allocated(handicap, received(handicap), round);
    if (explains(found)) break;
  }
  // Only a plus player gives strokes back: for a format without strokes, the points alone come from a lower handicap.
  const isFormats = PHCP === undefined && explains(found) && found.handicap >= Math.min(0, playingHandicap);
  if (isFormats) return found;
  return Points === undefined ? { ...byRule, points: found.points } : byRule;
}

/** The allocation of the Playing Handicap that a card's SPH add up to, if the rule gives them; a card may bring no other sign of it. */
function allocatedBy(holes: ReadableCard["Course"]["Holes"], round: RoundToScore): Allocation | undefined {
  const own = holes?.flatMap(({ SPH }) => SPH ?? []);
  if (own?.length !== round.strokes.length || sum(own) === round.playingHandicap) return undefined;
  const [least, most] = playingHandicapBounds(round.courseHandicap, own.length);
  if (sum(own) < least || sum(own) > most) return undefined;
  const received = allocationByRule(round);
  const isSame = (strokes: readonly number[]) => strokes.every((one, hole) => one === own[hole]);
  // Some programs cut the strokes of a hole at one or two.
  const isCut = isSame(received(round.playingHandicap).map((strokes) => Math.min(strokes, Math.max(...own))));
  return !isCut && isSame(received(sum(own))) ? allocated(sum(own), own, round) : undefined;
}

/** Points of a hole in one without strokes received: with as many strokes given back, a hole has no points. */
const maxPointsOfHole = holeBounds.par[1] + 2;

/** The highest handicap of any format. */
const maxHandicap = ({ courseHandicap, playingHandicap, strokes }: RoundToScore) =>
  Math.max(playingHandicap, playingHandicapBounds(courseHandicap, strokes.length)[1]);

/** The most points that the strokes of a round give in any format. */
export function maxPointsOf(round: RoundToScore): number {
  return sum(pointsWith(allocationByRule(round)(maxHandicap(round)), round));
}

/** The most points that a format gives for the holes that were not played: two for net par on each. */
export const pointsOfHolesNotPlayed = (strokes: readonly number[]): number =>
  2 * (strokes.length - playedHoles(strokes));

const allocated = (handicap: number, strokes: readonly number[], round: RoundToScore): Allocation => ({
  handicap,
  strokes,
  ruled: strokes,
  points: pointsWith(strokes, round),
});

function pointsWith(received: readonly number[], { holes, strokes }: RoundToScore): number[] {
  return holes.pars.map((par, hole) => stablefordPoints(par, received[hole] ?? 0, strokes[hole] ?? -1));
}

/**
 * Strokes received if the indexes count as they are written, 1 to 18. Many apps do that on nine holes, too, which then get fewer or more
 * strokes than the handicap.
 */
function strokesAsWritten({ holes, strokes, holesPlayed, playingHandicap }: RoundToScore): number[] {
  const nine = nineOfEighteen(strokes, holesPlayed);
  const ranks = holes.indexes.map((index) => index - 1);
  return strokesByRank(playingHandicap, ranks, maxHoles).map((received, hole) =>
    nine === undefined || nine.includes(hole) ? received : 0,
  );
}

/** The sum of a list. */
export function sum(list: readonly number[]): number {
  let total = 0;
  for (const entry of list) total += entry;
  return total;
}

/** TotalStrokes by the Strokes: 0 after any pick-up; holes not played do not count. @see union-api, Scorecard.Result */
export function totalStrokes(strokes: readonly number[]): number {
  let total = 0;
  for (const taken of strokes) {
    if (taken === 0) return 0;
    if (taken > 0) total += taken;
  }
  return total;
}
