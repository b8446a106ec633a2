/**
 * The rank of each hole by its stroke index, 0 the hardest.
 *
 * Nine holes may be indexed 1 to 9, with odd numbers only or with even ones only: only the order counts.
 *
 * @param strokeIndexes one per hole, no repeats
 * @see Rules of Handicapping, appendix E
 */
export function rankHoles(strokeIndexes: readonly number[]): number[] {
  return strokeIndexes.map((index) => {
    let rank = 0;
    for (const other of strokeIndexes) if (other < index) rank++;
    return rank;
  });
}

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
  return strokesByRank(handicap, rankHoles(strokeIndexes));
}

/** The same as `strokesReceived`, by the rank of each hole, 0 the hardest. @param holes how many share the handicap */
export function strokesByRank(handicap: number, ranks: readonly number[], holes = ranks.length): number[] {
  const everywhere = Math.floor(handicap / holes);
  const hardest = handicap - everywhere * holes;
  return ranks.map((rank) => everywhere + (rank < hardest ? 1 : 0));
}
