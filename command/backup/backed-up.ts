/** The data that cannot be filled again from elsewhere: the output with its table's name, and the table's key. */
export const backedUp = {
  cards: { output: "ScorecardTableName", key: "id" },
  accounts: { output: "AccountTableName", key: "username" },
} as const;

/** What a restored table holds. */
export type BackedUp = keyof typeof backedUp;
