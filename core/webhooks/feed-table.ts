import { setTimeout as sleep } from "node:timers/promises";
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../accounts/account.ts";
import { type Item, number } from "../aws/batch.ts";
import { itemsBetween } from "../aws/items-between.ts";
import { packJson, unpackJson } from "../aws/packed-json.ts";
import { queryPage } from "../aws/read-items.ts";
import { toSortable } from "../aws/sequence-number.ts";
import { mapSettled } from "../formats/chunks.ts";
import type { WebhookEvent } from "./event.ts";
import type { FeedEntry } from "./feed-entries.ts";
import { beginningOfFeed, type FeedPlace } from "./feed-place.ts";

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
  /** After the last of them. */
  readonly next: FeedPlace;
  /** Whether there are further ones now. */
  readonly more: boolean;
  /** When the newest event before `next` was added, in milliseconds since 1970; absent at the beginning. */
  readonly newestAt?: number;
}

/** Other writers kept adding items first. The call may be repeated. */
export class FeedBusyError extends Error {
  override readonly name = "FeedBusyError";

  constructor(apiSet: ApiSet) {
    super(`Other writers keep adding to the feed of ${apiSet}.`);
  }
}

/** Adds events to vendors' feeds. */
export interface FeedWriter {
  /**
   * Adds those events that the feed does not have yet.
   *
   * @param source the shard of the stream that they are from: whatever else is added from it later has a greater sequence number
   * @throws FeedBusyError, or an error of the table: some may have been added, and the same call may be made again
   */
  append(apiSet: ApiSet, source: string, entries: readonly FeedEntry[]): Promise<void>;
}

/** The last item of a feed, as far as writers need it. */
interface FeedHead {
  readonly item: number;
  /** By source: the sequence number of its last change in the feed, and when it was added, in seconds since 1970. */
  readonly positions: Readonly<Record<string, readonly [sequenceNumber: string, at: number]>>;
}

/** Events of an item: a batch of the stream has up to 200 changes. */
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
const endKey = keyOf(Number.MAX_SAFE_INTEGER);
/**
 * The first number of a feed goes by the minute, in millions. So a feed that begins anew, because all of the old one has expired or
 * was not restored, has greater numbers: an old cursor is told from a new one.
 */
const firstItem = (now: number) => Math.floor(now / 60_000) * 1_000_000 + 1;
/** A beginning without an item is that of a writer who is about to add one, or of a feed that has expired. */
const freshBeginning = 3_600_000;

/** The items of a partition whose keys are in a range. */
interface KeyRange {
  readonly from: string;
  readonly to: string;
  readonly isForward: boolean;
  readonly limit: number;
}

/** Reads items consistently: an old read could lack an item whose cursor was given out. */
const itemReader =
  (table: string, client: DynamoDBClient) =>
  (partition: string, { from, to, isForward, limit }: KeyRange) =>
    queryPage(client, {
      ...itemsBetween(table, partition, from, to),
      ConsistentRead: true,
      ScanIndexForward: isForward,
      Limit: limit,
    });

