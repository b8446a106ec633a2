import type { CardState as State } from "./api-types.ts";

/** The states of a card by name. The compiler compares them with those of the OpenAPI document. */
export const CardState = {
  queued: "queued",
  retrying: "retrying",
  delivered: "delivered",
  rejected: "rejected",
  withdrawing: "withdrawing",
  withdrawn: "withdrawn",
  undelivered: "undelivered",
} as const satisfies { readonly [Name in State]: Name };

/** The state of a card. */
export type CardState = State;

/** The states of cards that are to be posted. */
export const waitingStates: readonly string[] = [CardState.queued, CardState.retrying];

/** The states of cards that have their outcome. */
export const finalStates: readonly string[] = [
  CardState.delivered,
  CardState.rejected,
  CardState.withdrawn,
  CardState.undelivered,
];
