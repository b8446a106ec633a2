import * as z from "zod/mini";
import { cardStates } from "../../../core/delivery/card.ts";
import type { CardStatus } from "../../../core/delivery/status.ts";
import type { Derivation, HoleDerivation } from "../../../core/scorecard/explain.ts";
import type { Finding } from "../../../core/scorecard/findings.ts";
import { faultCodes, warningCodes } from "../../../core/scorecard/findings.ts";
import { scorecardSchema } from "../../../core/scorecard/scorecard.ts";
import { type Problem, problemTypes } from "../problem.ts";

const whole = z.int();
const time = z.iso.datetime();
const state = z.enum(cardStates);
const failure = z.object({
  stage: z.enum(["before", "during", "after"]),
  status: z.exactOptional(whole).check(z.describe("HTTP status of the exchange.")),
  message: z.string(),
});

/** A fault or a warning of one card. */
export const findingSchema = z.object({
  index: whole.check(z.describe("Index of the card in the array, from 0.")),
  externalId: z.exactOptional(z.string()),
  pointer: z.string().check(z.describe("JSON pointer into the card; empty for the whole card.")),
  // Clients must accept codes that are added later. @see docs/compatibility.md
  code: z
    .string()
    .check(
      z.describe("One of those in docs/faults.md; others may be added at any time."),
      z.meta({ "x-extensible-enum": [...faultCodes, ...warningCodes] }),
    ) as unknown as z.ZodMiniType<Finding["code"]>,
  detail: z.string().check(z.describe("What is wrong and what to change.")),
  expected: z.optional(z.unknown()),
  received: z.optional(z.unknown()),
}) satisfies z.ZodMiniType<Finding>;

/** Every response that is not a success. */
export const problemSchema = z
  .looseObject({
    type: z
      .enum(["about:blank", ...problemTypes])
      .check(z.describe("Type of the problem; about:blank if the status says it all.")),
    title: z.string(),
    status: z.int().check(z.minimum(400), z.maximum(599)),
    detail: z.string().check(z.describe("What happened and what to do.")),
    errors: z.exactOptional(z.array(findingSchema)).check(z.describe("One entry per fault of a card.")),
    errorsLeftOut: z
      .exactOptional(whole)
      .check(z.describe("Number of faults that do not fit into the response.")),
    limit: z.exactOptional(z.string()).check(z.describe("The limit that the request exceeds.")),
    parameters: z
      .exactOptional(
        z.array(
          z.object({
            parameter: z.string(),
            detail: z.string(),
            received: z.exactOptional(z.string()).check(z.describe("Absent if it may be a person's number.")),
          }),
        ),
      )
      .check(z.describe("Every query parameter with a value that is not allowed.")),
  })
  .check(z.describe("RFC 9457, Problem Details for HTTP APIs.")) satisfies z.ZodMiniType<Problem>;

/** State of one card. */
export const cardStatusSchema = z.object({
  externalId: z.string(),
  state: z.enum([...state.options, "unknown"]),
  id: z.optional(z.unknown()).check(z.describe("The card's ID at the union.")),
  acceptedAt: z.exactOptional(time),
  since: z.exactOptional(time).check(z.describe("When the state was recorded.")),
  attempts: z.exactOptional(whole).check(z.describe("Posts to the exchange so far.")),
  lastError: z.exactOptional(failure),
  nextAttemptAt: z.exactOptional(time),
  paused: z
    .exactOptional(z.object({ since: time, lastError: failure, nextAttemptAt: time }))
    .check(
      z.describe(
        "Present while nothing can be delivered for this vendor: since when, why, and when it is retried.",
      ),
    ),
  warnings: z.exactOptional(z.array(findingSchema)),
  earlier: z
    .exactOptional(z.array(z.object({ state, at: time })))
    .check(z.describe("Outcomes of the cards that this one corrects, the latest last.")),
}) satisfies z.ZodMiniType<CardStatus>;

/** States of several cards, or one page of the cards in a state. */
export const cardStatusListSchema = z.object({
  cards: z.array(cardStatusSchema),
  next: z.optional(z.string()).check(z.describe("Query of the next page; absent on the last.")),
});

const accepted = {
  index: whole,
  externalId: z.string(),
  status: z.literal(201),
  card: scorecardSchema,
  warnings: z.array(findingSchema),
};

const refused = {
  index: whole,
  externalId: z.optional(z.string()),
  status: z.literal(422),
  errors: z.array(findingSchema),
};

/** One card of a submission with `Prefer: handling=lenient`. */
export const lenientEntrySchema = z.union([z.object(accepted), z.object(refused)]);

const holeDerivationSchema = z.object({
  number: whole,
  par: whole,
  strokeIndex: whole,
  strokes: whole.check(z.describe("0 picked up, -1 not played.")),
  receivedOffPlayingHandicap: whole,
  receivedOffCourseHandicap: whole,
  points: whole,
  maximum: whole.check(z.describe("Net double bogey, never more than par + 5.")),
  counted: z.nullable(whole).check(z.describe("Null if the hole was not played.")),
}) satisfies z.ZodMiniType<HoleDerivation>;

/** How each figure of a card was calculated. */
export const derivationSchema = z.object({
  courseHandicap: whole,
  courseHandicapByRule: z
    .array(whole)
    .check(
      z.describe(
        "Calculated from HCP, TeeRating, TeeSlope and TeePar; on nine holes with half of HCP, both rounded and exact.",
      ),
    ),
  playingHandicap: whole,
  nineHoles: z
    .nullable(z.array(whole))
    .check(
      z.describe(
        "The nine holes that handicap strokes are allocated to in a nine-hole round on an 18-hole tee; else null.",
      ),
    ),
  holes: z.array(holeDerivationSchema),
  totalPoints: whole,
  totalStrokes: whole.check(z.describe("0 after any pick-up.")),
  netDoubleBogeyGross: z.nullable(whole),
}) satisfies z.ZodMiniType<Derivation>;

/** How a submission would be answered. */
export const validationSchema = z.object({
  accepted: z.boolean(),
  players: z
    .exactOptional(z.object({ known: whole, unknown: whole, unanswered: whole }))
    .check(
      z.describe(
        "With `players=1`: how many players of the valid cards the union knows, does not know, and gave no answer about.",
      ),
    ),
  cards: z.array(
    z.union([
      z.object({ ...accepted, derivation: z.optional(derivationSchema) }),
      z.object({
        ...refused,
        errorsLeftOut: z.exactOptional(whole),
        warnings: z.array(findingSchema),
      }),
    ]),
  ),
});
