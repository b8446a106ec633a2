import type { ApiSet } from "../accounts/account.ts";
import type { CardHappening } from "../cards/life/happened.ts";
import type { WebhookTable } from "./endpoint-table.ts";
import { type BreakerUpdate, eventOfBreaker, eventsOfCards, type WebhookEvent } from "./event.ts";
import { messagesFor, type OutgoingWebhook } from "./queue.ts";

/**
 * The events of a batch of changes, by vendor. They have the same IDs each time, so that a vendor can tell a change that the
 * stream repeats.
 *
 * @param shardId of the table's stream that the changes are from
 * @param now milliseconds since 1970, UTC
 */
export function eventsOfChanges(
  {
    updates,
    breakers,
    shardId,
  }: {
    readonly updates: readonly CardHappening[];
    readonly breakers: readonly BreakerUpdate[];
    readonly shardId: string;
  },
  now: number,
): WebhookEvent[] {
  const events = [...Map.groupBy(updates, ({ card }) => card.apiSet)].flatMap(([apiSet, own]) =>
    eventsOfCards(apiSet, own, shardId),
  );
  events.push(...breakers.flatMap((breaker) => eventOfBreaker(breaker, shardId, now) ?? []));
  return events;
}

/**
 * Queues events of one vendor for its endpoints.
 *
 * @throws an error of the table, or QueueBatchError: then some may be queued
 */
export async function queueEvents(
  apiSet: ApiSet,
  events: readonly WebhookEvent[],
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
  await send(await messagesFor(endpoints, apiSet, events, now));
}
