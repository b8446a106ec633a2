import { rankOf } from "../../course/stroke-index.ts";

/**
 * Strokes received on each hole.
 *
 * Whole rounds of the holes first, then one more on the hardest holes; a plus handicap (negative) gives
 * strokes back from the easiest hole on.
 *
 * @param handicap Course or Playing Handicap, whole strokes
 * @param strokeIndexes stroke index per hole in playing order, 1 the hardest, no repeats
 * @returns strokes per hole in the same order; their sum is `handicap`
 * @see Rules of Handicapping, appendix E
 */
export function strokesReceived(handicap: number, strokeIndexes: readonly number[]): number[] {
  return strokesByRank(handicap, rankOf(strokeIndexes));
}

/** The same as `strokesReceived`, from the rank of each hole, 0 the hardest. */
export function strokesByRank(handicap: number, ranks: readonly number[]): number[] {
  const everywhere = Math.floor(handicap / ranks.length);
  const hardest = handicap - everywhere * ranks.length;
  return ranks.map((rank) => everywhere + (rank < hardest ? 1 : 0));
}
