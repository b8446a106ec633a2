/** The events that an endpoint can be told, as the API names them. */
export const webhookTypes = [
  "scorecard.delivered",
  "scorecard.rejected",
  "scorecard.undelivered",
  "scorecard.withdrawn",
  "scorecard.player_unknown",
  "delivery.paused",
  "delivery.resumed",
] as const;
