import { State } from "../core/cards/life/states.ts";
import { laterFinding } from "../core/golf/later-warnings.ts";
import type { WebhookEvent } from "../core/webhooks/event.ts";
import { exampleApiSet, exampleExternalId, exampleWebhookId } from "./examples.ts";

const apiSet = exampleApiSet;
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
const eventDataExamples: Readonly<Record<WebhookEvent["type"], object>> = {
  "scorecard.delivered": { apiSet, cards: [delivered] },
  "scorecard.rejected": { apiSet, cards: [{ ...of, state: State.rejected, attempts: 1, lastError }] },
  "scorecard.undelivered": {
    apiSet,
    cards: [{ ...of, state: State.undelivered, attempts: 41, lastError: paused.lastError }],
  },
  "scorecard.withdrawn": { apiSet, cards: [{ ...of, state: State.withdrawn, version: 2, attempts: 0 }] },
  "scorecard.warned": {
    apiSet,
    cards: [
      {
        ...delivered,
        found: ["round_seen"],
        warnings: [laterFinding(exampleExternalId, { code: "round_seen", other: "round-2025-06-22-41" })],
      },
    ],
  },
  "scorecard.player_unknown": {
    apiSet,
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
  "scorecard.recorded": { apiSet, cards: [{ ...delivered, record: { state: "recorded", ...differential } }] },
  "scorecard.not_recorded": {
    apiSet,
    cards: [{ ...delivered, record: { state: "not_recorded", at: differential.at } }],
  },
  "delivery.paused": { apiSet, paused },
  "delivery.resumed": { apiSet, paused },
  "scorecards.unsent": {
    apiSet,
    unsent: { day: "2025-06-22", cards: 17, acceptedToday: 15, since: "2025-06-21T21:00:00.000Z" },
  },
  "endpoint.failing": { apiSet, endpoint: failingEndpoint },
  "endpoint.disabled": { apiSet, endpoint: { ...failingEndpoint, failures: 81, why: "failed_for_days" } },
  "endpoint.recovered": { apiSet, endpoint: { id: exampleWebhookId, since: at } },
  "webhook.test": { apiSet },
};

/** An example of an event. */
export const eventExample = (type: WebhookEvent["type"]) => ({
  type,
  timestamp: at,
  data: eventDataExamples[type],
});
