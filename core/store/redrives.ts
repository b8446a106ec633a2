import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expiry, number } from "./attributes.ts";
import { batchGet, batchWrite, type Item } from "./batch.ts";
import { partition } from "./scorecard-items.ts";
import type { CardKey } from "./scorecard-table.ts";

/** A note that a card which had been given up was sent on again. Only the operator's redrive writes it. */
export interface Redrive extends CardKey {
  /** The revision that was sent on. */
  readonly revision: string;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
}

/** These notes: one for each card that was ever sent on again, as an item beside the card and its delivery. */
export interface RedriveTable {
  /** In the order of the keys; undefined for a card that was never sent on again. */
  read(keys: readonly CardKey[]): Promise<(Redrive | undefined)[]>;
  /**
   * Writes notes, each in place of its card's last one.
   *
   * @throws TableBusy where some could not be written; the same call may be made again
   */
  put(redrives: readonly Redrive[]): Promise<void>;
}

/** The queue keeps a message for 14 days: after that a note of it is of no more use. */
const keptInQueueDays = 14;

/** The redrives in the table of the scorecards. */
export function redriveTable(table: string, client: DynamoDBClient): RedriveTable {
  return {
    async read(keys) {
      const wanted = [...new Set(keys.map(partition))].map((card) => ({
        card: { S: card },
        item: { S: "redrive" },
      }));
      const found = new Map<string, Item>();
      for (const item of await batchGet(client, table, wanted)) found.set(item.card?.S ?? "", item);
      return keys.map(({ apiSet, externalId }) => {
        const item = found.get(partition({ apiSet, externalId }));
        if (item === undefined) return undefined;
        return { apiSet, externalId, revision: item.revision?.S ?? "", at: Number(item.at?.N) };
      });
    },

    async put(redrives) {
      const items = redrives.map(
        (redrive): Item => ({
          card: { S: partition(redrive) },
          item: { S: "redrive" },
          revision: { S: redrive.revision },
          at: number(redrive.at),
          ...expiry(redrive.at, keptInQueueDays),
        }),
      );
      await batchWrite(client, table, items);
    },
  };
}
