import { setTimeout as sleep } from "node:timers/promises";
import { type DynamoDBClient, PutItemCommand, type PutItemCommandInput } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../accounts/account.ts";
import { type Item, number } from "../aws/batch.ts";
import { isWritten } from "../aws/is-written.ts";
import { itemReader, type ReadItems } from "../aws/items-between.ts";
import { packJson } from "../aws/packed-json.ts";
import { toSortable } from "../aws/sequence-number.ts";
import { mapSettled } from "../formats/chunks.ts";
import type { FeedEntry } from "./event.ts";
import { endKey, keyOf, partitionOf, sourcesOf } from "./feed-table.ts";

/** Adds events to vendors' feeds. */
export interface FeedWriter {
  /**
   * Adds those events that the feed does not have yet.
   *
   * @param source the shard of the stream that they are from: whatever else is added from it later has a greater sequence number
   * @throws Error if other writers keep adding theirs, or of the table: some may have been added, and the same call may be made again
   */
  append(apiSet: ApiSet, source: string, entries: readonly FeedEntry[]): Promise<void>;
}

/** The last item of a feed, as far as writers need it. */
interface FeedHead {
  readonly item: number;
  /** By source: the sequence number of its last change in the feed, and when it was added, in seconds since 1970. */
  readonly positions: Readonly<Record<string, readonly [sequenceNumber: string, at: number]>>;
}

/** Events of an item, which has room for the longest. */
const eventsOfItem = 200;
/** How often an item is added if other writers add theirs first. Each shard of the stream is a writer. */
const maxConflicts = 20;
/** The longest pause after the first conflict, in milliseconds; it doubles with each, up to a second. */
const pauseAfterConflict = 20;
const maxPause = 1_000;
/** Positions of an item: with more of them, or longer names, it would often take a second write unit. */
const maxPositions = 4;
/** DynamoDB keeps a shard of a stream for a day; late work of it is kept for 14 days. */
const sourceSeconds = 15 * 86_400;
const parallelWrites = 10;
const beginningKey = "0";
/**
 * The first number of a feed goes by the minute, in millions. So a feed that begins anew, because all of the old one has expired or
 * was not restored, has greater numbers: an old cursor is told from a new one.
 */
const firstItem = (now: number) => Math.floor(now / 60_000) * 1_000_000 + 1;
/** A beginning without an item is that of a writer who is about to add one, or of a feed that has expired. */
const freshBeginning = 3_600_000;

/** What a writer reads and writes with. */
interface FeedAccess {
  readonly read: ReadItems;
  /** @returns whether the item was written @param condition by default that there is none of its key */
  readonly put: (
    partition: string,
    at: string,
    attributes: Item,
    condition?: Partial<PutItemCommandInput>,
  ) => Promise<boolean>;
  readonly retentionDays: number;
  readonly now: () => number;
}

/**
 * Adds events to feeds in a DynamoDB table, one write an item.
 *
 * @param retentionDays how long events are kept
 * @param pause waits for milliseconds
 */
export function feedWriter(
  table: string,
  client: DynamoDBClient,
  retentionDays: number,
  now: () => number,
  pause: (milliseconds: number) => Promise<unknown> = sleep,
): FeedWriter {
  /** The last items that this environment knows of. Others may have been added since: then the next one is not added. */
  const heads = new Map<ApiSet, FeedHead>();
  /** Vendors to whose feeds other environments add, too: a read costs less than a write that is refused. */
  const shared = new Set<ApiSet>();
  const access = { read: itemReader(table, client), put: itemWriter(table, client), retentionDays, now };

  return {
    async append(apiSet, source, entries) {
      const known = shared.has(apiSet) ? undefined : heads.get(apiSet);
      let head = known ?? (await readHead(apiSet, access));
      for (let conflicts = 0; ; ) {
        const position = await readPosition(apiSet, source, head, access);
        const missing = entries.filter(({ sequenceNumber }) => toSortable(sequenceNumber) > position);
        if (missing.length === 0) return;
        // After an error it is not known whether the item was added.
        heads.delete(apiSet);
        const added = await add(apiSet, source, head, firstOf(missing), access);
        if (added === undefined) {
          shared.add(apiSet);
          if (++conflicts > maxConflicts)
            throw new Error(`Other writers keep adding to the feed of ${apiSet}.`);
          await pause(Math.random() * Math.min(maxPause, pauseAfterConflict * 2 ** conflicts));
        }
        head = added ?? (await readHead(apiSet, access));
        heads.set(apiSet, head);
      }
    },
  };
}

