import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import { type EventType, type FeedPlace, isQueue, type WebhookEndpoint } from "./endpoint.ts";
import { groupEvents, isWanted, replayedEvents, type WebhookEvent } from "./event.ts";
import type { FeedReader } from "./feed-table.ts";

/** Which outcomes are sent once more. */
export interface Replay {
  /** From when on, and before when, in milliseconds since 1970. */
  readonly from: number;
  readonly before: number;
  readonly types: readonly EventType[];
  /** Where an earlier request stopped. */
  readonly after?: FeedPlace | undefined;
  /** Makes the events different from those of other requests. */
  readonly requestId: string;
}

/** The feed, the cards, and who sends events. */
export interface ReplayDependencies {
  readonly feed: Pick<FeedReader, "page" | "placeAt">;
  readonly cards: Pick<ScorecardTable, "read">;
  readonly send: (events: readonly WebhookEvent[]) => Promise<void>;
  /** Whether there is time to look through more events. */
  readonly hasTime: () => boolean;
}

/** As many cards as one request reads. */
const eventsOfPage = 100;

/**
 * Sends the present outcomes of all cards that events told of in some time. The feed has those events, however long before the cards
 * were accepted.
 *
 * @returns how many cards that are, and where to go on if the time was over before the end
 */
export async function replayOutcomes(
  { feed, cards, send, hasTime }: ReplayDependencies,
  endpoint: WebhookEndpoint,
  { from, before, types, after, requestId }: Replay,
): Promise<{ readonly cards: number; readonly next: FeedPlace | undefined }> {
  const { apiSet } = endpoint;
  const isChosen = (event: WebhookEvent) => isWanted({ ...endpoint, types }, event);
  const seen = new Set<string>();
  let replayed = 0;
  let place = after ?? (await feed.placeAt(apiSet, from));
  for (;;) {
    const page = await feed.page(apiSet, place, eventsOfPage, before);
    // The feed began anew meanwhile.
    if (page === undefined) return { cards: replayed, next: undefined };
    const told = page.events.filter(isChosen).flatMap(({ data }) => data.cards ?? []);
    const others = new Set(told.map(({ externalId }) => externalId)).difference(seen);
    for (const externalId of others) seen.add(externalId);
    const stored = await cards.read([...others].map((externalId) => ({ apiSet, externalId })));
    const wanted = replayedEvents(stored, requestId).filter(isChosen);
    // A queue's event is about one card, as those of its feed are, which it may get in the card's order.
    await send(isQueue(endpoint) ? wanted : groupEvents(wanted));
    // A card can be in several events, as one for its delivery and one for its record.
    replayed += new Set(wanted.map(({ data }) => data.cards?.[0]?.externalId)).size;
    place = page.next;
    if (!page.more || !hasTime()) return { cards: replayed, next: page.more ? place : undefined };
  }
}
