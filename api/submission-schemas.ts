import * as z from "zod/mini";
import type { Derivation, HoleDerivation } from "../core/golf/explain.ts";
import { scorecardSchema } from "../core/golf/scorecard.ts";
import { findingSchema } from "./problems.ts";
import {
  cardOutcomeSchema,
  cardPostsSchema,
  cardRecordSchema,
  cardStateSchema,
  contentHash,
  correctionSchema,
} from "./status-schemas.ts";

const whole = z.int();
const time = z.iso.datetime();

/** A card as it is answered; card-schemas.ts writes its schema. */
export const filledScorecardSchema: typeof scorecardSchema = z.lazy(() => scorecardSchema);

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

/** A card that was accepted with `Prefer: handling=lenient`. */
export const acceptedEntrySchema = z.object(accepted);
/** A card that was refused with `Prefer: handling=lenient`. */
export const refusedEntrySchema = z.object(refused);
/** One card of a submission with `Prefer: handling=lenient`. */
export const scorecardEntrySchema = z.union([acceptedEntrySchema, refusedEntrySchema]);

/** How the figures of one hole were calculated. */
export const holeDerivationSchema = z.object({
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
        "Calculated from HCP, TeeRating, TeeSlope and TeePar: one number, or two on nine holes if half of HCP rounded and the exact half do not give the same.",
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
  scoreDifferential: z
    .nullable(whole)
    .check(
      z.describe(
        "113 / TeeSlope x (netDoubleBogeyGross - TeeRating), to a tenth and times 10,000, without the Playing Conditions Calculation; null unless all of 18 holes were played on a rated tee.",
      ),
    ),
}) satisfies z.ZodMiniType<Derivation>;

/** A card that a submission would accept. */
export const validEntrySchema = z.object({
  ...accepted,
  card: z.exactOptional(filledScorecardSchema).check(z.describe("Not with `Prefer: return=minimal`.")),
  derivation: z.exactOptional(derivationSchema),
});
/** A card that a submission would refuse. */
export const invalidEntrySchema = z.object({
  ...refused,
  errorsLeftOut: z.exactOptional(whole),
  warnings: z.array(findingSchema),
});
/** A card as it is stored and delivered. */
export const storedScorecardSchema = z.object({
  externalId: z.string(),
  version: whole,
  state: cardStateSchema,
  acceptedAt: time,
  since: time.check(z.describe("When the state was recorded.")),
  posts: z.array(cardPostsSchema).check(z.describe("The latest last; failures of the last ten kinds.")),
  record: z.exactOptional(cardRecordSchema),
  earlier: z.array(cardOutcomeSchema),
  card: filledScorecardSchema,
  warnings: z.array(findingSchema),
  derivation: derivationSchema,
});

/** How many of the players the union knows. */
export const playerCountsSchema = z
  .object({ known: whole, unknown: whole, unanswered: whole })
  .check(
    z.describe(
      "With `players`: how many players of the valid cards the union knows, does not know, and gave no answer about.",
    ),
  );

/** How a submission would answer one card. */
export const validationEntrySchema = z.union([validEntrySchema, invalidEntrySchema]);

/** How a submission would be answered. */
export const validationSchema = z.object({
  accepted: z.boolean(),
  players: z.exactOptional(playerCountsSchema),
  cards: z.array(validationEntrySchema),
});
