import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../accounts/account.ts";
import type { Item } from "../aws/batch.ts";
import { itemReader } from "../aws/items-between.ts";
import { unpackJson } from "../aws/packed-json.ts";
import { beginningOfFeed, type FeedPlace } from "./endpoint.ts";
import type { WebhookEvent } from "./event.ts";

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
  readonly newestAt?: number | undefined;
}

/** After every item of a feed. */
const maxItem = Number.MAX_SAFE_INTEGER;
export const endKey = keyOf(maxItem);

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
