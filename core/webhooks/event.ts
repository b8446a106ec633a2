import { hash } from "node:crypto";
import type { EventCard, FeedEventData } from "../../api/events.ts";
import type { ApiSet } from "../accounts/account.ts";
import type { OpenBreaker } from "../cards/delivery/breaker.ts";
import type { StoredCard } from "../cards/life/card.ts";
import {
  type CardEvent,
  type CardHappening,
  happened,
  type ViewByKind,
  viewOf,
} from "../cards/life/happened.ts";
import { cardStatus, pausedBy } from "../cards/status.ts";
import { chunks } from "../formats/chunks.ts";
import { type EventType, isQueue, type WebhookEndpoint } from "./endpoint.ts";

/** An event as endpoints get it. @see https://www.standardwebhooks.com */
export interface WebhookEvent {
  /** The same whenever the event is sent again. */
  readonly id: string;
  readonly type: EventType | "webhook.test";
  /** When it happened, ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: WebhookData;
}

/** The content of an event; of one for an address with a hundred cards at most. */
export interface WebhookData extends FeedEventData {
  readonly apiSet: ApiSet;
}

/** A vendor's circuit breaker before and after a change. */
export interface BreakerUpdate {
  readonly sequenceNumber: string;
  readonly apiSet: ApiSet;
  readonly open: OpenBreaker | undefined;
  readonly before: OpenBreaker | undefined;
}

/** What happened in a batch of a shard of the table's stream. */
export interface StreamBatch {
  readonly updates: readonly CardHappening[];
  readonly breakers: readonly BreakerUpdate[];
  /** Events of the same changes have the same IDs. */
  readonly shardId: string;
}

/** Whether an endpoint is sent an event. An address gets none about itself. */
export const isWanted = (endpoint: WebhookEndpoint, { type, data }: WebhookEvent): boolean =>
  endpoint.types.some((one) => one === type) && (isQueue(endpoint) || data.endpoint?.id !== endpoint.id);

/** Cards in an event for an address. */
const cardsInEvent = 100;

/** The types of events that tell a vendor of each kind. */
const typesOf: ViewByKind<EventType> = {
  delivered: () => ["scorecard.delivered"],
  rejected: () => ["scorecard.rejected"],
  undelivered: () => ["scorecard.undelivered"],
  withdrawn: () => ["scorecard.withdrawn"],
  // Its status says `maybeDelivered`.
  maybeDelivered: () => ["scorecard.withdrawn"],
  // The older type stays for those who use it.
  warned: ({ codes }) =>
    codes.includes("player_unknown")
      ? ["scorecard.warned", "scorecard.player_unknown"]
      : ["scorecard.warned"],
  recorded: () => ["scorecard.recorded"],
  notRecorded: () => ["scorecard.not_recorded"],
  rerated: () => ["scorecard.recorded"],
};

const idOf = (...parts: readonly string[]) =>
  `evt_${hash("sha256", JSON.stringify(parts), "base64url").slice(0, 22)}`;

/** Makes an event. @param at milliseconds since 1970, UTC @param origin what it is of: the same makes the same ID, however often */
export const createEvent = (
  apiSet: ApiSet,
  type: WebhookEvent["type"],
  at: number,
  data: Omit<WebhookData, "apiSet">,
  ...origin: readonly string[]
): WebhookEvent => ({
  id: idOf(apiSet, type, ...origin),
  type,
  timestamp: new Date(at).toISOString(),
  data: { apiSet, ...data },
});

const closed = { version: 0, open: undefined };

/** A card in an event. The hash is left out: it would let anybody check a guess of the content. */
function toldCard(card: StoredCard, event: CardEvent): EventCard {
  const { contentHash: _hash, ...status } = cardStatus(card.externalId, card, closed);
  return event.kind === "warned" ? { ...status, found: event.codes } : status;
}

/**
 * The events of one change of a card, one of a type. They have the same IDs each time, so that a vendor can tell a change that the
 * stream repeats.
 */
export function eventsOfChange(
  { card, events, sequenceNumber }: Omit<CardHappening, "before">,
  shardId: string,
): WebhookEvent[] {
  const told = events.flatMap((event) =>
    viewOf(typesOf, event, undefined).map((type) => [type, event] as const),
  );
  return [...new Map(told)].map(([type, event]) =>
    createEvent(card.apiSet, type, event.at, { cards: [toldCard(card, event)] }, shardId, sequenceNumber),
  );
}

/** Events as addresses get them: those of a type with up to a hundred cards each. The same events make the same IDs. */
export function groupEvents(events: readonly WebhookEvent[]): WebhookEvent[] {
  const groups = Map.groupBy(events, ({ id, type, data }) => (data.cards === undefined ? id : type));
  return [...groups.values()].flatMap((all) =>
    chunks(all, cardsInEvent).flatMap((some) => {
      const [first] = some;
      if (first === undefined || some.length === 1) return some;
      const times = some.map((one) => one.timestamp).toSorted();
      const timestamp = times.at(-1) ?? first.timestamp;
      const cards = some.flatMap(({ data }) => data.cards ?? []);
      return { ...first, id: idOf(first.id, String(some.length)), timestamp, data: { ...first.data, cards } };
    }),
  );
}

/** The event of a circuit breaker that opened or closed, if it did. */
export function eventsOfBreaker(
  { apiSet, open, before, sequenceNumber }: BreakerUpdate,
  shardId: string,
  now: number,
): WebhookEvent[] {
  const of = open ?? before;
  if (of === undefined || (open === undefined) === (before === undefined)) return [];
  const type = open === undefined ? "delivery.resumed" : "delivery.paused";
  return [createEvent(apiSet, type, open?.since ?? now, { paused: pausedBy(of) }, shardId, sequenceNumber)];
}

/** An event of the feed, with the position of its change in a shard of the table's stream. */
export interface FeedEntry {
  readonly sequenceNumber: string;
  readonly event: WebhookEvent;
}

/**
 * The events of a batch of changes, one card each, in the order of the stream: several cards in an event, as webhooks have them,
 * could show a card's later outcome before an earlier one of another type.
 */
export function feedEntries({ updates, breakers, shardId }: StreamBatch, now: number): FeedEntry[] {
  const changes = [
    ...updates.map((update) => ({ ...update, told: eventsOfChange(update, shardId) })),
    ...breakers.map((update) => ({ ...update, told: eventsOfBreaker(update, shardId, now) })),
  ];
  return changes
    .toSorted((one, other) => Number(BigInt(one.sequenceNumber) - BigInt(other.sequenceNumber)))
    .flatMap(({ sequenceNumber, told }) => told.map((event) => ({ sequenceNumber, event })));
}

/** What an endpoint has come to that its vendor is told of. */
export type EndpointEventType = Extract<EventType, `endpoint.${string}`>;

/** Events that tell the present outcomes of cards once more. @param replay names the request that asked for it */
export const replayedEvents = (cards: readonly StoredCard[], replay: string): WebhookEvent[] =>
  cards.flatMap((card) =>
    eventsOfChange({ card, sequenceNumber: card.externalId, events: happened(undefined, card) }, replay),
  );

/** The body that is posted. */
export const bodyOf = ({ type, timestamp, data }: WebhookEvent): string =>
  JSON.stringify({ type, timestamp, data });
