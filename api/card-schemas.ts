import * as z from "zod/mini";
import { type Correction, correctionParts } from "../core/cards/life/card.ts";
import { cardStates } from "../core/cards/life/states.ts";
import type { Derivation, HoleDerivation } from "../core/golf/explain.ts";
import { scorecardSchema } from "../core/golf/scorecard.ts";
import { findingSchema } from "./problems.ts";
import { defineObject, describe, optional, type Shape, time, whole } from "./schema.ts";

const cardStateSchema = z.enum(cardStates).check(z.meta({ id: "CardState" }));

const deliveryErrorSchema = defineObject(
  "DeliveryError",
  {
    stage: describe(
      z.enum(["before", "during", "after"]),
      "`before`: the exchange has received nothing; `during`: it may have the card; `after`: it has answered.",
    ),
    status: optional(whole, "HTTP status of the exchange."),
    message: z.string(),
  },
  "Why a post to the exchange failed.",
);
/** Why a post failed, in the API's terms: the phase is called `stage` there. */
export type DeliveryError = Shape<typeof deliveryErrorSchema>;

/** The vendor's circuit breaker while it is open. */
export const deliveryPauseSchema = defineObject(
  "DeliveryPause",
  { since: time, lastError: deliveryErrorSchema, nextAttemptAt: time },
  "Present while nothing can be delivered for this vendor: since when, why, and when it is retried.",
);
/** Since when and why nothing is delivered for a vendor, and when that is tried next. Times are ISO 8601, UTC. */
export type Paused = Shape<typeof deliveryPauseSchema>;

const cardPostsSchema = defineObject(
  "CardPosts",
  {
    version: whole,
    at: time,
    until: optional(time, "Of the last, if there were several."),
    posts: whole,
    error: z.exactOptional(deliveryErrorSchema),
  },
  "Posts of the card to the exchange, one after the other with the same result; without `error` it took the card.",
);
/** Posts of a card to the exchange, one after the other with the same result. Times are ISO 8601, UTC. */
export type CardPosts = Shape<typeof cardPostsSchema>;

const correctionSchema = defineObject("CardCorrection", {
  version: describe(whole, "The version that it corrects."),
  changed: z.array(z.enum(correctionParts)),
}) satisfies z.ZodMiniType<Correction>;

const cardOutcomeSchema = defineObject("CardOutcome", { state: cardStateSchema, at: time });

const contentHash = describe(
  z.string(),
  "Opaque; the same for the same content as it was sent, in any order of its fields. Compare a card's with Validate's.",
);

const cardRecordSchema = defineObject(
  "CardRecord",
  {
    state: z.enum(["recorded", "not_recorded"]),
    at: describe(time, "When the record was read."),
    differential: optional(
      whole,
      "The union's Score Differential times 10,000; absent if it calculated none.",
    ),
  },
  "Whether a delivered card is in the player's record at the union; absent while that is not known.",
);
/** What the player's record at the union told of a delivered card. */
export type CardRecord = Shape<typeof cardRecordSchema>;

/** State of one card. */
export const cardStatusSchema = defineObject("CardStatus", {
  externalId: z.string(),
  state: describe(
    z.enum([...cardStates, "refused", "unknown"]),
    "`refused` if no such card has been accepted and one was refused in the last 31 days; `unknown` if there was none.",
  ),
  version: optional(
    whole,
    "Counts contents, withdrawals, and how often a rejected or undelivered card was sent on: of two statuses the one with the higher version is later.",
  ),
  id: optional(z.string(), "The card's ID at the union."),
  contentHash: z.exactOptional(contentHash),
  acceptedAt: z.exactOptional(time),
  since: optional(time, "When the state was recorded."),
  attempts: optional(whole, "Posts to the exchange so far."),
  arrival: optional(
    z.enum(["onDayOfPlay", "late"]),
    "Whether a delivered card was there before midnight of its day of play, in the union's time zone; absent if that was not recorded.",
  ),
  lastError: z.exactOptional(deliveryErrorSchema),
  nextAttemptAt: optional(time, "The card is not tried before; once this has passed, it waits for its turn."),
  paused: z.exactOptional(deliveryPauseSchema),
  maybeDelivered: optional(
    z.literal(true),
    "The card is not delivered, but the exchange has it, or may have it, perhaps in an earlier content.",
  ),
  maybeStale: optional(
    z.literal(true),
    "The card is delivered, but the exchange may have an earlier content, or finish an older post; the card is posted once more, until the exchange takes it.",
  ),
  warnings: z.exactOptional(z.array(findingSchema)),
  corrects: z.exactOptional(correctionSchema),
  requestId: optional(z.string(), "Of a refused card: the submission's header x-amzn-RequestId."),
  errors: optional(z.array(findingSchema), "Of a refused card: its faults in the last submission."),
  record: z.exactOptional(cardRecordSchema),
  earlier: optional(
    z.array(cardOutcomeSchema),
    "Outcomes of the cards that this one corrects, the latest last.",
  ),
});
/** A card's status in the API. Times are ISO 8601, UTC. */
export type CardStatus = Shape<typeof cardStatusSchema>;

