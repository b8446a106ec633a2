import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../accounts/account.ts";
import { batchWrite, type Item, number } from "../aws/batch.ts";
import { queryAll, queryPage } from "../aws/read-items.ts";
import { nextLookAt, type RecordCheckTiming } from "./check-timing.ts";
import type { DeliveredCards } from "./deliveries.ts";

/** Cards of a vendor that are due to be looked for in the players' records. Times in milliseconds since 1970, UTC. */
export interface DueCards {
  /** Names the batch of deliveries that they are from. */
  readonly batch: string;
  readonly apiSet: ApiSet;
  /** When the last of them was delivered. */
  readonly since: number;
  readonly dueAt: number;
  readonly externalIds: readonly string[];
}

/*
 * The activity table has these lists too, in a partition of their own: no API set has a colon. Their sort keys begin with the time
 * that they are due at.
 */
const partition = "records:";
const sortKey = (at: number, batch = "") => `${new Date(at).toISOString()}#${batch}`;
const keyOf = (dueAt: number, batch: string): Item => ({
  apiSet: { S: partition },
  at: { S: sortKey(dueAt, batch) },
});

/** Lists that were not worked through within two weeks are deleted. */
const keptSeconds = 14 * 86_400;

const toItem = ({ batch, apiSet, since, dueAt, externalIds }: DueCards, { last }: RecordCheckTiming) => ({
  ...keyOf(dueAt, batch),
  vendor: { S: apiSet },
  since: number(since),
  externalIds: { S: JSON.stringify(externalIds) },
  expiresAt: number(Math.ceil((since + last) / 1000) + keptSeconds),
});

/** Has delivered cards looked for. A batch that comes again replaces its list. @param shardId of the stream that they are from */
export type ScheduleChecks = (deliveries: readonly DeliveredCards[], shardId: string) => Promise<void>;

/** Lists delivered cards in a DynamoDB table, due when they are looked for first. */
export function recordCheckScheduler(
  table: string,
  client: DynamoDBClient,
  timing: RecordCheckTiming,
): ScheduleChecks {
  return async (deliveries, shardId) => {
    const items = deliveries.map(({ sequenceNumber, ...cards }) => {
      const dueAt = nextLookAt(cards.since, cards.since, timing);
      return toItem({ ...cards, dueAt, batch: `${cards.apiSet}#${sequenceNumber}#${shardId}` }, timing);
    });
    await batchWrite(client, table, items);
  };
}

/** The cards that are to be looked for in the players' records. */
export interface RecordCheckLists {
  /** Lists that are due, the oldest first. @param after the last of the page before */
  due(now: number, after?: DueCards): Promise<DueCards[]>;
  /**
   * Replaces lists that were worked through by what is left of them.
   *
   * @throws TableBatchError: some may not be replaced, and their cards are looked for once more
   */
  replace(done: readonly DueCards[], left: readonly DueCards[]): Promise<void>;
  /** When the union last gave a record, in milliseconds since 1970, UTC; 0 if it never has. */
  recordGivenAt(): Promise<number>;
  /** Stores that the union has given a record. */
  recordGiven(at: number): Promise<void>;
}

/** The item with the time of the union's last record. Its key sorts after those of all lists. */
const givenKey = { apiSet: { S: partition }, at: { S: "given" } } satisfies Item;

/** Lists in one request. One has up to some hundreds of cards, or one only. */
const pageSize = 25;

/** Reads and replaces the lists in a DynamoDB table. */
export function recordCheckLists(
  table: string,
  client: DynamoDBClient,
  timing: RecordCheckTiming,
): RecordCheckLists {
  return {
    async due(now, after) {
      const { items } = await queryPage(
        client,
        {
          TableName: table,
          KeyConditionExpression: "apiSet = :partition AND #at < :now",
          ExpressionAttributeNames: { "#at": "at" },
          ExpressionAttributeValues: { ":partition": { S: partition }, ":now": { S: sortKey(now + 1) } },
          Limit: pageSize,
          ConsistentRead: true,
        },
        after && keyOf(after.dueAt, after.batch),
      );
      return items.map(({ at, vendor, since, externalIds }) => {
        const key = at?.S ?? "";
        const end = key.indexOf("#");
        return {
          batch: key.slice(end + 1),
          apiSet: vendor?.S as ApiSet,
          since: Number(since?.N),
          dueAt: Date.parse(key.slice(0, end)),
          externalIds: JSON.parse(externalIds?.S ?? "[]") as string[],
        };
      });
    },
    async replace(done, left) {
      // New lists are written before old ones are deleted: a card in both lists is looked for twice, but a card in neither
      // would never be.
      await batchWrite(
        client,
        table,
        left.map((cards) => toItem(cards, timing)),
      );
      const deletes = done.map(({ dueAt, batch }) => keyOf(dueAt, batch));
      await batchWrite(client, table, [], { deletes });
    },
    async recordGivenAt() {
      const [item] = await queryAll(client, {
        TableName: table,
        KeyConditionExpression: "apiSet = :partition AND #at = :given",
        ExpressionAttributeNames: { "#at": "at" },
        ExpressionAttributeValues: { ":partition": givenKey.apiSet, ":given": givenKey.at },
      });
      return Number(item?.givenAt?.N ?? 0);
    },
    async recordGiven(at) {
      await batchWrite(client, table, [{ ...givenKey, givenAt: number(at) }]);
    },
  };
}