/**
 * Adds events to feeds in a DynamoDB table, one write an item.
 *
 * @param retentionDays how long events are kept
 * @param now milliseconds since 1970, UTC
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
  const read = itemReader(table, client);

  /** The last item of a partition. @param key only this one */
  async function readLast(partition: string, key?: string): Promise<Item | undefined> {
    const range = { from: key ?? beginningKey, to: key ?? endKey, isForward: false, limit: 1 };
    return (await read(partition, range)).items[0];
  }

  async function readHead(apiSet: ApiSet): Promise<FeedHead> {
    const last = await readLast(partitionOf(apiSet));
    const isItem = last !== undefined && last.at?.S !== beginningKey;
    if (isItem && Number(last.expiresAt?.N) * 1000 > now()) {
      return { item: Number(last.at?.S), positions: JSON.parse(last.positions?.S ?? "{}") };
    }
    // If the last item has expired, there may have been later ones, which are removed already.
    const beginning = isItem ? await readLast(partitionOf(apiSet), beginningKey) : last;
    const first = Number(beginning?.first?.N ?? 0);
    const isFresh = beginning !== undefined && now() - Number(beginning.madeAt?.N) < freshBeginning;
    if (isFresh && first > Number(last?.at?.S ?? 0)) return { item: first - 1, positions: {} };
    // Another writer may make one at the same time; then that counts.
    await put(
      {
        apiSet: { S: partitionOf(apiSet) },
        at: { S: beginningKey },
        first: number(firstItem(now())),
        madeAt: number(now()),
      },
      beginning === undefined
        ? {}
        : {
            ConditionExpression: "madeAt = :read",
            ExpressionAttributeValues: { ":read": beginning.madeAt ?? { NULL: true } },
          },
    );
    return readHead(apiSet);
  }

  /** @returns whether the item was written @param condition by default that there is none of its key */
  async function put(item: Item, condition: Partial<PutItemCommandInput> = {}): Promise<boolean> {
    const unwritten = { ConditionExpression: "attribute_not_exists(apiSet)" };
    try {
      await client.send(new PutItemCommand({ TableName: table, Item: item, ...unwritten, ...condition }));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  /** The sequence number of a source's last change that is in the feed. @param head read before */
  async function readPosition(apiSet: ApiSet, source: string, { positions }: FeedHead): Promise<string> {
    const [position] = positions[source] ?? [];
    return position ?? (await readLast(sourcesOf(apiSet), source))?.position?.S ?? "";
  }

  /** Stores a position that the next item leaves out; not over a later one, since a request may be carried out late. */
  const storePosition = (apiSet: ApiSet, source: string, position: string, added: number) =>
    put(
      {
        apiSet: { S: sourcesOf(apiSet) },
        at: { S: source },
        position: { S: position },
        expiresAt: number(added + sourceSeconds),
      },
      {
        ConditionExpression: "attribute_not_exists(apiSet) OR #position < :position",
        ExpressionAttributeNames: { "#position": "position" },
        ExpressionAttributeValues: { ":position": { S: position } },
      },
    );

  /** @returns the item that was added; undefined if another writer has added it first, or this one by a request without a response */
  async function add(
    apiSet: ApiSet,
    source: string,
    head: FeedHead,
    entries: readonly FeedEntry[],
  ): Promise<FeedHead | undefined> {
    const at = Math.floor(now() / 1000);
    const others = Object.entries(head.positions)
      .filter(([name, [, added]]) => name !== source && added > at - sourceSeconds)
      .sort(([, [, one]], [, [, other]]) => other - one);
    const kept = others.slice(0, maxPositions - 1);
    await mapSettled(others.slice(kept.length), parallelWrites, ([name, [position, added]]) =>
      storePosition(apiSet, name, position, added),
    );
    const last = toSortable(entries.at(-1)?.sequenceNumber ?? "");
    const next: FeedHead = {
      item: head.item + 1,
      positions: { ...Object.fromEntries(kept), [source]: [last, at] },
    };
    const isAdded = await put({
      apiSet: { S: partitionOf(apiSet) },
      at: { S: keyOf(next.item) },
      events: { B: packJson(entries.map(({ event }) => event)) },
      addedAt: number(now()),
      positions: { S: JSON.stringify(next.positions) },
      expiresAt: number(at + retentionDays * 86_400),
    });
    return isAdded ? next : undefined;
  }

  return {
    async append(apiSet, source, entries) {
      const known = shared.has(apiSet) ? undefined : heads.get(apiSet);
      let head = known ?? (await readHead(apiSet));
      for (let conflicts = 0; ; ) {
        const position = await readPosition(apiSet, source, head);
        const missing = entries.filter(({ sequenceNumber }) => toSortable(sequenceNumber) > position);
        if (missing.length === 0) return;
        // After an error it is not known whether the item was added.
        heads.delete(apiSet);
        const added = await add(apiSet, source, head, firstOf(missing));
        if (added === undefined) {
          shared.add(apiSet);
          if (++conflicts > maxConflicts) throw new FeedBusyError(apiSet);
          await pause(Math.random() * Math.min(maxPause, pauseAfterConflict * 2 ** conflicts));
        }
        head = added ?? (await readHead(apiSet));
        heads.set(apiSet, head);
      }
    },
  };
}

/** The first events, as many as an item has; those of one change stay together, since a position is that of a change. */
function firstOf(entries: readonly FeedEntry[]): readonly FeedEntry[] {
  const last = entries[eventsOfItem - 1]?.sequenceNumber;
  const end = entries.findIndex(
    ({ sequenceNumber }, index) => index >= eventsOfItem && sequenceNumber !== last,
  );
  return end === -1 ? entries : entries.slice(0, end);
}

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

/** Items in one request: one has some hundreds of events, or one only. */
const itemsOfRequest = 25;

interface StoredItem {
  readonly item: number;
  /** Null in place of an event that a person was erased from. */
  readonly events: readonly (WebhookEvent | null)[];
  readonly addedAt: number;
  readonly isExpired: boolean;
}

/** Reads feeds from a DynamoDB table. @param now milliseconds since 1970, UTC */
export function feedReader(table: string, client: DynamoDBClient, now: () => number): FeedReader {
  const read = itemReader(table, client);
  const readItem = ({ at, events, addedAt, expiresAt }: Item): StoredItem => ({
    item: Number(at?.S),
    events: unpackJson(events?.B ?? new Uint8Array()) as WebhookEvent[],
    addedAt: Number(addedAt?.N),
    // DynamoDB removes expired items in any order, and a gap would look like one.
    isExpired: Number(expiresAt?.N) * 1000 <= now(),
  });

  const firstIn = async (apiSet: ApiSet, from: number, to: number): Promise<StoredItem | undefined> => {
    const range = { from: keyOf(from), to: keyOf(to), isForward: true, limit: 1 };
    return (await read(partitionOf(apiSet), range)).items.map(readItem)[0];
  };
  async function endOf(apiSet: ApiSet): Promise<FeedPlace> {
    const range = { from: keyOf(0), to: endKey, isForward: false, limit: 1 };
    const [last] = (await read(partitionOf(apiSet), range)).items.map(readItem);
    return last === undefined ? beginningOfFeed : { item: last.item, events: last.events.length };
  }

  return {
    end: endOf,
    async page(apiSet, after, limit, before = Number.POSITIVE_INFINITY) {
      const events: WebhookEvent[] = [];
      let next = after;
      let newestAt: number | undefined;
      /** Whether the item of `next` has been read; there is none at the beginning. */
      let isThere = after.item === beginningOfFeed.item;
      const page = (more: boolean): FeedPage => ({
        events,
        next,
        more,
        ...(newestAt !== undefined && { newestAt }),
      });

      for (let from = after.item; ; ) {
        const range = { from: keyOf(from), to: endKey, isForward: true, limit: itemsOfRequest };
        const { items, next: unread } = await read(partitionOf(apiSet), range);
        for (const { item, events: stored, addedAt, isExpired } of items.map(readItem)) {
          from = item + 1;
          const isBeginning = next.item === beginningOfFeed.item;
          if (isBeginning && isExpired) continue;
          const isNext = isBeginning || item === next.item + (isThere ? 1 : 0);
          // The feed began anew after the place, or has lost what followed it.
          if (isExpired || !isNext) return events.length > 0 ? page(true) : undefined;
          if (addedAt >= before) return page(false);
          const skipped = isThere ? 0 : after.events;
          if (skipped > stored.length) return undefined;
          isThere = true;
          newestAt = addedAt;
          next = { item, events: skipped };
          for (const event of stored.slice(skipped)) {
            if (events.length === limit) return page(true);
            if (event !== null) events.push(event);
            next = { item, events: next.events + 1 };
          }
        }
        if (!isThere) return undefined;
        if (unread === undefined) return page(false);
      }
    },
    async placeAt(apiSet, at) {
      const end = await endOf(apiSet);
      let earliest = (await firstIn(apiSet, 0, end.item))?.item ?? end.item;
      let latest = end.item;
      // Items are in the order in which they were added. One that has expired may be there still, or not.
      while (earliest < latest) {
        const middle = Math.floor((earliest + latest) / 2);
        const found = await firstIn(apiSet, middle, middle);
        if (found === undefined || found.isExpired || found.addedAt < at) earliest = middle + 1;
        else latest = middle;
      }
      const found = await firstIn(apiSet, latest, latest);
      return found === undefined || found.addedAt < at ? end : { item: latest, events: 0 };
    },
  };
}
