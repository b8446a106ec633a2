import type { ShownEndpoint } from "../../api/webhook-schemas.ts";
import { beginningOfFeed, isQueue, maxCounted, type WebhookEndpoint } from "./endpoint.ts";
import { isWanted } from "./event.ts";
import type { FeedReader } from "./feed-table.ts";

const time = (milliseconds: number) => new Date(milliseconds).toISOString();

/** An endpoint as the API shows it. @param pending how many events of the feed it has yet to get */
export function shownEndpoint(endpoint: WebhookEndpoint, pending = 0): ShownEndpoint {
  const { id, url, roleArn, types, headers = {}, createdAt, lastTakenAt, failing, disabled } = endpoint;
  const names = Object.keys(headers);
  return {
    id,
    url,
    ...(roleArn !== undefined && { roleArn }),
    types,
    ...(names.length > 0 && { headers: names }),
    createdAt: time(createdAt),
    pending,
    ...(lastTakenAt !== undefined && { lastTakenAt: time(lastTakenAt) }),
    state: disabled !== undefined ? "disabled" : failing !== undefined ? "failing" : "active",
    ...(failing && {
      failing: {
        since: time(failing.since),
        failures: failing.failures,
        // An event's own next attempt can be later than the endpoint's.
        nextAttemptAt: time(failing.dueAt ?? failing.nextAttemptAt),
        ...(failing.status !== undefined && { status: failing.status }),
        message: failing.message,
      },
    }),
    ...(disabled && { disabled: { ...disabled, at: time(disabled.at) } }),
  };
}

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
