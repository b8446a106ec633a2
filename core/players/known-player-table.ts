import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { batchGet, conditionalWrites, number } from "../aws/batch.ts";
import { keyedDigest } from "../formats/keyed-digest.ts";

/** The players whom the union was found to know before. */
export interface RecalledPlayers {
  /** UnionIDs that the union knew when it was asked in the last 30 days. */
  readonly known: ReadonlySet<string>;
  /** Remembers those of the players that the union has just said it knows. @throws TableBatchError */
  readonly remember: (unionIds: readonly string[]) => Promise<void>;
}

/** Recalls which of these UnionIDs, without repeats, the union knows. @throws TableBatchError */
export type RecallPlayers = (unionIds: readonly string[]) => Promise<RecalledPlayers>;

const rememberedSeconds = 30 * 86_400;

/**
 * Remembers the players whom the union knows, in the table of cards: one item a player, with the time after which it counts no
 * longer.
 *
 * An item's key is a keyed hash of the UnionID.
 *
 * @param hashKey the secret of the hash; with another one, nobody is remembered
 */
export function playerRecall(
  table: string,
  client: DynamoDBClient,
  hashKey: () => Promise<string>,
  now: () => Date,
): RecallPlayers {
  return async (unionIds) => {
    const secret = await hashKey();
    const ids = new Map(unionIds.map((unionId) => [unionId, keyedDigest(secret, "knownPlayer", unionId)]));
    const keyOf = (unionId: string) => ({ id: { S: ids.get(unionId) ?? "" } });
    const items = await batchGet(
      client,
      table,
      [...new Set(ids.values())].map((id) => ({ id: { S: id } })),
    );
    const expiries = new Map(items.map(({ id, expiresAt }) => [id?.S, expiresAt]));
    const expiryOf = (unionId: string) => expiries.get(ids.get(unionId));
    const seconds = Math.floor(now().getTime() / 1000);
    return {
      // DynamoDB removes an expired item within days.
      known: new Set(unionIds.filter((unionId) => Number(expiryOf(unionId)?.N ?? 0) > seconds)),
      async remember(found) {
        const once = new Map(found.map((unionId) => [ids.get(unionId), unionId]));
        const writes = [...once.values()].map((unionId) => {
          const expired = expiryOf(unionId);
          return {
            key: keyOf(unionId),
            expects: expired && { expiresAt: [expired] },
            set: { expiresAt: number(seconds + rememberedSeconds) },
          };
        });
        await conditionalWrites(client, table, writes);
      },
    };
  };
}
