import { setTimeout as sleep } from "node:timers/promises";
import { type DynamoDBClient, PutItemCommand, type PutItemCommandInput } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../accounts/account.ts";
import { type Item, number } from "../aws/batch.ts";
import { isWritten } from "../aws/is-written.ts";
import { itemReader, type ReadItems } from "../aws/items-between.ts";
import { packJson, unpackJson } from "../aws/packed-json.ts";
import { toSortable } from "../aws/sequence-number.ts";
import { mapSettled } from "../formats/chunks.ts";
import { beginningOfFeed, type FeedPlace } from "./endpoint.ts";
import type { FeedEntry, WebhookEvent } from "./event.ts";

/*
 * A vendor's feed is in the table of activity, under a partition key of its own, `{apiSet}#feed`: items that are numbered without a
 * gap, each with the events of a batch of the stream. A writer adds the item after the last one, if nobody has added it meanwhile.
 * So an item that is added late, by whatever clock, is behind all that anybody has read. An item `0`, before them all, has the first
 * number, which writers agree on by it; it does not expire.
 *
 * An item has the positions of the sources that wrote last. A writer that leaves one out of its item stores it before under
 * `{apiSet}#feed#sources`. So a source's position is in the last item or, if that was read first, there.
 */
const partitionOf = (apiSet: ApiSet) => `${apiSet}#feed`;
const sourcesOf = (apiSet: ApiSet) => `${partitionOf(apiSet)}#sources`;
const keyOf = (place: number) => String(place).padStart(16, "0");

/** Whether an item of the table of activity is of a feed. A restored one would bring numbers back that cursors have passed. */
export const isOfFeed = ({ apiSet }: Item): boolean => /#feed(#sources)?$/.test(apiSet?.S ?? "");

/** Some events of a feed, in order. */
export interface FeedPage {
  readonly events: readonly WebhookEvent[];
  /** Before each of them. */
  readonly places: readonly FeedPlace[];
  /** After the last of them. */
  readonly next: FeedPlace;
  /** Whether there are further ones now. */
  readonly more: boolean;
  /** When the newest event before `next` was added, in milliseconds since 1970; absent at the beginning. */
  readonly newestAt?: number | undefined;
}

/** After every item of a feed. */
const maxItem = Number.MAX_SAFE_INTEGER;
const endKey = keyOf(maxItem);

/** Reads vendors' feeds. */
export interface FeedReader {
  /**
   * @param limit of events
   * @param before only events that were added before this time, in milliseconds since 1970
   * @returns the events after a place; undefined if the feed does not have it any more, or never had it: events may be missing
   */
  page(apiSet: ApiSet, after: FeedPlace, limit: number, before?: number): Promise<FeedPage | undefined>;
  /** The place before all events that were added at a time or later, in milliseconds since 1970. */
  placeAt(apiSet: ApiSet, at: number): Promise<FeedPlace>;
  /** The place after the last event that there is now. */
  end(apiSet: ApiSet): Promise<FeedPlace>;
}

interface StoredItem {
  readonly item: number;
  /** Null in place of an event that a person was erased from. */
  readonly events: readonly (WebhookEvent | null)[];
  readonly addedAt: number;
  readonly isExpired: boolean;
}

const readItem = ({ at, events, addedAt, expiresAt }: Item, now: number): StoredItem => ({
  item: Number(at?.S),
  events: unpackJson(events?.B ?? new Uint8Array()) as WebhookEvent[],
  addedAt: Number(addedAt?.N),
  // DynamoDB removes expired items in any order, and a gap would look like one.
  isExpired: Number(expiresAt?.N) * 1000 <= now,
});

/** Reads feeds from a DynamoDB table. */
export function feedReader(table: string, client: DynamoDBClient, now: () => number): FeedReader {
  const read = itemReader(table, client);
  async function* itemsFrom(apiSet: ApiSet, first: number): AsyncGenerator<StoredItem> {
    for await (const item of read(partitionOf(apiSet), keyOf(first), endKey)) yield readItem(item, now());
  }
  async function findItem(apiSet: ApiSet, first: number, last: number, isForward = true) {
    const found = read(partitionOf(apiSet), keyOf(first), keyOf(last), { isForward, limit: 1 });
    const { value } = await found.next();
    return value && readItem(value, now());
  }
  async function end(apiSet: ApiSet): Promise<FeedPlace> {
    const last = await findItem(apiSet, 0, maxItem, false);
    return last === undefined ? beginningOfFeed : { item: last.item, events: last.events.length };
  }

  return {
    end,
    page: (apiSet, after, limit, before = Number.POSITIVE_INFINITY) =>
      readPage(itemsFrom(apiSet, after.item), after, limit, before),
    async placeAt(apiSet, at) {
      const last = await end(apiSet);
      let earliest = (await findItem(apiSet, 0, last.item))?.item ?? last.item;
      let latest = last.item;
      // Items are in the order in which they were added. One that has expired may be there still, or not.
      while (earliest < latest) {
        const middle = Math.floor((earliest + latest) / 2);
        const found = await findItem(apiSet, middle, middle);
        if (found === undefined || found.isExpired || found.addedAt < at) earliest = middle + 1;
        else latest = middle;
      }
      const found = await findItem(apiSet, latest, latest);
      return found === undefined || found.addedAt < at ? last : { item: latest, events: 0 };
    },
  };
}

/** Reads a page from the items of a feed, of which the first one has the place. @see FeedReader.page */
async function readPage(
  items: AsyncIterable<StoredItem>,
  after: FeedPlace,
  limit: number,
  before: number,
): Promise<FeedPage | undefined> {
  const events: WebhookEvent[] = [];
  const places: FeedPlace[] = [];
  let next = after;
  let newestAt: number | undefined;
  /** The item that must come next; undefined at the beginning, after which any item comes. */
  let expected = after.item === beginningOfFeed.item ? undefined : after.item;
  const endPage = (more: boolean): FeedPage => ({ events, places, next, more, newestAt });
  for await (const { item, events: stored, addedAt, isExpired } of items) {
    if (expected === undefined && isExpired) continue;
    const skipped = item === after.item ? after.events : 0;
    const isNext = expected === undefined || item === expected;
    // The feed began anew after the place, or has lost what followed it.
    if (isExpired || !isNext || skipped > stored.length) return events.length > 0 ? endPage(true) : undefined;
    if (addedAt >= before) return endPage(false);
    expected = item + 1;
    newestAt = addedAt;
    next = { item, events: skipped };
    for (const event of stored.slice(skipped)) {
      if (events.length === limit) return endPage(true);
      if (event !== null) {
        events.push(event);
        places.push(next);
      }
      next = { item, events: next.events + 1 };
    }
  }
  return expected === after.item ? undefined : endPage(false);
}

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
