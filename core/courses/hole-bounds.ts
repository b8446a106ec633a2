/** Least and greatest figures of a hole; beyond them a number is a mistake, of a card or of the register. */
export const holeBounds = {
  number: [1, 99],
  par: [1, 9],
  strokeIndex: [1, 99],
  /** Metres. */
  length: [0, 9_999],
} as const satisfies Record<string, readonly [least: number, most: number]>;

/** The figure that a value is, where it is one within its bounds. */
export function figureWithin(
  [least, most]: readonly [least: number, most: number],
  value: unknown,
): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
    ? Number(value)
    : undefined;
}
