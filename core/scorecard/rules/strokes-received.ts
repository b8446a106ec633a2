import { mostHoles, rankOf } from "../../courses/holes.ts";

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

/** The same as `strokesReceived`, by the rank of each hole, 0 the hardest. @param holes how many share the handicap */
export function strokesByRank(handicap: number, ranks: readonly number[], holes = ranks.length): number[] {
  const everywhere = Math.floor(handicap / holes);
  const hardest = handicap - everywhere * holes;
  return ranks.map((rank) => everywhere + (rank < hardest ? 1 : 0));
}

/**
 * Strokes received if the indexes count as they are written, 1 to 18. Many apps do that on nine holes, too, which then
 * get fewer or more strokes than the handicap.
 */
export function strokesByIndex(handicap: number, strokeIndexes: readonly number[]): number[] {
  return strokesByRank(
    handicap,
    strokeIndexes.map((index) => index - 1),
    mostHoles,
  );
}
