import * as z from "zod/mini";
import { type Correction, correctionParts } from "../core/cards/life/card.ts";
import { cardStates } from "../core/cards/life/states.ts";
import type { CardPosts, CardRecord, CardStatus, DeliveryError } from "../core/cards/status.ts";
import type { RefusedStatus } from "../functions/track-scorecards/refused-cards.ts";
import { findingSchema } from "./problems.ts";

const whole = z.int();
const time = z.iso.datetime();

/** The state of a card that was accepted. */
export const cardStateSchema = z.enum(cardStates);

/** Why a post to the exchange failed. */
export const deliveryErrorSchema = z
  .object({
    stage: z
      .enum(["before", "during", "after"])
      .check(
        z.describe(
          "`before`: the exchange has received nothing; `during`: it may have the card; `after`: it has answered.",
        ),
      ),
    status: z.exactOptional(whole).check(z.describe("HTTP status of the exchange.")),
    message: z.string(),
  })
  .check(z.describe("Why a post to the exchange failed.")) satisfies z.ZodMiniType<DeliveryError>;

/** The vendor's circuit breaker while it is open. */
export const deliveryPauseSchema = z
  .object({ since: time, lastError: deliveryErrorSchema, nextAttemptAt: time })
  .check(
    z.describe(
      "Present while nothing can be delivered for this vendor: since when, why, and when it is retried.",
    ),
  );

/** Posts of a card to the exchange. */
export const cardPostsSchema = z
  .object({
    version: whole,
    at: time,
    until: z.exactOptional(time).check(z.describe("Of the last, if there were several.")),
    posts: whole,
    error: z.exactOptional(deliveryErrorSchema),
  })
  .check(
    z.describe(
      "Posts of the card to the exchange, one after the other with the same result; without `error` it took the card.",
    ),
  ) satisfies z.ZodMiniType<CardPosts>;

/** What a content changes of the one that was stored before it. */
export const correctionSchema = z.object({
  version: z.int().check(z.describe("The version that it corrects.")),
  changed: z.array(z.enum(correctionParts)),
}) satisfies z.ZodMiniType<Correction>;

/** How an earlier version of a card ended. */
export const cardOutcomeSchema = z.object({ state: cardStateSchema, at: time });

/** A hash of a card that vendors compare. */
export const contentHash = z
  .string()
  .check(
    z.describe(
      "Opaque; the same for the same content as it was sent, in any order of its fields. Compare a card's with Validate's.",
    ),
  );

/** Whether a delivered card is in the player's record at the union. */
export const cardRecordSchema = z
  .object({
    state: z.enum(["recorded", "not_recorded"]),
    at: time.check(z.describe("When the record was read.")),
    differential: z
      .exactOptional(z.int())
      .check(z.describe("The union's Score Differential times 10,000; absent if it calculated none.")),
  })
  .check(
    z.describe(
      "Whether a delivered card is in the player's record at the union; absent while that is not known.",
    ),
  ) satisfies z.ZodMiniType<CardRecord>;

/** State of one card. */
export const cardStatusSchema = z.object({
  externalId: z.string(),
  state: z
    .enum([...cardStates, "refused", "unknown"])
    .check(
      z.describe(
        "`refused` if no such card has been accepted and one was refused in the last 31 days; `unknown` if there was none.",
      ),
    ),
  version: z
    .exactOptional(whole)
    .check(
      z.describe(
        "Counts contents, withdrawals, and how often a rejected or undelivered card was sent on: of two statuses the one with the higher version is later.",
      ),
    ),
  id: z.exactOptional(z.string()).check(z.describe("The card's ID at the union.")),
  contentHash: z.exactOptional(contentHash),
  acceptedAt: z.exactOptional(time),
  since: z.exactOptional(time).check(z.describe("When the state was recorded.")),
  attempts: z.exactOptional(whole).check(z.describe("Posts to the exchange so far.")),
  arrival: z
    .exactOptional(z.enum(["onDayOfPlay", "late"]))
    .check(
      z.describe(
        "Whether a delivered card was there before midnight of its day of play, in the union's time zone; absent if that was not recorded.",
      ),
    ),
  lastError: z.exactOptional(deliveryErrorSchema),
  nextAttemptAt: z
    .exactOptional(time)
    .check(z.describe("The card is not tried before; once this has passed, it waits for its turn.")),
  paused: z.exactOptional(deliveryPauseSchema),
  maybeDelivered: z
    .exactOptional(z.literal(true))
    .check(
      z.describe(
        "The card is not delivered, but the exchange has it, or may have it, perhaps in an earlier content.",
      ),
    ),
  warnings: z.exactOptional(z.array(findingSchema)),
  corrects: z.exactOptional(correctionSchema),
  requestId: z
    .exactOptional(z.string())
    .check(z.describe("Of a refused card: the submission's header x-amzn-RequestId.")),
  errors: z
    .exactOptional(z.array(findingSchema))
    .check(z.describe("Of a refused card: its faults in the last submission.")),
  record: z.exactOptional(cardRecordSchema),
  earlier: z
    .exactOptional(z.array(cardOutcomeSchema))
    .check(z.describe("Outcomes of the cards that this one corrects, the latest last.")),
}) satisfies z.ZodMiniType<CardStatus | RefusedStatus>;

/** States of several cards, or one page of the cards in a state or of some days. */
export const cardStatusListSchema = z.object({
  cards: z.array(cardStatusSchema),
  next: z.optional(z.string()).check(z.describe("Query of the next page; absent on the last.")),
});
