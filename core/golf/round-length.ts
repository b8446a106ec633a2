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
