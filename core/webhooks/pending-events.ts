import { isQueue, type WebhookEndpoint } from "./endpoint.ts";
import { beginningOfFeed } from "./feed-place.ts";
import type { FeedReader } from "./feed-table.ts";

/** More events than these are not counted. */
export const maxCounted = 1_000;
const pageSize = 500;

/** How many events of the feed wait for an endpoint that is a queue, up to a thousand; none for one that is no queue. */
export async function eventsInFeed(
  endpoint: WebhookEndpoint,
  feed: Pick<FeedReader, "page">,
): Promise<number> {
  if (!isQueue(endpoint)) return 0;
  const { apiSet, types } = endpoint;
  let count = 0;
  for (let place = endpoint.feed?.place ?? beginningOfFeed; count < maxCounted; ) {
    const page =
      (await feed.page(apiSet, place, pageSize)) ?? (await feed.page(apiSet, beginningOfFeed, pageSize));
    if (page === undefined) break;
    count += page.events.filter(({ type }) => (types as readonly string[]).includes(type)).length;
    if (!page.more) break;
    place = page.next;
  }
  return Math.min(count, maxCounted);
}
