import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../accounts/account.ts";
import type { Item } from "../aws/batch.ts";
import { itemsBetween } from "../aws/items-between.ts";
import { unpackJson } from "../aws/packed-json.ts";
import { type ItemPage, queryPage } from "../aws/read-items.ts";
import type { WebhookEvent } from "./event.ts";
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
export const partitionOf = (apiSet: ApiSet) => `${apiSet}#feed`;
export const sourcesOf = (apiSet: ApiSet) => `${partitionOf(apiSet)}#sources`;
export const keyOf = (place: number) => String(place).padStart(16, "0");

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
  readonly newestAt?: number;
}

/** After the key of every item of a feed. */
export const endKey = keyOf(Number.MAX_SAFE_INTEGER);

/** The items of a partition whose keys are in a range. */
interface KeyRange {
  readonly from: string;
  readonly to: string;
  readonly isForward: boolean;
  readonly limit: number;
}

/** @see itemReader */
export type ReadRange = (partition: string, range: KeyRange) => Promise<ItemPage>;

/** Reads items consistently: an old read could lack an item whose cursor was given out. */
export const itemReader =
  (table: string, client: DynamoDBClient): ReadRange =>
  (partition, { from, to, isForward, limit }) =>
    queryPage(client, {
      ...itemsBetween(table, partition, from, to),
      ConsistentRead: true,
      ScanIndexForward: isForward,
      Limit: limit,
    });

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
  async function itemsIn(apiSet: ApiSet, range: KeyRange) {
    const { items, next } = await read(partitionOf(apiSet), range);
    return { items: items.map((item) => readItem(item, now())), isLast: next === undefined };
  }
  async function endOf(apiSet: ApiSet): Promise<FeedPlace> {
    const range = { from: keyOf(0), to: endKey, isForward: false, limit: 1 };
    const [last] = (await itemsIn(apiSet, range)).items;
    return last === undefined ? beginningOfFeed : { item: last.item, events: last.events.length };
  }

  return {
    end: endOf,
    async page(apiSet, after, limit, before = Number.POSITIVE_INFINITY) {
      let page = beginPage(after);
      for (let from = after.item; ; ) {
        const range = { from: keyOf(from), to: endKey, isForward: true, limit: itemsOfRequest };
        const { items, isLast } = await itemsIn(apiSet, range);
        for (const item of items) {
          from = item.item + 1;
          const step = addItem(page, item, { after, limit, before });
          if (step === "end") return toPage(page, false);
          if (step === "full") return toPage(page, true);
          // The feed began anew after the place, or has lost what followed it.
          if (step === "gap") return page.events.length > 0 ? toPage(page, true) : undefined;
          page = step;
        }
        if (!page.isThere) return undefined;
        if (isLast) return toPage(page, false);
      }
    },
    async placeAt(apiSet, at) {
      const firstIn = async (first: number, last: number) => {
        const range = { from: keyOf(first), to: keyOf(last), isForward: true, limit: 1 };
        return (await itemsIn(apiSet, range)).items[0];
      };
      const end = await endOf(apiSet);
      let earliest = (await firstIn(0, end.item))?.item ?? end.item;
      let latest = end.item;
      // Items are in the order in which they were added. One that has expired may be there still, or not.
      while (earliest < latest) {
        const middle = Math.floor((earliest + latest) / 2);
        const found = await firstIn(middle, middle);
        if (found === undefined || found.isExpired || found.addedAt < at) earliest = middle + 1;
        else latest = middle;
      }
      const found = await firstIn(latest, latest);
      return found === undefined || found.addedAt < at ? end : { item: latest, events: 0 };
    },
  };
}

const readItem = ({ at, events, addedAt, expiresAt }: Item, now: number): StoredItem => ({
  item: Number(at?.S),
  events: unpackJson(events?.B ?? new Uint8Array()) as WebhookEvent[],
  addedAt: Number(addedAt?.N),
  // DynamoDB removes expired items in any order, and a gap would look like one.
  isExpired: Number(expiresAt?.N) * 1000 <= now,
});

/** A page as far as it has been read. */
interface GrowingPage {
  readonly events: WebhookEvent[];
  readonly places: FeedPlace[];
  next: FeedPlace;
  newestAt?: number;
  /** Whether the item of `next` has been read; there is none at the beginning. */
  isThere: boolean;
}

const beginPage = (after: FeedPlace): GrowingPage => ({
  events: [],
  places: [],
  next: after,
  isThere: after.item === beginningOfFeed.item,
});

const toPage = ({ events, places, next, newestAt }: GrowingPage, more: boolean): FeedPage => ({
  events,
  places,
  next,
  more,
  ...(newestAt !== undefined && { newestAt }),
});

/** Adds the events of the next item. @returns the page; or why it ends before the item, or in the middle of it */
function addItem(
  page: GrowingPage,
  { item, events: stored, addedAt, isExpired }: StoredItem,
  { after, limit, before }: { readonly after: FeedPlace; readonly limit: number; readonly before: number },
): GrowingPage | "end" | "full" | "gap" {
  const isBeginning = page.next.item === beginningOfFeed.item;
  if (isBeginning && isExpired) return page;
  const isNext = isBeginning || item === page.next.item + (page.isThere ? 1 : 0);
  if (isExpired || !isNext) return "gap";
  if (addedAt >= before) return "end";
  const skipped = page.isThere ? 0 : after.events;
  if (skipped > stored.length) return "gap";
  page.isThere = true;
  page.newestAt = addedAt;
  page.next = { item, events: skipped };
  for (const event of stored.slice(skipped)) {
    if (page.events.length === limit) return "full";
    if (event !== null) {
      page.events.push(event);
      page.places.push(page.next);
    }
    page.next = { item, events: page.next.events + 1 };
  }
  return page;
}
