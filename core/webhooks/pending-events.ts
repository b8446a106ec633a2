import { beginningOfFeed, isQueue, type WebhookEndpoint } from "./endpoint.ts";
import { isWanted } from "./event.ts";
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
  const { apiSet, failing, withheldAt, disabled } = endpoint;
  const since = isQueue(endpoint) || disabled ? undefined : (failing?.since ?? withheldAt);
  let place = isQueue(endpoint) ? (endpoint.feed ?? beginningOfFeed) : undefined;
  if (since !== undefined) place = await feed.placeAt(apiSet, since);
  // The event that an address refused first was in the feed before.
  let count = failing === undefined || isQueue(endpoint) ? 0 : 1;
  while (place !== undefined && count < maxCounted) {
    const page =
      (await feed.page(apiSet, place, pageSize)) ?? (await feed.page(apiSet, beginningOfFeed, pageSize));
    count += page?.events.filter((event) => isWanted(endpoint, event)).length ?? 0;
    place = page?.more ? page.next : undefined;
  }
  return Math.min(count, maxCounted);
}
