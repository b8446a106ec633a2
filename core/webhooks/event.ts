import { hash } from "node:crypto";
import type { Paused } from "../../api/card-schemas.ts";
import type { EventCard, ToldEndpoint, UnsentCards } from "../../api/events.ts";
import type { ApiSet } from "../accounts/account.ts";
import type { OpenBreaker } from "../cards/delivery/breaker.ts";
import type { StoredCard } from "../cards/life/card.ts";
import {
  attemptKinds,
  type CardEvent,
  type ForEachKind,
  forKinds,
  versionKinds,
  viewOf,
} from "../cards/life/events.ts";
import { type CardHappening, happened } from "../cards/life/happened.ts";
import { cardStatus, pausedBy } from "../cards/status.ts";
import { chunks } from "../formats/chunks.ts";
import type { EventType } from "./endpoint.ts";

/** An event as endpoints get it. @see https://www.standardwebhooks.com */
export interface WebhookEvent {
  /** The same whenever the event is sent again. */
  readonly id: string;
  readonly type: EventType | "webhook.test";
  /** When it happened, ISO 8601, UTC. */
  readonly timestamp: string;
  readonly data: WebhookData;
}

/** The content of an event. */
export interface WebhookData {
  readonly apiSet: ApiSet;
  /** Cards with their status, a hundred at most. */
  readonly cards?: readonly EventCard[];
  /** Since when and why nothing is delivered. */
  readonly paused?: Paused;
  /** How many cards wait shortly before midnight. */
  readonly unsent?: UnsentCards;
  /** The endpoint that fails, is disabled, or works again. */
  readonly endpoint?: ToldEndpoint;
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

const cardsInEvent = 100;

/** The types of events that tell a vendor of each kind. */
const typesOf: ForEachKind<readonly EventType[]> = {
  ...forKinds([] as EventType[], ...versionKinds, ...attemptKinds, "erased"),
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

/** A card in an event of one type, and when what the event tells happened. */
interface ToldCard {
  readonly sequenceNumber: string;
  readonly card: EventCard;
  readonly at: number;
}

const idOf = (...parts: readonly string[]) =>
  `evt_${hash("sha256", JSON.stringify(parts), "base64url").slice(0, 22)}`;

const closed = { version: 0, open: undefined };

/** Statuses of cards as events have them: the feed and the endpoints get the same. */
const statuses = new WeakMap<StoredCard, EventCard>();

/** A card in an event. The hash is left out: it would let anybody check a guess of the content. */
function toldCard(card: StoredCard, event: CardEvent): EventCard {
  const status = statuses.get(card) ?? statusInEvent(card);
  statuses.set(card, status);
  return event.kind === "warned" ? { ...status, found: event.codes } : status;
}

function statusInEvent(card: StoredCard): EventCard {
  const { contentHash: _hash, ...status } = cardStatus(card.externalId, card, closed);
  return status;
}

/** The events of one vendor's changes, with up to a hundred cards each. */
export function eventsOfCards(
  apiSet: ApiSet,
  updates: readonly CardHappening[],
  shardId: string,
): WebhookEvent[] {
  const byType = new Map<EventType, ToldCard[]>();
  for (const { card, events, sequenceNumber } of updates) {
    const told = events.flatMap((event) =>
      viewOf(typesOf, event, undefined).map((type) => [type, event] as const),
    );
    // One change is one event of a type.
    for (const [type, event] of new Map(told)) {
      const cards = byType.get(type) ?? [];
      cards.push({ sequenceNumber, card: toldCard(card, event), at: event.at });
      byType.set(type, cards);
    }
  }
  return [...byType].flatMap(([type, all]) =>
    chunks(all, cardsInEvent).map((some) => ({
      id: idOf(apiSet, type, shardId, some[0]?.sequenceNumber ?? "", String(some.length)),
      type,
      timestamp: new Date(Math.max(...some.map(({ at }) => at))).toISOString(),
      data: { apiSet, cards: some.map(({ card }) => card) },
    })),
  );
}

/** The event of a circuit breaker that opened or closed; undefined if it did neither. */
export function eventOfBreaker(
  { apiSet, open, before, sequenceNumber }: BreakerUpdate,
  shardId: string,
  now: number,
): WebhookEvent | undefined {
  const of = open ?? before;
  if (of === undefined || (open === undefined) === (before === undefined)) return undefined;
  const type = open === undefined ? "delivery.resumed" : "delivery.paused";
  const timestamp = new Date(open?.since ?? now).toISOString();
  return {
    id: idOf(apiSet, type, shardId, sequenceNumber),
    type,
    timestamp,
    data: { apiSet, paused: pausedBy(of) },
  };
}

/**
 * The events of a batch of changes, by vendor. They have the same IDs each time, so that a vendor can tell a change that the
 * stream repeats.
 *
 * @param now milliseconds since 1970, UTC
 */
export function eventsOfChanges({ updates, breakers, shardId }: StreamBatch, now: number): WebhookEvent[] {
  const events = [...Map.groupBy(updates, ({ card }) => card.apiSet)].flatMap(([apiSet, own]) =>
    eventsOfCards(apiSet, own, shardId),
  );
  events.push(...breakers.flatMap((breaker) => eventOfBreaker(breaker, shardId, now) ?? []));
  return events;
}

/** The event of cards that wait shortly before midnight: one a day, however often it is made. @param now milliseconds since 1970 */
export function eventOfUnsent(
  apiSet: ApiSet,
  unsent: UnsentCards,
  open: OpenBreaker | undefined,
  now: number,
): WebhookEvent {
  const type = "scorecards.unsent";
  return {
    id: idOf(apiSet, type, unsent.day),
    type,
    timestamp: new Date(now).toISOString(),
    data: { apiSet, unsent, ...(open !== undefined && { paused: pausedBy(open) }) },
  };
}

/** What an endpoint has come to that its vendor is told of. */
export type EndpointEventType = Extract<EventType, `endpoint.${string}`>;

/**
 * The event of an endpoint that fails, is disabled, or works again: the same for the same failure, however often it is made.
 *
 * @param now milliseconds since 1970
 */
export function eventOfEndpoint(
  apiSet: ApiSet,
  type: EndpointEventType,
  endpoint: ToldEndpoint,
  now: number,
): WebhookEvent {
  const timestamp = new Date(now).toISOString();
  return {
    id: idOf(apiSet, type, endpoint.id, endpoint.since ?? timestamp),
    type,
    timestamp,
    data: { apiSet, endpoint },
  };
}

/** Events that tell the present outcomes of cards once more. @param replay names the request that asked for it */
export function replayedEvents(apiSet: ApiSet, cards: readonly StoredCard[], replay: string): WebhookEvent[] {
  const updates = cards.map(
    (card, place): CardHappening => ({
      card,
      before: undefined,
      sequenceNumber: String(place),
      events: happened(undefined, card),
    }),
  );
  return eventsOfCards(apiSet, updates, replay);
}

/** An event to try an endpoint with. */
export const testEvent = (apiSet: ApiSet, request: string, now: Date): WebhookEvent => ({
  id: idOf(apiSet, "webhook.test", request),
  type: "webhook.test",
  timestamp: now.toISOString(),
  data: { apiSet },
});

/** The body that is posted. */
export const bodyOf = ({ type, timestamp, data }: WebhookEvent): string =>
  JSON.stringify({ type, timestamp, data });
