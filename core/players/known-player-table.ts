import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { batchGet, conditionalWrites, number } from "../aws/batch.ts";
import { keyedDigest } from "../formats/keyed-digest.ts";
import type { PlayerJudgement } from "../golf/member-warnings.ts";

/** The union's last answer about a player. */
export interface KnownPlayer {
  /** The day, e.g. `2026-07-04`, UTC. */
  readonly asOf: string;
  readonly judgement: PlayerJudgement;
}

/** The players whom the union was found to know before. */
export interface RecalledPlayers {
  /** By UnionID, those that the union knew when it was asked in the last 30 days. */
  readonly known: ReadonlyMap<string, KnownPlayer>;
  /** Remembers those of the players that the union has just said it knows. @throws TableBatchError */
  readonly remember: (found: ReadonlyMap<string, PlayerJudgement>) => Promise<void>;
}

/** Recalls which of these UnionIDs, without repeats, the union knows. @throws TableBatchError */
export type RecallPlayers = (unionIds: readonly string[]) => Promise<RecalledPlayers>;

const rememberedSeconds = 30 * 86_400;

/**
 * Remembers the players whom the union knows, in the table of cards: one item a player, with the time after which it counts no
 * longer, and what the union said that concerns the next cards, too.
 *
 * An item's key is a keyed hash of the UnionID. It has no number and no name of the person.
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
    const stored = new Map(items.map((item) => [item.id?.S, item]));
    const itemOf = (unionId: string) => stored.get(ids.get(unionId));
    const seconds = Math.floor(now().getTime() / 1000);
    return {
      known: new Map(
        unionIds.flatMap((unionId) => {
          const item = itemOf(unionId);
          const expiresAt = Number(item?.expiresAt?.N ?? 0);
          // DynamoDB removes an expired item within days.
          if (expiresAt <= seconds) return [];
          const asOf = new Date(1000 * (expiresAt - rememberedSeconds)).toISOString().slice(0, 10);
          return [[unionId, { asOf, judgement: JSON.parse(item?.judgement?.S ?? "{}") as PlayerJudgement }]];
        }),
      ),
      async remember(found) {
        const once = new Map(
          [...found].map(([unionId, judgement]) => [ids.get(unionId), { unionId, judgement }]),
        );
        const writes = [...once.values()].map(({ unionId, judgement }) => {
          const expired = itemOf(unionId)?.expiresAt;
          return {
            key: keyOf(unionId),
            expects: expired && { expiresAt: [expired] },
            set: {
              expiresAt: number(seconds + rememberedSeconds),
              judgement: { S: JSON.stringify(judgement) },
            },
          };
        });
        await conditionalWrites(client, table, writes);
      },
    };
  };
}
