import type { ScorecardTable } from "../cards/scorecard-table.ts";
import { dayOf } from "../formats/union-time.ts";
import type { ActivityReader, ListPlace } from "../views/activity-table.ts";
import { type EventType, isQueue, type WebhookEndpoint } from "./endpoint.ts";
import { replayedEvents, type WebhookEvent } from "./event.ts";

/** Which outcomes are sent once more. */
export interface Replay {
  /** From when on, and before when, in milliseconds since 1970. */
  readonly from: number;
  readonly before: number;
  readonly types: readonly EventType[];
  /** Where an earlier request stopped. */
  readonly after?: ListPlace | undefined;
  /** Makes the events different from those of other requests. */
  readonly requestId: string;
}

/** The lists of a day's cards, the cards, and who sends events. */
export interface ReplayDependencies {
  readonly activity: Pick<ActivityReader, "cards">;
  readonly cards: Pick<ScorecardTable, "read">;
  readonly timeZone: string;
  /** How long after its acceptance a card may get an outcome, in milliseconds. */
  readonly lastOutcomeAfter: number;
  readonly send: (events: readonly WebhookEvent[]) => Promise<void>;
  /** Whether there is time to look through more cards. */
  readonly hasTime: () => boolean;
}

const cardsOfPage = 100;

/**
 * Sends the present outcomes of all cards that got their outcome, or what their record says, in some time.
 *
 * @returns how many cards that are, and where to go on if the time was over before the end
 */
export async function replayOutcomes(
  { activity, cards, timeZone, lastOutcomeAfter, send, hasTime }: ReplayDependencies,
  endpoint: WebhookEndpoint,
  { from, before, types, after, requestId }: Replay,
): Promise<{ readonly cards: number; readonly next: ListPlace | undefined }> {
  const { apiSet } = endpoint;
  // Cards are listed by the day of their acceptance.
  const days = { from: dayOf(from - lastOutcomeAfter, timeZone), to: dayOf(before - 1, timeZone) };
  const wanted = new Set<string>(types);
  const isInTime = (at: number | undefined) => at !== undefined && at >= from && at < before;
  const replayed = new Set<string>();
  let next = after;
  for (let page = 0; page === 0 || (next !== undefined && hasTime()); page++) {
    const listed = await activity.cards(apiSet, days, cardsOfPage, next);
    const stored = await cards.read(listed.externalIds.map((externalId) => ({ apiSet, externalId })));
    const recent = stored.filter(({ since, record }) => isInTime(since) || isInTime(record?.at));
    // A queue's event is about one card, as those of its feed are, which it may get in the card's order.
    const told = isQueue(endpoint)
      ? recent.flatMap((card) => replayedEvents(apiSet, [card], `${requestId} ${card.externalId}`))
      : replayedEvents(apiSet, recent, `${requestId} ${page}`);
    const events = told.filter(({ type }) => wanted.has(type));
    await send(events);
    // A card can be in several events, as one for its delivery and one for its record.
    for (const { data } of events) for (const { externalId } of data.cards ?? []) replayed.add(externalId);
    next = listed.next;
  }
  return { cards: replayed.size, next };
}
