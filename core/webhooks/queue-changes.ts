import pMap from "p-map";
import type { CardUpdate } from "../outcomes/activity-counts.ts";
import type { WebhookTable } from "./endpoint-table.ts";
import { type BreakerUpdate, eventOfBreaker, eventsOfCards } from "./event.ts";
import { messagesFor, type OutgoingWebhook } from "./queue.ts";

/** Vendors whose endpoints are read at the same time. */
const parallelVendors = 10;

/**
 * Queues the events of changes for the vendors' endpoints. The events of a change have the same IDs each time, so that a vendor can
 * tell a change that the stream repeats.
 *
 * @param shardId of the table's stream that the changes are from
 * @param now milliseconds since 1970, UTC
 */
export async function queueChanges(
  {
    updates,
    breakers,
    shardId,
  }: {
    readonly updates: readonly CardUpdate[];
    readonly breakers: readonly BreakerUpdate[];
    readonly shardId: string;
  },
  {
    endpoints,
    send,
    now,
  }: {
    readonly endpoints: Pick<WebhookTable, "list">;
    readonly send: (messages: readonly OutgoingWebhook[]) => Promise<void>;
    readonly now: number;
  },
): Promise<void> {
  const events = [...Map.groupBy(updates, ({ card }) => card.apiSet)].flatMap(([apiSet, own]) =>
    eventsOfCards(apiSet, own, shardId),
  );
  events.push(...breakers.flatMap((breaker) => eventOfBreaker(breaker, shardId, now) ?? []));
  const messages = await pMap(
    Map.groupBy(events, ({ data }) => data.apiSet),
    ([apiSet, own]) => messagesFor(endpoints, apiSet, own, now),
    { concurrency: parallelVendors },
  );
  await send(messages.flat());
}
