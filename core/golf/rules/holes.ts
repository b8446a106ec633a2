/** How many holes a round, and so a tee, may have. @see union-api, Limits */
export const roundLengths = [9, 18] as const;

/** How many holes a round has. */
export type RoundLength = (typeof roundLengths)[number];

/** The most holes that a round has. */
export const maxHoles: RoundLength = 18;

/** Whether a round may have this many holes; false if the number is not known. */
export function isRoundLength(holes: number | undefined): holes is RoundLength {
  return (roundLengths as readonly (number | undefined)[]).includes(holes);
}

/**
 * The rank of each hole by its stroke index, 0 the hardest.
 *
 * Nine holes may be indexed 1 to 9, with odd numbers only or with even ones only: only the order counts.
 *
 * @param strokeIndexes one per hole, no repeats
 */
export function rankOf(strokeIndexes: readonly number[]): number[] {
  return strokeIndexes.map((index) => strokeIndexes.filter((other) => other < index).length);
}

/** The place of the first hole whose stroke index an earlier hole has, too; undefined if no index is repeated. */
export function repeatedIndex(strokeIndexes: readonly (number | undefined)[]): number | undefined {
  const place = strokeIndexes.findIndex(
    (index, hole) => index !== undefined && strokeIndexes.indexOf(index) < hole,
  );
  return place === -1 ? undefined : place;
}

/** Whether a stroke index is on more than one hole: then it is not known which of them has it. */
export function isRepeated(
  index: number | undefined,
  strokeIndexes: readonly (number | undefined)[],
): boolean {
  return strokeIndexes.indexOf(index) !== strokeIndexes.lastIndexOf(index);
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
    maxHoles,
  );
}

/**
 * The most that one hole counts for handicapping: net double bogey, and never more than par + 5.
 *
 * @param received strokes received off the Course Handicap; undefined if the player has no Handicap Index yet
 * @see Rules of Handicapping, 3.1
 */
export function netDoubleBogey(par: number, received: number | undefined): number {
  return received === undefined ? par + 5 : Math.min(par + 5, par + 2 + received);
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

/**
 * Stableford points on one hole: 2 for net par, one more for each stroke better, one less for each worse, never
 * below 0.
 *
 * @param received strokes received off the Playing Handicap
 * @param strokes 0 picked up, -1 not played: no points
 * @see Rules of Golf, 21.1b
 */
export function stablefordPoints(par: number, received: number, strokes: number): number {
  return strokes <= 0 ? 0 : Math.max(0, par + 2 + received - strokes);
}
