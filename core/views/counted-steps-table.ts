import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { type Item, number } from "../aws/batch.ts";
import { isWritten } from "../aws/is-written.ts";
import { toSortable } from "../aws/sequence-number.ts";
import { added, type CountStep, type Counts } from "./activity-counts.ts";

/** Steps that are added to the counts of one item. */
export interface ItemSteps {
  readonly key: Item;
  /** In the order of the stream. */
  readonly steps: readonly CountStep[];
  /** Other attributes that are set with them. */
  readonly set: Item;
}

/** Adds each step once, however often it is given. @param shardId the shard of the stream that the steps are from */
export type CountSteps = (item: ItemSteps, shardId: string) => Promise<void>;

/** The counts of an item. */
export const countsIn = (item: Item): Counts =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, { N }]) =>
      N === undefined || name === "expiresAt" ? [] : [[name, Number(N)]],
    ),
  );

/** The attribute with the last change of a shard that an item has counted. */
const shardAttribute = (shardId: string) => `counted ${shardId}`;

/** Counts of one update: DynamoDB takes 300 operators and 4 KB. */
const countsAtOnce = 100;

/** The first steps whose counts fit one update. */
function firstSteps(steps: readonly CountStep[]): {
  readonly first: readonly CountStep[];
  readonly sum: Counts;
} {
  let sum: Counts = {};
  for (const [place, step] of steps.entries()) {
    const next = added(sum, step.counts);
    if (place > 0 && Object.keys(next).length > countsAtOnce) return { first: steps.slice(0, place), sum };
    sum = next;
  }
  return { first: steps, sum };
}

/** The items of a table. */
interface CountedTable {
  readonly table: string;
  readonly client: DynamoDBClient;
}

/** Adds the sum of steps to an item's counts. @returns false if some of them are counted already */
async function addSteps(
  { table, client }: CountedTable,
  { key, set }: ItemSteps,
  steps: readonly CountStep[],
  sum: Counts,
  shard: string,
): Promise<boolean> {
  const counts = Object.entries(sum);
  const others = Object.entries(set);
  const sets = ["#shard = :last", ...others.map((_, place) => `#s${place} = :s${place}`)];
  const adds = counts.map((_, place) => `#n${place} :n${place}`);
  const request = new UpdateItemCommand({
    TableName: table,
    Key: key,
    UpdateExpression: `SET ${sets.join(", ")} ADD ${adds.join(", ")}`,
    ConditionExpression: "attribute_not_exists(#shard) OR #shard < :first",
    ExpressionAttributeNames: {
      "#shard": shard,
      ...Object.fromEntries(others.map(([name], place) => [`#s${place}`, name])),
      ...Object.fromEntries(counts.map(([name], place) => [`#n${place}`, name])),
    },
    ExpressionAttributeValues: {
      ":first": { S: toSortable(steps[0]?.sequenceNumber) },
      ":last": { S: toSortable(steps.at(-1)?.sequenceNumber) },
      ...Object.fromEntries(others.map(([, value], place) => [`:s${place}`, value])),
      ...Object.fromEntries(counts.map(([, count], place) => [`:n${place}`, number(count)])),
    },
  });
  return isWritten(client.send(request));
}

/** The last change of a shard that an item has counted. */
async function readLastCounted({ table, client }: CountedTable, key: Item, shard: string): Promise<string> {
  const { Item: item } = await client.send(
    new GetItemCommand({
      TableName: table,
      Key: key,
      ConsistentRead: true,
      ProjectionExpression: "#shard",
      ExpressionAttributeNames: { "#shard": shard },
    }),
  );
  return item?.[shard]?.S ?? "";
}

/** Counts steps in the items of a DynamoDB table. Each item remembers how far in a shard it has counted. */
export const stepCounter =
  (table: string, client: DynamoDBClient): CountSteps =>
  async (item, shardId) => {
    const counted = { table, client };
    const shard = shardAttribute(shardId);
    let { steps } = item;
    while (steps.length > 0) {
      const { first, sum } = firstSteps(steps);
      if (await addSteps(counted, item, first, sum, shard)) {
        steps = steps.slice(first.length);
        continue;
      }
      const last = await readLastCounted(counted, item.key, shard);
      steps = steps.filter(({ sequenceNumber }) => toSortable(sequenceNumber) > last);
    }
  };
