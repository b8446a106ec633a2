// Generated from core/cards/life/states.ts and core/views/activity-counts.ts by `npm run client:types`. Change those instead.

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

/** What Activity counts of cards that need attention, and that they can be listed by. */
export const listedCounts = [
  "rejected",
  "undelivered",
  "notRecorded",
  "player_unknown",
  "tee_gender_differs",
  "handicap_status",
  "no_right_to_play",
  "membership_ended",
  "handicap_differs",
  "marker_unknown",
  "player_differs",
  "marker_differs",
  "marker_is_player",
  "round_seen",
  "rounds_overlap",
  "rounds_many",
  "recorded_twice",
] as const;
