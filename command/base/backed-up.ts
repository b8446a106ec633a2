import { DescribeContinuousBackupsCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { errorLine } from "./error-line.ts";
import type { Target } from "./target.ts";

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

/** From when and to when a table can be restored. */
export interface TableBackup {
  readonly name: BackedUp;
  readonly table: string;
  /** Absent if AWS did not tell. */
  readonly restorable?: boolean;
  readonly from: string;
  readonly to: string;
  /** Why AWS did not tell. */
  readonly unread?: string;
}

/** Asks AWS of each table that cannot be filled again whether it can be restored, and to when. */
export async function readBackups({ outputs, client }: Target): Promise<TableBackup[]> {
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const read = async (name: BackedUp): Promise<TableBackup> => {
    const table = outputs[backedUp[name].output];
    try {
      const asked = new DescribeContinuousBackupsCommand({ TableName: table });
      const { ContinuousBackupsDescription: backups } = await dynamodb.send(asked);
      const recovery = backups?.PointInTimeRecoveryDescription;
      const restorable = recovery?.PointInTimeRecoveryStatus === "ENABLED";
      const from = recovery?.EarliestRestorableDateTime?.toISOString() ?? "";
      return { name, table, restorable, from, to: recovery?.LatestRestorableDateTime?.toISOString() ?? "" };
    } catch (error) {
      return { name, table, from: "", to: "", unread: errorLine(error) };
    }
  };
  return await Promise.all((Object.keys(backedUp) as BackedUp[]).map(read));
}
