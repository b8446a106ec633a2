import type { ApiSet } from "../accounts/account.ts";
import { isQueue } from "./endpoint.ts";
import type { WebhookTable } from "./endpoint-table.ts";
import { type FeedEntry, groupEvents, isWanted } from "./event.ts";
import type { FeedWriter } from "./feed-writer.ts";
import { createFeedWakeUp, messageOf, type OutgoingWebhook } from "./queue.ts";

/** Where a vendor learns what happened. */
export interface Telling {
  readonly endpoints: Pick<WebhookTable, "list">;
  readonly feed: FeedWriter;
  readonly send: (messages: readonly OutgoingWebhook[]) => Promise<void>;
}

/**
 * Tells a vendor of events: adds them to its feed, and queues messages for its endpoints. An address gets the events of its types,
 * a queue is woken up to read the feed. A queue that fails reads it at its next attempt.
 *
 * It may be repeated: the feed has each event once, and endpoints get them with the same IDs.
 */
export async function tellVendor(
  { endpoints, feed, send }: Telling,
  apiSet: ApiSet,
  source: string,
  entries: readonly FeedEntry[],
  now: number,
): Promise<void> {
  await feed.append(apiSet, source, entries);
  const enabled = (await endpoints.list(apiSet)).filter(({ disabled }) => disabled === undefined);
  const events = groupEvents(entries.map(({ event }) => event));
  const messages = enabled.flatMap((endpoint): OutgoingWebhook[] => {
    if (isQueue(endpoint))
      return (endpoint.failing?.nextAttemptAt ?? 0) <= now ? [createFeedWakeUp(endpoint)] : [];
    return events
      .filter((event) => isWanted(endpoint, event))
      .map((event) => messageOf(endpoint, event, now));
  });
  await send(messages);
}
