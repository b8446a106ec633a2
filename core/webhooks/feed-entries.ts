import type { ApiSet } from "../accounts/account.ts";
import { toSortable } from "../aws/sequence-number.ts";
import { eventOfBreaker, eventsOfChange, type StreamBatch, type WebhookEvent } from "./event.ts";

/** An event of the feed, with the position of its change in a shard of the table's stream. */
export interface FeedEntry {
  readonly apiSet: ApiSet;
  readonly sequenceNumber: string;
  readonly event: WebhookEvent;
}

/**
 * The events of a batch of changes, one card each, in the order of the stream: several cards in an event, as webhooks have them,
 * could show a card's later outcome before an earlier one of another type.
 *
 * @param now milliseconds since 1970, UTC
 */
export function feedEntries({ updates, breakers, shardId }: StreamBatch, now: number): FeedEntry[] {
  const ofCards = updates.flatMap((update): FeedEntry[] => {
    const { card, sequenceNumber } = update;
    const { apiSet } = card;
    return eventsOfChange(update, shardId).map((event) => ({ apiSet, sequenceNumber, event }));
  });
  const ofBreakers = breakers.flatMap((breaker): FeedEntry[] => {
    const { apiSet, sequenceNumber } = breaker;
    const event = eventOfBreaker(breaker, shardId, now);
    return event === undefined ? [] : [{ apiSet, sequenceNumber, event }];
  });
  const place = ({ sequenceNumber }: FeedEntry) => toSortable(sequenceNumber);
  return [...ofCards, ...ofBreakers].toSorted((one, other) =>
    place(one) === place(other) ? 0 : place(one) < place(other) ? -1 : 1,
  );
}