/** States of several cards, or one page of the cards in a state or of some days. */
export const cardStatusListSchema = defineObject("CardStatusList", {
  cards: z.array(cardStatusSchema),
  next: describe(z.optional(z.string()), "Query of the next page; absent on the last."),
});

/** A card as vendors send it. */
export const sentScorecardSchema = scorecardSchema.register(z.globalRegistry, { id: "Scorecard" });

/** A card as it is answered; document/scorecard-schemas.ts writes its schema. */
export const filledScorecardSchema: typeof scorecardSchema = z
  .lazy(() => scorecardSchema)
  .register(z.globalRegistry, { id: "FilledScorecard" });

const accepted = {
  index: whole,
  externalId: z.string(),
  status: z.literal(201),
  card: filledScorecardSchema,
  contentHash,
  corrects: z.exactOptional(correctionSchema),
  warnings: z.array(findingSchema),
};

const refused = {
  index: whole,
  externalId: z.optional(z.string()),
  status: z.literal(422),
  errors: z.array(findingSchema),
};

const acceptedEntrySchema = defineObject("AcceptedEntry", accepted);
const refusedEntrySchema = defineObject("RefusedEntry", refused);
/** One card of a submission with `Prefer: handling=lenient`. */
export const scorecardEntrySchema = z
  .union([acceptedEntrySchema, refusedEntrySchema])
  .check(z.meta({ id: "ScorecardEntry" }));

const holeDerivationSchema = defineObject("HoleDerivation", {
  number: whole,
  par: whole,
  strokeIndex: whole,
  strokes: describe(whole, "0 picked up, -1 not played."),
  receivedOffPlayingHandicap: whole,
  receivedOffCourseHandicap: whole,
  points: whole,
  maximum: describe(whole, "Net double bogey, never more than par + 5."),
  counted: describe(z.nullable(whole), "Null if the hole was not played."),
}) satisfies z.ZodMiniType<HoleDerivation>;

const derivationSchema = defineObject("Derivation", {
  courseHandicap: whole,
  courseHandicapByRule: describe(
    z.array(whole),
    "Calculated from HCP, TeeRating, TeeSlope and TeePar: one number, or two on nine holes if half of HCP rounded and the exact half do not give the same.",
  ),
  playingHandicap: whole,
  nineHoles: describe(
    z.nullable(z.array(whole)),
    "The nine holes that handicap strokes are allocated to in a nine-hole round on an 18-hole tee; else null.",
  ),
  holes: z.array(holeDerivationSchema),
  totalPoints: whole,
  totalStrokes: describe(whole, "0 after any pick-up."),
  netDoubleBogeyGross: z.nullable(whole),
  scoreDifferential: describe(
    z.nullable(whole),
    "113 / TeeSlope x (netDoubleBogeyGross - TeeRating), to a tenth and times 10,000, without the Playing Conditions Calculation; null unless all of 18 holes were played on a rated tee.",
  ),
}) satisfies z.ZodMiniType<Derivation>;

const validEntrySchema = defineObject("ValidEntry", {
  ...accepted,
  card: optional(filledScorecardSchema, "Not with `Prefer: return=minimal`."),
  derivation: z.exactOptional(derivationSchema),
});
const invalidEntrySchema = defineObject("InvalidEntry", {
  ...refused,
  errorsLeftOut: z.exactOptional(whole),
  warnings: z.array(findingSchema),
});
/** A card as it is stored and delivered. */
export const storedScorecardSchema = defineObject("StoredScorecard", {
  externalId: z.string(),
  version: whole,
  state: cardStateSchema,
  acceptedAt: time,
  since: describe(time, "When the state was recorded."),
  posts: describe(z.array(cardPostsSchema), "The latest last; failures of the last ten kinds."),
  record: z.exactOptional(cardRecordSchema),
  earlier: z.array(cardOutcomeSchema),
  card: filledScorecardSchema,
  warnings: z.array(findingSchema),
  derivation: derivationSchema,
});

const playerCountsSchema = defineObject(
  "PlayerCounts",
  { known: whole, unknown: whole, unanswered: whole },
  "With `players`: how many players of the valid cards the union knows, does not know, and gave no answer about.",
);

const validationEntrySchema = z
  .union([validEntrySchema, invalidEntrySchema])
  .check(z.meta({ id: "ValidationEntry" }));

/** How a submission would be answered. */
export const validationSchema = defineObject("Validation", {
  accepted: z.boolean(),
  players: z.exactOptional(playerCountsSchema),
  cards: z.array(validationEntrySchema),
});
