/** How many holes a round may have: a tee with another number of them cannot be played for a score. */
export const roundLengths = [9, 18] as const;

/** How many holes a round has. */
export type RoundLength = (typeof roundLengths)[number];

/** The most holes that a round has. @see union-api, Limits */
export const mostHoles: RoundLength = 18;

/** Whether a round may have this many holes; `undefined`, an unknown number, is none. */
export function isRoundLength(holes: number | undefined): holes is RoundLength {
  return (roundLengths as readonly (number | undefined)[]).includes(holes);
}
