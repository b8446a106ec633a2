import type { ApiSet } from "../accounts/api-set.ts";
import type { CardContent } from "../dynamodb/packed-json.ts";

/** Names a card: the vendor's tenant and the vendor's own identifier. */
export interface CardKey {
  readonly apiSet: ApiSet;
  readonly externalId: string;
}

/**
 * The states of a card.
 *
 * - `queued`: accepted, not tried yet
 * - `retrying`: tried, and tried again later
 * - `delivered`: the exchange echoed it
 * - `rejected`: the exchange refused it
 * - `withdrawn`: taken back by the vendor before it was delivered
 * - `undelivered`: given up after two days of attempts; can be sent on again
 */
export const cardStates = [
  "queued",
  "retrying",
  "delivered",
  "rejected",
  "withdrawn",
  "undelivered",
] as const;

/** What became of a card. */
export type CardState = (typeof cardStates)[number];

/** The states in which a card is to be posted. */
export const openStates = ["queued", "retrying"] as const satisfies readonly CardState[];

/** Whether a card in this state is not posted any more. */
export const isFinal = (state: CardState): boolean => !openStates.some((open) => open === state);

/** Why a card was not delivered, in words that name no person. */
export interface DeliveryFailure {
  /** `before` the post the exchange has seen nothing; `during` it may have taken the cards; `after` it has answered. */
  readonly phase: "before" | "during" | "after";
  /** HTTP status of the exchange, if it answered. */
  readonly status?: number;
  readonly message: string;
}

/** How an earlier version of a card ended. */
export interface EarlierOutcome {
  readonly version: number;
  readonly state: CardState;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
}

/** Everything that is known of a card: one item of the table. Times in milliseconds since 1970, UTC. */
export interface StoredCard extends CardKey {
  /** 1, 2, … with every content, every withdrawal, and every time that a given-up card is sent on again. */
  readonly version: number;
  readonly state: CardState;
  /** When the state was recorded. */
  readonly since: number;
  /** When this version was accepted: it is given up two days later. */
  readonly acceptedAt: number;
  /** The request that brought this version. */
  readonly requestId: string;
  /** Hash of what the vendor sent. */
  readonly contentHash: string;
  readonly content: CardContent;
  /** Whether a post of an earlier version may still be under way: this one waits until none can be. */
  readonly mustWait: boolean;
  /** Posts of this version that were recorded. */
  readonly attempts: number;
  /** Posts of this card alone that were answered with 500: the first, and those since which others went through. */
  readonly serverErrors: number;
  /** The latest version that the exchange is known to have; 0 for none. */
  readonly atExchange: number;
  /** The latest version of which a post has no known answer; 0 for none. */
  readonly maybeAtExchange: number;
  /** It failed by itself, and is not posted before this time. */
  readonly nextAttemptAt?: number | undefined;
  readonly failure?: DeliveryFailure | undefined;
  /** The latest last, ten at most. */
  readonly earlier: readonly EarlierOutcome[];
}

/**
 * A change of a card that is made only if nobody else has changed it first.
 *
 * `expects` is what the writer has read; without it the card must not exist yet. Fields of `set` that are undefined are
 * removed; what `set` does not name stays.
 */
export interface CardChange extends CardKey {
  readonly expects?: Expected;
  readonly set: Partial<Omit<StoredCard, "apiSet" | "externalId">>;
}

/** What must still hold of a card for a change of it. */
export interface Expected {
  readonly version: number;
  readonly states: readonly CardState[];
  readonly since?: number;
  readonly atExchange?: number;
  readonly maybeAtExchange?: number;
}

/** `lost`: somebody else has changed the card, or this writer has by a request whose answer was lost; read it again. */
export type WriteResult = "written" | "lost";

const earlierKept = 10;

/** The outcomes before a card's next version. */
export function earlierOutcomes({ version, state, since, earlier }: StoredCard): readonly EarlierOutcome[] {
  return isFinal(state) ? [...earlier, { version, state, at: since }].slice(-earlierKept) : earlier;
}
