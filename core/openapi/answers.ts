import * as z from "zod";
import type { Problem } from "../problem/problem.ts";
import type { Derivation, HoleDerivation } from "../scorecard/explain.ts";
import { faultCodes, warningCodes } from "../scorecard/fault-codes.ts";
import type { Finding } from "../scorecard/finding.ts";
import { scorecardSchema } from "../scorecard/schema.ts";
import type { CardStatus } from "../tracking/card-status.ts";
import { deliveryStates } from "../tracking/state.ts";

const whole = z.int();
const time = z.iso.datetime();
const state = z.enum(["queued", "withdrawn", ...deliveryStates]);

/** A fault or a warning of one card. */
export const findingSchema = z.object({
  index: whole.meta({ description: "Place of the card in the array, from 0." }),
  externalId: z.string().exactOptional(),
  pointer: z.string().meta({ description: "JSON pointer into the card; empty for the whole card." }),
  code: z.enum([...faultCodes, ...warningCodes]),
  detail: z.string().meta({ description: "What is wrong and what to change." }),
  expected: z.unknown().optional(),
  received: z.unknown().optional(),
}) satisfies z.ZodType<Finding>;

/** Every answer that is not a success. */
export const problemSchema = z
  .looseObject({
    type: z.string().meta({ description: "What kind of problem; about:blank where the status says it all." }),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: "What happened and what to do." }),
    errors: z.array(findingSchema).exactOptional().meta({ description: "One entry per fault of a card." }),
    errorsLeftOut: whole
      .exactOptional()
      .meta({ description: "How many faults more than an answer can carry." }),
    limit: z.string().exactOptional().meta({ description: "The limit that the request is over." }),
    parameters: z
      .array(
        z.object({
          parameter: z.string(),
          detail: z.string(),
          received: z
            .string()
            .exactOptional()
            .meta({ description: "Left out where it may be a person's number." }),
        }),
      )
      .exactOptional()
      .meta({ description: "Every query parameter with a value that is not allowed." }),
  })
  .meta({ description: "RFC 9457, Problem Details for HTTP APIs." }) satisfies z.ZodType<Problem>;

/** What became of one card. */
export const cardStatusSchema = z.object({
  externalId: z.string(),
  state: z.enum([...state.options, "unknown"]),
  id: z.unknown().optional().meta({ description: "The card's ID at the union." }),
  acceptedAt: time.exactOptional(),
  since: time.exactOptional().meta({ description: "When the state was recorded." }),
  attempts: whole.exactOptional().meta({ description: "Posts to the exchange so far." }),
  lastError: z
    .object({
      stage: z.enum(["before", "during", "after"]),
      status: whole.exactOptional().meta({ description: "HTTP status of the exchange." }),
      message: z.string(),
    })
    .exactOptional(),
  nextAttemptAt: time.exactOptional(),
  warnings: z.array(findingSchema).exactOptional(),
  earlier: z
    .array(z.object({ state, at: time }))
    .exactOptional()
    .meta({ description: "Outcomes of what this card corrects, the latest last." }),
}) satisfies z.ZodType<CardStatus>;

/** Several cards, or one page of those in a state. */
export const cardStatusListSchema = z.object({
  cards: z.array(cardStatusSchema),
  next: z.string().optional().meta({ description: "Query of the next page; absent on the last." }),
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
  externalId: z.string().optional(),
  status: z.literal(422),
  errors: z.array(findingSchema),
};

/** One card of a submission with `Prefer: handling=lenient`. */
export const lenientEntrySchema = z.union([z.object(accepted), z.object(refused)]);

const holeDerivationSchema = z.object({
  number: whole,
  par: whole,
  strokeIndex: whole,
  strokes: whole.meta({ description: "0 picked up, -1 not played." }),
  receivedOffPlayingHandicap: whole,
  receivedOffCourseHandicap: whole,
  points: whole,
  maximum: whole.meta({ description: "Net double bogey, never more than par + 5." }),
  counted: whole.nullable().meta({ description: "Null where the hole was not played." }),
}) satisfies z.ZodType<HoleDerivation>;

/** How the figures of a card come about. */
export const derivationSchema = z.object({
  courseHandicap: whole,
  courseHandicapByRule: z.array(whole).meta({
    description:
      "What HCP, TeeRating, TeeSlope and TeePar come to; on nine holes with half of HCP rounded and exact.",
  }),
  playingHandicap: whole,
  nineHoles: z.array(whole).nullable().meta({
    description: "The nine holes that handicaps are spread over in a nine-hole round on eighteen; else null.",
  }),
  holes: z.array(holeDerivationSchema),
  totalPoints: whole,
  totalStrokes: whole.meta({ description: "0 after any pick-up." }),
  netDoubleBogeyGross: whole.nullable(),
}) satisfies z.ZodType<Derivation>;

/** What a submission would be answered. */
export const validationSchema = z.object({
  accepted: z.boolean(),
  cards: z.array(
    z.union([
      z.object({ ...accepted, derivation: derivationSchema.optional() }),
      z.object({
        ...refused,
        errorsLeftOut: whole.exactOptional(),
        warnings: z.array(findingSchema),
      }),
    ]),
  ),
});
