import { setTimeout as delay } from "node:timers/promises";
import pMap from "p-map";
import { mostCardsAsked, statusesOfCards, type Vendor } from "../client/vendor-api.ts";

/** A card that was accepted. */
interface WatchedCard {
  readonly vendor: Vendor;
  readonly externalId: string;
}

/** What watching cards takes. */
export interface WatchOptions<Card extends WatchedCard> {
  readonly api: string;
  readonly cards: readonly Card[];
  /** By the clock of `performance.now()`. */
  readonly deadline: number;
  /** How many cards are delivered, whenever that changes. */
  readonly onDelivered: (delivered: number) => void;
  readonly signal: AbortSignal;
}

const finalStates = new Set(["delivered", "rejected", "undelivered", "withdrawn"]);
const pauseMilliseconds = 250;
const parallelQuestions = 4;

/**
 * Asks what became of cards until every one has a final state, or the deadline has passed.
 *
 * An answer that fails is asked for again next time.
 *
 * @returns the last known state by card; none for a card of which nothing was learnt
 * @throws only the reason of the signal
 */
export async function watchCards<Card extends WatchedCard>(
  options: WatchOptions<Card>,
): Promise<Map<Card, string>> {
  const { api, cards, deadline, onDelivered, signal } = options;
  const states = new Map<Card, string>();
  let delivered = 0;
  const unsettled = () => cards.filter((card) => !finalStates.has(states.get(card) ?? ""));

  while (unsettled().length > 0 && performance.now() < deadline) {
    await pMap(questions(unsettled()), (asked) => learn(api, asked, states, signal), {
      concurrency: parallelQuestions,
    });
    const count = [...states.values()].filter((state) => state === "delivered").length;
    if (count !== delivered) onDelivered(count);
    delivered = count;
    if (unsettled().length > 0) await delay(pauseMilliseconds, undefined, { signal });
  }
  return states;
}

/** Cards of one vendor each, as many as may be asked for at a time. */
function questions<Card extends WatchedCard>(cards: readonly Card[]): Card[][] {
  return [...Map.groupBy(cards, ({ vendor }) => vendor).values()].flatMap((ofVendor) =>
    Array.from({ length: Math.ceil(ofVendor.length / mostCardsAsked) }, (_, number) =>
      ofVendor.slice(number * mostCardsAsked, (number + 1) * mostCardsAsked),
    ),
  );
}

async function learn<Card extends WatchedCard>(
  api: string,
  asked: readonly Card[],
  states: Map<Card, string>,
  signal: AbortSignal,
): Promise<void> {
  const [first] = asked;
  if (first === undefined) return;
  try {
    const ids = asked.map(({ externalId }) => externalId);
    // Not tried again here: it is asked again next time anyway.
    const statuses = await statusesOfCards(api, first.vendor, ids, 0, signal);
    const answer = new Map(statuses.map(({ externalId, state }) => [externalId, state]));
    for (const card of asked) {
      const state = answer.get(card.externalId);
      if (state !== undefined) states.set(card, state);
    }
  } catch {
    signal.throwIfAborted();
  }
}
