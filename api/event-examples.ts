import { laterFinding } from "../core/cards/life/card.ts";
import { State } from "../core/cards/life/states.ts";
import type { EventType } from "../core/webhooks/endpoint.ts";
import { exampleApiSet, exampleExternalId, exampleWebhookId } from "./examples.ts";

const at = "2025-06-22T17:02:04.027Z";
const of = {
  externalId: exampleExternalId,
  version: 1,
  id: "8C7C9F56-38C8-5CA2-9A4B-5E8E7E3B4B0B",
  acceptedAt: "2025-06-22T17:02:03.214Z",
  since: at,
};
const delivered = { ...of, state: State.delivered, attempts: 1, arrival: "onDayOfPlay" };
const lastError = { stage: "after", status: 422, message: "The exchange answered 422." };
const paused = {
  since: at,
  lastError: { stage: "after", status: 503, message: "The exchange answered 503." },
  nextAttemptAt: "2025-06-22T17:02:34.027Z",
};
const differential = { at: "2025-06-22T20:02:04.027Z", differential: 157_000 };

const failingEndpoint = {
  id: exampleWebhookId,
  since: at,
  failures: 14,
  status: 503,
  message: "The endpoint answered 503.",
};

/** An example of each event's content. */
const eventDataExamples: Readonly<Record<EventType | "webhook.test", object>> = {
  "scorecard.delivered": { apiSet: exampleApiSet, cards: [delivered] },
  "scorecard.rejected": {
    apiSet: exampleApiSet,
    cards: [{ ...of, state: State.rejected, attempts: 1, lastError }],
  },
  "scorecard.undelivered": {
    apiSet: exampleApiSet,
    cards: [{ ...of, state: State.undelivered, attempts: 41, lastError: paused.lastError }],
  },
  "scorecard.withdrawn": {
    apiSet: exampleApiSet,
    cards: [{ ...of, state: State.withdrawn, version: 2, attempts: 0 }],
  },
  "scorecard.warned": {
    apiSet: exampleApiSet,
    cards: [
      {
        ...delivered,
        found: ["round_seen"],
        warnings: [laterFinding(exampleExternalId, { code: "round_seen", other: "round-2025-06-22-41" })],
      },
    ],
  },
  "scorecard.player_unknown": {
    apiSet: exampleApiSet,
    cards: [
      {
        ...delivered,
        warnings: [
          {
            index: 0,
            externalId: exampleExternalId,
            pointer: "/Player",
            code: "player_unknown",
            detail: "The union does not know the player. Check UnionID and LifeTimeID.",
          },
        ],
      },
    ],
  },
  "scorecard.recorded": {
    apiSet: exampleApiSet,
    cards: [{ ...delivered, record: { state: "recorded", ...differential } }],
  },
  "scorecard.not_recorded": {
    apiSet: exampleApiSet,
    cards: [{ ...delivered, record: { state: "not_recorded", at: differential.at } }],
  },
  "delivery.paused": { apiSet: exampleApiSet, paused },
  "delivery.resumed": { apiSet: exampleApiSet, paused },
  "scorecards.unsent": {
    apiSet: exampleApiSet,
    unsent: { day: "2025-06-22", cards: 17, acceptedToday: 15, since: "2025-06-21T21:00:00.000Z" },
  },
  "endpoint.failing": { apiSet: exampleApiSet, endpoint: failingEndpoint },
  "endpoint.disabled": {
    apiSet: exampleApiSet,
    endpoint: { ...failingEndpoint, failures: 81, why: "failed_for_days" },
  },
  "endpoint.recovered": { apiSet: exampleApiSet, endpoint: { id: exampleWebhookId, since: at } },
  "webhook.test": { apiSet: exampleApiSet },
};

/** An example of an event. */
export const eventExample = (type: EventType | "webhook.test") => ({
  type,
  timestamp: at,
  data: eventDataExamples[type],
});
