/** The tables whose data exists nowhere else: the stack's output with the table's name, and the table's key. */
export const backedUp = {
  cards: { output: "ScorecardTableName", key: "id" },
  accounts: { output: "AccountTableName", key: "username" },
} as const;

/** The kind of data in a restored table. */
export type BackedUp = keyof typeof backedUp;
