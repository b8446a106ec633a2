import { setTimeout as sleep } from "node:timers/promises";
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
} from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../accounts/account.ts";
import { type Item, number } from "../aws/batch.ts";
import { packJson, unpackJson } from "../aws/packed-json.ts";
import { toSortable } from "../aws/sequence-number.ts";
import type { WebhookEvent } from "./event.ts";
import type { FeedEntry } from "./feed-entries.ts";
import { beginningOfFeed, type FeedPlace } from "./feed-place.ts";

/*
 * A vendor's feed is in the table of activity, under a partition key of its own, `{apiSet}#feed`: items that are numbered without a
 * gap, each with the events of a batch of the stream. A writer adds the item after the last one, if nobody has added it meanwhile.
 * So an item that is added late, by whatever clock, is behind all that anybody has read. An item `0`, before them all, has the first
 * number, which writers agree on by it; it does not expire.
 */
const feedSuffix = "#feed";
const partitionOf = (apiSet: ApiSet) => `${apiSet}${feedSuffix}`;
const keyOf = (place: number) => String(place).padStart(16, "0");

/** Whether an item of the table of activity is of a feed. A restored one would bring numbers back that cursors have passed. */
export const isOfFeed = ({ apiSet }: Item): boolean => apiSet?.S?.endsWith(feedSuffix) ?? false;

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
  /** By source: the sequence number of the last change that is in the feed, and when it was added, in seconds since 1970. */
  readonly positions: Readonly<Record<string, readonly [sequenceNumber: string, at: number]>>;
}

/** Events of an item: a batch of the stream has up to 200 changes. */
const eventsOfItem = 200;
/** How often an item is added if other writers add theirs first. Each shard of the stream is a writer. */
const maxConflicts = 20;
/** The longest pause after the first conflict, in milliseconds; it doubles with each, up to a second. */
const pauseAfterConflict = 20;
const maxPause = 1_000;
/** DynamoDB ends a shard of a stream after a day; late work of it is kept for 14 days. */
const sourceSeconds = 15 * 86_400;
const beginningKey = "0";
/**
 * The first number of a feed goes by the minute, in millions. So a feed that begins anew, because all of the old one has expired or
 * was not restored, has greater numbers: an old cursor is told from a new one.
 */
const firstItem = (now: number) => Math.floor(now / 60_000) * 1_000_000 + 1;
/** A beginning without an item is that of a writer who is about to add one, or of a feed that has expired. */
const freshBeginning = 3_600_000;

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

  /** The last item of a feed, or its beginning. @param key only this one */
  async function readLast(apiSet: ApiSet, key?: string): Promise<Item | undefined> {
    const { Items: [item] = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: "apiSet = :feed AND #at BETWEEN :from AND :to",
        ExpressionAttributeNames: { "#at": "at" },
        ExpressionAttributeValues: {
          ":feed": { S: partitionOf(apiSet) },
          ":from": { S: key ?? beginningKey },
          ":to": { S: key ?? keyOf(Number.MAX_SAFE_INTEGER) },
        },
        ScanIndexForward: false,
        Limit: 1,
      }),
    );
    return item;
  }

  async function readHead(apiSet: ApiSet): Promise<FeedHead> {
    const last = await readLast(apiSet);
    const isItem = last !== undefined && last.at?.S !== beginningKey;
    if (isItem && Number(last.expiresAt?.N) * 1000 > now()) {
      return { item: Number(last.at?.S), positions: JSON.parse(last.positions?.S ?? "{}") };
    }
    // If the last item has expired, there may have been later ones, which are removed already.
    const beginning = isItem ? await readLast(apiSet, beginningKey) : last;
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
  async function put(
    item: Item,
    condition: Pick<PutItemCommandInput, "ConditionExpression" | "ExpressionAttributeValues"> = {},
  ): Promise<boolean> {
    const unwritten = { ConditionExpression: "attribute_not_exists(apiSet)" };
    try {
      await client.send(new PutItemCommand({ TableName: table, Item: item, ...unwritten, ...condition }));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  /** @returns the item that was added; undefined if another writer has added it first, or this one by a request without a response */
  async function add(
    apiSet: ApiSet,
    source: string,
    head: FeedHead,
    entries: readonly FeedEntry[],
  ): Promise<FeedHead | undefined> {
    const at = Math.floor(now() / 1000);
    const kept = Object.entries(head.positions).filter(([, [, added]]) => added > at - sourceSeconds);
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
      let head = heads.get(apiSet) ?? (await readHead(apiSet));
      for (let conflicts = 0; ; ) {
        const [position] = head.positions[source] ?? [""];
        const missing = entries.filter(({ sequenceNumber }) => toSortable(sequenceNumber) > position);
        if (missing.length === 0) return;
        // After an error it is not known whether the item was added.
        heads.delete(apiSet);
        const added = await add(apiSet, source, head, firstOf(missing));
        if (added === undefined) {
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
   * @returns the events after a place; undefined if the feed does not have it any more, or never had it: events may be missing
   */
  page(apiSet: ApiSet, after: FeedPlace, limit: number): Promise<FeedPage | undefined>;
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
  const readItem = ({ at, events, addedAt, expiresAt }: Item): StoredItem => ({
    item: Number(at?.S),
    events: unpackJson(events?.B ?? new Uint8Array()) as WebhookEvent[],
    addedAt: Number(addedAt?.N),
    // DynamoDB removes expired items in any order, and a gap would look like one.
    isExpired: Number(expiresAt?.N) * 1000 <= now(),
  });

  async function query(apiSet: ApiSet, from: number, isForward: boolean, limit: number) {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: table,
        // With a read that may be old, an item could be missing whose cursor was given out.
        ConsistentRead: true,
        KeyConditionExpression: "apiSet = :feed AND #at >= :from",
        ExpressionAttributeNames: { "#at": "at" },
        ExpressionAttributeValues: { ":feed": { S: partitionOf(apiSet) }, ":from": { S: keyOf(from) } },
        ScanIndexForward: isForward,
        Limit: limit,
      }),
    );
    return { items: Items.map(readItem), isComplete: LastEvaluatedKey === undefined };
  }

  return {
    async page(apiSet, after, limit) {
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
        const { items, isComplete } = await query(apiSet, from, true, itemsOfRequest);
        for (const { item, events: stored, addedAt, isExpired } of items) {
          from = item + 1;
          const isBeginning = next.item === beginningOfFeed.item;
          if (isBeginning && isExpired) continue;
          const isNext = isBeginning || item === next.item + (isThere ? 1 : 0);
          // The feed began anew after the place, or has lost what followed it.
          if (isExpired || !isNext) return events.length > 0 ? page(true) : undefined;
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
        if (isComplete) return page(false);
      }
    },
    async end(apiSet) {
      const { items } = await query(apiSet, 0, false, 1);
      const [last] = items;
      return last === undefined ? beginningOfFeed : { item: last.item, events: last.events.length };
    },
  };
}
