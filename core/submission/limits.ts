/** What one submission may hold. @see README, Limits */
export const submissionLimits = {
  cards: 1000,
  bytes: 5 * 1024 * 1024,
  /** Of the answer, which echoes the cards with all that was derived: Lambda answers no more than 6 MB, escaped. */
  answerBytes: 5.4 * 1024 * 1024,
} as const;
