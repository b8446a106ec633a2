import { hash } from "node:crypto";
import {
  type DynamoDBClient,
  PutItemCommand,
  type TableDescription,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import pMap from "p-map";
import { batchGet, type Item } from "../../core/aws/batch.ts";
import { isWritten } from "../../core/aws/is-written.ts";
import { isLateWork } from "../../core/aws/late-work-table.ts";
import { restoredBy } from "../../core/aws/restored-item.ts";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import { isOfFeed } from "../../core/webhooks/feed-table.ts";
import { type BackedUp, backedUp } from "../base/backed-up.ts";
import { checkKey, describeTable } from "../base/restored-table.ts";

/** What became of the items of a restored table. */
export interface RestoreCounts {
  readonly copied: number;
  /** Counts that were added to those which the stage has of the same hour. */
  readonly added: number;
  /** Left as the stage has them. */
  readonly kept: number;
  /** Copied or added by an earlier run, which did not finish. */
  readonly restoredBefore: number;
}

/** Items of a restored table that are in the stage's own table now, as it has them. */
export type RestoredItems = (items: readonly Item[]) => Promise<void>;

/** From which table to which, and how. */
export interface RestoreOptions {
  readonly data: BackedUp;
  /** Name of the restored table. */
  readonly from: string;
  /** Name of the stage's own table. */
  readonly to: string;
  /** Whether restored items replace those that the stage has. */
  readonly replace: boolean;
  readonly signal: AbortSignal;
  /** Called with items that this run or an earlier one of the same restore has copied. It may get an item twice. */
  readonly restored: RestoredItems;
  /** @param total items of the restored table; 0 if DynamoDB has not counted them yet */
  readonly progress: (counts: RestoreCounts, total: number) => void;
}

/** Writes at the same time for each segment that is read. */
const parallelWrites = 10;

/**
 * Copies a restored table's items into the stage's own table. A run that was interrupted may be repeated: it leaves what the earlier
 * one has copied as it is now.
 *
 * Each item gets the ID of the restore, by which those who follow the table's changes know that nothing has happened.
 *
 * @throws Error if the restored table is the stage's own, or has another kind of data
 */
export async function restoreItems(client: DynamoDBClient, options: RestoreOptions): Promise<RestoreCounts> {
  const { data, from, to, replace, signal } = options;
  if (from === to) throw new Error(`${from} is the stage's own table. Name the restored one.`);
  const [source, target] = await Promise.all([describeTable(client, from), describeTable(client, to)]);
  checkKey(source, data);
  const keyNames: readonly string[] = backedUp[data].key;
  const restore = restoreId(source);
  // A backup of the table itself has counts that the table has, too.
  const addsCounts = data === "counts" && source.RestoreSummary?.SourceTableArn !== target.TableArn;
  const counts = { copied: 0, added: 0, kept: 0, restoredBefore: 0 };
  const isOurs = (item: Item) => item[restoredBy]?.S === restore;
  const keyOf = (item: Item): Item =>
    Object.fromEntries(keyNames.map((name) => [name, item[name] ?? { S: "" }]));
  const toId = (item: Item) => JSON.stringify(keyNames.map((name) => item[name]?.S));

  /** False if the stage has an item of that key. */
  const copy = (item: Item): Promise<boolean> =>
    isWritten(
      client.send(
        new PutItemCommand({
          TableName: to,
          Item: { ...item, [restoredBy]: { S: restore } },
          ConditionExpression: replace
            ? "attribute_not_exists(#key) OR attribute_not_exists(#restore) OR #restore <> :restore"
            : "attribute_not_exists(#key)",
          ExpressionAttributeNames: {
            "#key": keyNames[0] ?? "",
            ...(replace && { "#restore": restoredBy }),
          },
          ...(replace && { ExpressionAttributeValues: { ":restore": { S: restore } } }),
        }),
      ),
    );

  async function restorePage(items: readonly Item[]): Promise<void> {
    const copied: Item[] = [];
    const existing: Item[] = [];
    await pMap(
      items,
      async (item) => {
        if (signal.aborted)
          throw new Error("Interrupted. Run the same command again: it continues where it stopped.");
        ((await copy(item)) ? copied : existing).push(item);
      },
      { concurrency: parallelWrites },
    );
    counts.copied += copied.length;
    const stored = new Map(
      (await batchGet(client, to, existing.map(keyOf))).map((item) => [toId(item), item]),
    );
    const before = [...stored.values()].filter(isOurs);
    counts.restoredBefore += before.length;
    const others = existing.filter((item) => !isOurs(stored.get(toId(item)) ?? {}));
    await pMap(
      others,
      async (item) => {
        const isAdded =
          addsCounts && hasCounts(item) && (await addCounts(client, to, keyOf(item), item, restore));
        counts[isAdded ? "added" : "kept"] += 1;
      },
      { concurrency: parallelWrites },
    );
    await options.restored([...copied, ...before]);
    options.progress({ ...counts }, source.ItemCount ?? 0);
  }

  await scanInSegments(client, from, (items) =>
    restorePage(items.filter((item) => !isLateWork(item) && !isOfFeed(item))),
  );
  return counts;
}

/** Names one restore; the same for each run that reads this table. */
function restoreId({ TableName, TableId, CreationDateTime }: TableDescription): string {
  return hash("sha256", JSON.stringify([TableName, TableId, CreationDateTime]), "base64url").slice(0, 16);
}

/** Whether an item counts what happened in an hour or to a tournament. Others are lists, of which each change has its own. */
const hasCounts = ({ at }: Item) => /^(hour|refused|tournament)#/.test(at?.S ?? "");

/** Adds the counts of an hour to those that the stage has of it, once a restore. @returns false if the item is gone, or has them */
function addCounts(
  client: DynamoDBClient,
  TableName: string,
  Key: Item,
  item: Item,
  restore: string,
): Promise<boolean> {
  const names: Record<string, string> = { "#restore": restoredBy };
  const values: Item = { ":restore": { S: restore } };
  const adds: string[] = [];
  const sets = ["#restore = :restore"];
  const attributes = Object.entries(item).filter(([name]) => !(name in Key) && name !== restoredBy);
  for (const [place, [name, value]] of attributes.entries()) {
    names[`#a${place}`] = name;
    values[`:a${place}`] = value;
    if (value.N !== undefined && name !== "expiresAt") adds.push(`#a${place} :a${place}`);
    else sets.push(`#a${place} = if_not_exists(#a${place}, :a${place})`);
  }
  return isWritten(
    client.send(
      new UpdateItemCommand({
        TableName,
        Key,
        UpdateExpression: `SET ${sets.join(", ")}${adds.length > 0 ? ` ADD ${adds.join(", ")}` : ""}`,
        ConditionExpression:
          "attribute_exists(apiSet) AND (attribute_not_exists(#restore) OR #restore <> :restore)",
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
      }),
    ),
  );
}
