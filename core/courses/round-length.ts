/** How many holes a round may have, and so a tee that it is played from. @see union-api, Limits */
export const roundLengths = [9, 18] as const;

/** How many holes a round has. */
export type RoundLength = (typeof roundLengths)[number];

/** The most holes that a round has. */
export const mostHoles: RoundLength = 18;

/** Whether a round may have this many holes; false where the number is not known. */
export function isRoundLength(holes: number | undefined): holes is RoundLength {
  return (roundLengths as readonly (number | undefined)[]).includes(holes);
}
