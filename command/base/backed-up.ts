/** A table whose data exists nowhere else. */
interface BackedUpTable {
  /** The stack's output with the table's name. */
  readonly output: "ScorecardTableName" | "AccountTableName" | "WebhookTableName" | "ActivityTableName";
  /** The attributes of the table's key, the partition key first. */
  readonly key: readonly [string, ...string[]];
}

/** The tables whose data exists nowhere else; `webhooks` has the endpoints with their signing secrets. */
export const backedUp = {
  cards: { output: "ScorecardTableName", key: ["id"] },
  accounts: { output: "AccountTableName", key: ["username"] },
  webhooks: { output: "WebhookTableName", key: ["apiSet", "id"] },
  counts: { output: "ActivityTableName", key: ["apiSet", "at"] },
} as const satisfies Record<string, BackedUpTable>;

/** The kind of data in a restored table. */
export type BackedUp = keyof typeof backedUp;
