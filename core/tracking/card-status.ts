import type { Finding } from "../scorecard/finding.ts";
import type { CardHistory, StoredCard } from "../store/scorecard-table.ts";
import { type CardState, type DeliveryFailure, isFinal } from "./state.ts";

/** What a vendor is told of a card. Times are ISO 8601 in UTC. */
export interface CardStatus {
  readonly externalId: string;
  readonly state: CardState | "unknown";
  /** The card's own ID at the union. */
  readonly id?: unknown;
  readonly acceptedAt?: string;
  /** When the state was recorded. */
  readonly since?: string;
  /** Posts to the exchange so far. */
  readonly attempts?: number;
  readonly lastError?: DeliveryFailure;
  readonly nextAttemptAt?: string;
  readonly warnings?: readonly Finding[];
  /** Outcomes of what this card corrects, the latest last. */
  readonly earlier?: readonly { readonly state: CardState; readonly at: string }[];
}

const time = (milliseconds: number) => new Date(milliseconds).toISOString();

/**
 * What became of a card, from what is stored of it and of its delivery.
 *
 * A delivery of an earlier revision is history; the card itself is queued again then. A withdrawal that came too
 * late, since the exchange had its say on what it withdraws, changes nothing.
 */
export function cardStatus(externalId: string, history: CardHistory<StoredCard> | undefined): CardStatus {
  const { card, delivery } = history ?? {};
  if (card === undefined) return { externalId, state: "unknown" };
  const withdrawn = card.withdraws !== undefined;
  const applies = withdrawn
    ? delivery?.revision === card.withdraws && isFinal(delivery.state)
    : delivery?.revision === card.revision;
  const before = delivery === undefined || applies ? [] : [{ state: delivery.state, at: delivery.since }];
  const earlier = [...(delivery?.earlier ?? []), ...before].map(({ state, at }) => ({ state, at: time(at) }));
  const warnings = card.content.warnings();
  const known = {
    externalId,
    id: (JSON.parse(card.content.text()) as { readonly ID?: unknown }).ID,
    acceptedAt: time(card.acceptedAt),
    ...(warnings.length > 0 && { warnings }),
    ...(earlier.length > 0 && { earlier }),
  };
  if (delivery === undefined || !applies) {
    return { ...known, state: withdrawn ? "withdrawn" : "queued", since: time(card.acceptedAt) };
  }
  const { state, since, attempts, failure, nextAttemptAt } = delivery;
  return {
    ...known,
    state,
    since: time(since),
    attempts,
    ...(failure !== undefined && { lastError: failure }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: time(nextAttemptAt) }),
  };
}
