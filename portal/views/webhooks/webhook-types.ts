import type { WebhookInput } from "@scorecard-pipeline/scorecards-client";

type WebhookType = NonNullable<WebhookInput["types"]>[number];

/** One entry for each type of the API: it does not compile if one is missing or unknown to the API. */
const inOrder: Readonly<Record<WebhookType, true>> = {
  "scorecard.delivered": true,
  "scorecard.rejected": true,
  "scorecard.undelivered": true,
  "scorecard.withdrawn": true,
  "scorecard.warned": true,
  "scorecard.player_unknown": true,
  "scorecard.recorded": true,
  "scorecard.not_recorded": true,
  "delivery.paused": true,
  "delivery.resumed": true,
  "scorecards.unsent": true,
  "endpoint.failing": true,
  "endpoint.disabled": true,
  "endpoint.recovered": true,
};

/** The events that an endpoint can receive, as the API names them. */
export const webhookTypes = Object.keys(inOrder) as readonly WebhookType[];
