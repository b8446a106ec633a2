import { randomUUID } from "node:crypto";
import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { batchWrite, type Item, number } from "./batch.ts";
import { isWritten } from "./is-written.ts";
import { packJson, unpackJson } from "./packed-json.ts";
import { queryAll } from "./read-items.ts";

/** The work of one shard of the stream that could not be done yet, as it was listed at the end of a window. */
export interface DeferredWork<Work> {
  readonly shardId: string;
  readonly work: readonly Work[];
  /** When a run of the shard listed it, in milliseconds since 1970, UTC. */
  readonly savedAt: number;
  /** Another one after each change. */
  readonly revision: string;
}

/** Keeps work that could not be done when its change came: a list a shard, and documents that the list names. */
export interface LateWorkTable<Work> {
  /** Stores a document of any size. @returns its ID. @throws TableBatchError */
  put(document: unknown): Promise<string>;
  /** Undefined if the document was removed, since its work is done. */
  read(id: string): Promise<unknown>;
  remove(id: string): Promise<void>;
  /** The lists of all shards that have work left. */
  lists(): Promise<DeferredWork<Work>[]>;
  /** Replaces a shard's list of late work; an empty one deletes it. */
  save(shardId: string, work: readonly Work[], now: number): Promise<void>;
  /** As `save`, but only if nobody has changed the list since it was read. The time it was saved at stays. */
  replace(read: DeferredWork<Work>, work: readonly Work[]): Promise<void>;
}

/*
 * In the table of activity, under partition keys that no API set can have. Each document has one of its own, so that no key gets hot;
 * only the lists, which are small and written twice a window, share one.
 */
const listPartition = "late:";
const documentPartition = (id: string) => `late:${id}`;
const keyOf = (partition: string, at: string): Item => ({ apiSet: { S: partition }, at: { S: at } });

/** Whether an item of the table of activity is late work. A restored one has been done since, or comes again from the stream. */
export const isLateWork = ({ apiSet }: Item): boolean => apiSet?.S?.startsWith(listPartition) ?? false;

/** The ID of the document of late work that an item is a part of; undefined if it is none. */
export const lateDocumentIn = ({ apiSet, part }: Item): string | undefined =>
  part === undefined ? undefined : apiSet?.S?.slice(listPartition.length);

/** DynamoDB's limit of an item is 400 KB. */
const itemBytes = 300_000;
/** What is still not done then is deleted. */
const keptSeconds = 14 * 86_400;

const expiry = (now: number) => number(Math.ceil(now / 1000) + keptSeconds);

/** Writes a shard's list, and removes an empty one. */
async function writeList(
  table: string,
  client: DynamoDBClient,
  { shardId, work, savedAt }: Omit<DeferredWork<unknown>, "revision">,
  condition: Pick<PutItemCommandInput, "ConditionExpression" | "ExpressionAttributeValues"> = {},
): Promise<void> {
  const Key = keyOf(listPartition, shardId);
  if (work.length === 0) {
    await client.send(new DeleteItemCommand({ TableName: table, Key, ...condition }));
    return;
  }
  const Item = {
    ...Key,
    work: { B: packJson(work) },
    savedAt: number(savedAt),
    revision: { S: randomUUID() },
    expiresAt: expiry(savedAt),
  };
  await client.send(new PutItemCommand({ TableName: table, Item, ...condition }));
}

const listIn = <Work>(item: Item): DeferredWork<Work> => ({
  shardId: item.at?.S ?? "",
  work: unpackJson(item.work?.B ?? new Uint8Array()) as Work[],
  savedAt: Number(item.savedAt?.N),
  revision: item.revision?.S ?? "",
});

/** The items that a document is stored in. */
function partsOf(id: string, document: unknown, now: number): Item[] {
  const packed = packJson(document);
  const parts = Math.ceil(packed.byteLength / itemBytes);
  return Array.from({ length: parts }, (_, place) => ({
    ...keyOf(documentPartition(id), String(place).padStart(4, "0")),
    part: { B: packed.subarray(place * itemBytes, (place + 1) * itemBytes) },
    parts: number(parts),
    expiresAt: expiry(now),
  }));
}

/** Keeps late work in a DynamoDB table. @template Work plain data, in JSON the same */
export function lateWorkTable<Work>(table: string, client: DynamoDBClient): LateWorkTable<Work> {
  const query = (partition: string): Promise<Item[]> =>
    queryAll(client, {
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: "apiSet = :partition",
      ExpressionAttributeValues: { ":partition": { S: partition } },
    });
  return {
    async put(document) {
      const id = randomUUID();
      await batchWrite(client, table, partsOf(id, document, Date.now()));
      return id;
    },
    async read(id) {
      const items = await query(documentPartition(id));
      // The ID is known only once all parts are stored, so if one is missing, a run was removing them and died.
      return items.length === 0 || items.length < Number(items[0]?.parts?.N)
        ? undefined
        : unpackJson(Buffer.concat(items.map(({ part }) => part?.B ?? new Uint8Array())));
    },
    async remove(id) {
      const items = await query(documentPartition(id));
      const deletes = items.map(({ at }) => keyOf(documentPartition(id), at?.S ?? ""));
      await batchWrite(client, table, [], { deletes });
    },
    async lists() {
      return (await query(listPartition)).map((item) => listIn(item));
    },
    save: (shardId, work, savedAt) => writeList(table, client, { shardId, work, savedAt }),
    async replace({ shardId, savedAt, revision }, work) {
      const condition = {
        ConditionExpression: "revision = :revision",
        ExpressionAttributeValues: { ":revision": { S: revision } },
      };
      await isWritten(writeList(table, client, { shardId, work, savedAt }, condition));
    },
  };
}
