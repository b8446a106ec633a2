/**
 * What became of a card.
 *
 * - `queued`: accepted, no delivery tried yet
 * - `retrying`: tried, and tried again later
 * - `delivered`: the exchange echoed it
 * - `rejected`: the exchange refused it
 * - `withdrawn`: taken back by the vendor before it was delivered
 * - `undelivered`: given up after two days of retries; can be sent on again
 */
export type CardState = "queued" | "withdrawn" | DeliveryState;

/** The states that a delivery records; the others follow from the card itself. */
export const deliveryStates = ["retrying", "delivered", "rejected", "undelivered"] as const;

/** What a delivery came to. */
export type DeliveryState = (typeof deliveryStates)[number];

/** Whether the exchange has had its say: such a card is never posted again. */
export function isFinal(state: DeliveryState): boolean {
  return state === "delivered" || state === "rejected";
}

/**
 * Where in a delivery a failure happened, which decides what may be repeated:
 * `before` the post the exchange has seen nothing; `during` it may have taken the cards; `after` it has answered.
 */
export type DeliveryStage = "before" | "during" | "after";

/** Why a card was not delivered, in words that name no person. */
export interface DeliveryFailure {
  readonly stage: DeliveryStage;
  /** HTTP status of the exchange, where it answered. */
  readonly status?: number;
  readonly message: string;
}

/** The outcome of an earlier revision of a corrected card. */
export interface EarlierOutcome {
  readonly revision: string;
  readonly state: DeliveryState;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
}
