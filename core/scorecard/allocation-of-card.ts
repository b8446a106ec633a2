import { stablefordPoints } from "./rules/stableford.ts";
import { strokesByIndex } from "./rules/strokes-received.ts";
import { nineOfEighteen, type PlayedRound, type WorkedOut } from "./score-round.ts";
import type { ReadableCard } from "./scorecard.ts";
import { sum } from "./totals.ts";

/** Where the strokes that a player received count, and what they make of the round. */
export interface Allocation {
  /** Strokes received on each hole off the Playing Handicap. */
  readonly strokes: readonly number[];
  /** Points on each hole. */
  readonly points: readonly number[];
}

/**
 * The strokes received and the points of each hole, by the rules; or the card's own points, where it has them.
 *
 * A vendor may allocate strokes in another way and send TotalPoints, but no Points. Then they are those of the way that
 * comes to TotalPoints: the card's own SPH or, on nine holes, the stroke indexes as they are written.
 */
export function allocationOf(
  { Course, Result }: ReadableCard,
  round: PlayedRound,
  { playingStrokes, points }: WorkedOut,
): Allocation {
  const byRule = { strokes: playingStrokes, points };
  const { Points, TotalPoints } = Result;
  if (Points !== undefined) return { ...byRule, points: Points };
  if (TotalPoints === undefined || TotalPoints === sum(points)) return byRule;
  const own = playingStrokes.map((received, hole) => Course.Holes?.[hole]?.SPH ?? received);
  const others = [own, strokesAsWritten(round)].map((strokes) => ({
    strokes,
    points: pointsWith(strokes, round),
  }));
  return others.find((other) => sum(other.points) === TotalPoints) ?? byRule;
}

function pointsWith(received: readonly number[], { holes, strokes }: PlayedRound): number[] {
  return holes.pars.map((par, hole) => stablefordPoints(par, received[hole] ?? 0, strokes[hole] ?? -1));
}

/** Strokes received on nine holes by their indexes as they are written; of eighteen those are the ranks. */
function strokesAsWritten({ holes, strokes, holesPlayed, playingHandicap }: PlayedRound): number[] {
  const nine = nineOfEighteen(strokes, holesPlayed);
  return strokesByIndex(playingHandicap, holes.indexes).map((received, hole) =>
    nine === undefined || nine.includes(hole) ? received : 0,
  );
}
