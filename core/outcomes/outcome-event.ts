import * as z from "zod/mini";

/** The states that are outcomes: what becomes of a card after one of them is another revision's or the operator's. */
const outcomes = ["delivered", "rejected", "undelivered"] as const;

/**
 * What an event says of a card, without a person in it: the vendor's own name of the card is left out, since it may be
 * a player's; `card` tells the events of one card from those of another.
 */
export const outcomeSchema = z.strictObject({
  version: z.literal(1).check(z.describe("Of this form; a later one only adds fields")),
  apiSet: z.string().check(z.describe("The vendor")),
  card: z
    .string()
    .check(z.length(22), z.describe("The same for all events of one card; a hash of its ExternalID")),
  revision: z.string().check(z.describe("Of the card's content; a correction has another one")),
  outcome: z.enum(outcomes),
  attempts: z.int().check(z.minimum(0), z.describe("Posts to the exchange so far")),
  at: z.iso.datetime().check(z.describe("When the outcome was recorded, UTC")),
  status: z
    .optional(z.int())
    .check(z.describe("HTTP status of the exchange, where it answered and did not take the card")),
});

/** An outcome as it is published. */
export type OutcomeEvent = z.infer<typeof outcomeSchema>;

/** What EventBridge's rules match by. */
export const outcomeSource = "scorecard-pipeline";

/** EventBridge's `detail-type` of an outcome. */
export const outcomeDetailType = {
  delivered: "Scorecard delivered",
  rejected: "Scorecard rejected",
  undelivered: "Scorecard undelivered",
} as const satisfies Record<OutcomeEvent["outcome"], string>;

/** Whether a delivery's state is one that is published. */
export function isOutcome(state: string): state is OutcomeEvent["outcome"] {
  return outcomes.some((outcome) => outcome === state);
}
