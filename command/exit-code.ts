/** What the command ends with, for scripts. */
export const exitCode = {
  /** All went well. */
  done: 0,
  /** It was done, but some cards are not as they should be: refused, unknown, not delivered. */
  refused: 1,
  /** It could not be done, or not to the end. */
  unfinished: 2,
} as const;

/** One of the codes. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
