/** What one submission may hold. @see README, Limits */
export const submissionLimits = {
  cards: 1000,
  bytes: 5 * 1024 * 1024,
} as const;
