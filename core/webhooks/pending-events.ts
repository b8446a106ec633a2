import { isQueue, type WebhookEndpoint } from "./endpoint.ts";
import { isWanted } from "./event.ts";
import { beginningOfFeed, type FeedPlace } from "./feed-place.ts";
import type { FeedReader } from "./feed-table.ts";

/** More events than these are not counted. */
export const maxCounted = 1_000;
const pageSize = 500;

/**
 * How many events of the feed an endpoint has yet to get, up to a thousand: those after the place of a queue, and those since an
 * address takes none or gets none.
 */
export async function countPending(
  endpoint: WebhookEndpoint,
  feed: Pick<FeedReader, "page" | "placeAt">,
): Promise<number> {
  const { apiSet, failing } = endpoint;
  // The event that an address refused first was in the feed before.
  let count = failing === undefined || isQueue(endpoint) ? 0 : 1;
  for (let place = await findWaiting(endpoint, feed); place !== undefined && count < maxCounted; ) {
    const page =
      (await feed.page(apiSet, place, pageSize)) ?? (await feed.page(apiSet, beginningOfFeed, pageSize));
    count += page?.events.filter((event) => isWanted(endpoint, event)).length ?? 0;
    place = page?.more ? page.next : undefined;
  }
  return Math.min(count, maxCounted);
}

/** Where the events begin that wait for an endpoint; undefined if none does. */
async function findWaiting(
  endpoint: WebhookEndpoint,
  feed: Pick<FeedReader, "placeAt">,
): Promise<FeedPlace | undefined> {
  if (isQueue(endpoint)) return endpoint.feed ?? beginningOfFeed;
  const { failing, withheldAt, disabled } = endpoint;
  const since = failing?.since ?? withheldAt;
  return since === undefined || disabled !== undefined ? undefined : feed.placeAt(endpoint.apiSet, since);
}
