import type { Overview } from "../core/operations/overview.ts";
import type { Activity } from "../core/views/activity.ts";
import { denmark } from "../unions/denmark.ts";
import { badExternalId } from "./card-examples.ts";

const counts = {
  accepted: 214,
  refused: 8,
  corrected: 3,
  resent: 0,
  withdrawn: 1,
  delivered: 215,
  onDayOfPlay: 209,
  late: 6,
  rejected: 1,
  undelivered: 0,
  warned: 3,
  playersUnknown: 2,
  recorded: 209,
  notRecorded: 2,
  deliverySeconds: { half: 0.465, most: 1.42 },
};
export const overview: Overview = {
  stack: "scorecard-pipeline-production",
  at: "2026-07-04T12:00:00.000Z",
  union: "https://union.example",
  delivery: { held: false, eventSource: "Enabled" },
  queue: { waiting: 3, delayed: 1, inFlight: 2, deadLetters: 0, oldestSeconds: 95 },
  breakers: [
    {
      apiSet: "tournament-system",
      since: "2026-07-04T11:58:20.000Z",
      nextAttemptAt: "2026-07-04T12:00:10.000Z",
      status: 503,
      message: "The exchange answered 503.",
    },
  ],
  vendors: [
    {
      username: "tournament-system",
      apiSet: "tournament-system",
      disabled: false,
      today: { accepted: 1_204, refused: 3, delivered: 1_198, late: 12, rejected: 1, undelivered: 0 },
      waiting: 5,
    },
  ],
  objective: {
    delivered: 48_210,
    delayed: 6,
    share: 0.999875,
    budgetUsed: 0.124,
    burnRates: { fast: 0, slow: 0.2 },
  },
  mirror: { clubs: 187, failing: 0, ageSeconds: 842 },
  alarms: [],
};

export const activity: Activity = {
  from: "2025-06-22",
  to: "2025-06-22",
  timeZone: denmark.timeZone,
  waiting: { cards: 0 },
  totals: counts,
  days: [{ day: "2025-06-22", ...counts }],
  hours: [{ start: "2025-06-22T17:00:00.000Z", ...counts }],
  warnings: [
    { code: "player_unknown", cards: 2 },
    { code: "round_seen", cards: 1 },
  ],
  refusals: [
    {
      code: "strokes_count",
      cards: 1,
      examples: [{ externalId: badExternalId, pointer: "/Result/Strokes", at: "2025-06-22T17:02:03.214Z" }],
    },
  ],
};
