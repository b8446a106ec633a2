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

/** The place of the first hole whose stroke index an earlier hole has, too; undefined where no index is repeated. */
export function repeatedIndex(strokeIndexes: readonly (number | undefined)[]): number | undefined {
  const place = strokeIndexes.findIndex(
    (index, hole) => index !== undefined && strokeIndexes.indexOf(index) < hole,
  );
  return place === -1 ? undefined : place;
}

/** Whether a stroke index is on more than one hole: then it cannot be told which of them has it. */
export function isRepeated(
  index: number | undefined,
  strokeIndexes: readonly (number | undefined)[],
): boolean {
  return strokeIndexes.indexOf(index) !== strokeIndexes.lastIndexOf(index);
}
