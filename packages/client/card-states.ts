// Generated from core/cards/life/states.ts by `npm run client:types`. Change that file instead.

/** The states of a card by name. */
export const CardState = {
  queued: "queued",
  retrying: "retrying",
  delivered: "delivered",
  rejected: "rejected",
  withdrawing: "withdrawing",
  withdrawn: "withdrawn",
  undelivered: "undelivered",
} as const;

/** The state of a card. */
export type CardState = (typeof CardState)[keyof typeof CardState];

/** The states of cards that are to be posted. */
export const waitingStates = ["queued", "retrying"] as const;

/** The states of cards that have their outcome. */
export const finalStates = ["delivered", "rejected", "withdrawn", "undelivered"] as const;

/** The states that cards can be listed by: those that need attention. */
export const listedStates = ["retrying", "rejected", "withdrawn", "undelivered"] as const;
