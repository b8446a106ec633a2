/** Least and greatest figures of a hole; beyond them a number is a mistake, of a card or of the register. */
export const holeBounds = {
  number: [1, 99],
  par: [1, 9],
  strokeIndex: [1, 99],
  /** Metres. */
  length: [0, 9_999],
} as const satisfies Record<string, readonly [least: number, most: number]>;

/** A value if it is a whole number within bounds, else undefined. */
export function figureWithin(
  [least, most]: readonly [least: number, most: number],
  value: unknown,
): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
    ? Number(value)
    : undefined;
}

/** How many holes a round, and so a tee, may have. @see union-api, Limits */
export const roundLengths = [9, 18] as const;

/** How many holes a round has. */
export type RoundLength = (typeof roundLengths)[number];

/** The most holes that a round has. */
export const mostHoles: RoundLength = 18;

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