/** Writes an item if a condition holds. */
const itemWriter =
  (table: string, client: DynamoDBClient): FeedAccess["put"] =>
  (partition, at, attributes, condition = { ConditionExpression: "attribute_not_exists(apiSet)" }) => {
    const Item = { apiSet: { S: partition }, at: { S: at }, ...attributes };
    return isWritten(client.send(new PutItemCommand({ TableName: table, Item, ...condition })));
  };

/** The last item of a partition. @param key only this one */
async function readLast(read: ReadItems, partition: string, key?: string): Promise<Item | undefined> {
  const last = { isForward: false, limit: 1 };
  return (await read(partition, key ?? beginningKey, key ?? endKey, last).next()).value;
}

async function readHead(apiSet: ApiSet, access: FeedAccess): Promise<FeedHead> {
  const { read, put, now } = access;
  const last = await readLast(read, partitionOf(apiSet));
  const isItem = last !== undefined && last.at?.S !== beginningKey;
  if (isItem && Number(last.expiresAt?.N) * 1000 > now()) {
    return { item: Number(last.at?.S), positions: JSON.parse(last.positions?.S ?? "{}") };
  }
  // If the last item has expired, there may have been later ones, which are removed already.
  const beginning = isItem ? await readLast(read, partitionOf(apiSet), beginningKey) : last;
  const first = Number(beginning?.first?.N ?? 0);
  const isFresh = beginning !== undefined && now() - Number(beginning.madeAt?.N) < freshBeginning;
  if (isFresh && first > Number(last?.at?.S ?? 0)) return { item: first - 1, positions: {} };
  // Another writer may make one at the same time; then that counts.
  const made = { first: number(firstItem(now())), madeAt: number(now()) };
  await put(partitionOf(apiSet), beginningKey, made, {
    ConditionExpression: "attribute_not_exists(apiSet) OR madeAt = :read",
    ExpressionAttributeValues: { ":read": beginning?.madeAt ?? { NULL: true } },
  });
  return readHead(apiSet, access);
}

/** The sequence number of a source's last change that is in the feed. @param head read before */
async function readPosition(
  apiSet: ApiSet,
  source: string,
  { positions }: FeedHead,
  { read }: FeedAccess,
): Promise<string> {
  const [position] = positions[source] ?? [];
  return position ?? (await readLast(read, sourcesOf(apiSet), source))?.position?.S ?? "";
}

/** @returns the item that was added; undefined if another writer has added it first, or this one by a request without a response */
async function add(
  apiSet: ApiSet,
  source: string,
  head: FeedHead,
  entries: readonly FeedEntry[],
  { put, now, retentionDays }: FeedAccess,
): Promise<FeedHead | undefined> {
  const at = Math.floor(now() / 1000);
  const others = Object.entries(head.positions)
    .filter(([name, [, added]]) => name !== source && added > at - sourceSeconds)
    .sort(([, [, one]], [, [, other]]) => other - one);
  const kept = others.slice(0, maxPositions - 1);
  // A position that the item leaves out is stored, but not over a later one: a request may be carried out late.
  await mapSettled(others.slice(kept.length), parallelWrites, ([name, [position, added]]) => {
    const stored = { position: { S: position }, expiresAt: number(added + sourceSeconds) };
    return put(sourcesOf(apiSet), name, stored, {
      ConditionExpression: "attribute_not_exists(apiSet) OR #position < :position",
      ExpressionAttributeNames: { "#position": "position" },
      ExpressionAttributeValues: { ":position": { S: position } },
    });
  });
  const last = toSortable(entries.at(-1)?.sequenceNumber ?? "");
  const item = head.item + 1;
  const positions = { ...Object.fromEntries(kept), [source]: [last, at] as const };
  const isAdded = await put(partitionOf(apiSet), keyOf(item), {
    events: { B: packJson(entries.map(({ event }) => event)) },
    addedAt: number(now()),
    positions: { S: JSON.stringify(positions) },
    expiresAt: number(at + retentionDays * 86_400),
  });
  return isAdded ? { item, positions } : undefined;
}

/** The first events, as many as an item has; those of one change stay together, since a position is that of a change. */
function firstOf(entries: readonly FeedEntry[]): readonly FeedEntry[] {
  const last = entries[eventsOfItem - 1]?.sequenceNumber;
  const end = entries.findIndex(
    ({ sequenceNumber }, index) => index >= eventsOfItem && sequenceNumber !== last,
  );
  return end === -1 ? entries : entries.slice(0, end);
}
