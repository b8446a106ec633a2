import * as z from "zod/mini";
import { cardStates } from "../../../core/cards/life/states.ts";
import type { CardPosts, CardRecord, CardStatus, DeliveryError } from "../../../core/cards/status.ts";
import { knownValues } from "../../../core/formats/known-values.ts";
import type { Derivation, HoleDerivation } from "../../../core/golf/explain.ts";
import type { Finding } from "../../../core/golf/findings.ts";
import { faultCodes, warningCodes } from "../../../core/golf/findings.ts";
import { scorecardSchema } from "../../../core/golf/scorecard.ts";
import type { Activity, ActivityCounts } from "../../../core/views/activity.ts";
import type { CountedRefusal, CountedWarning, RefusalExample } from "../../../core/views/activity-counts.ts";
import type { LoggedFault } from "../../../core/views/logged-faults.ts";
import type { TournamentOfCard } from "../../../core/views/tournament.ts";
import type { RefusedStatus } from "../../track-scorecards/refused-cards.ts";
import { type Problem, problemTypes } from "../problem.ts";
import { playerFaultSchema } from "./start-list-schemas.ts";

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

/** A fault or a warning of one card. */
export const findingSchema = z.object({
  index: whole.check(z.describe("Index of the card in the array, from 0.")),
  externalId: z.exactOptional(z.string()),
  pointer: z.string().check(z.describe("JSON pointer into the card; empty for the whole card.")),
  code: knownValues([...faultCodes, ...warningCodes]).check(
    z.describe("One of those in docs/faults.md; others may be added at any time."),
  ),
  detail: z.string().check(z.describe("What is wrong and what to change.")),
  expected: z.optional(z.unknown()).check(z.describe("What would be right: any JSON value.")),
  received: z.optional(z.unknown()).check(z.describe("What was sent: any JSON value.")),
}) satisfies z.ZodMiniType<Finding>;

/** A query parameter with a value that is not allowed. */
export const parameterFaultSchema = z.object({
  parameter: z.string(),
  detail: z.string(),
  received: z.exactOptional(z.string()).check(z.describe("Absent if it may be a person's number.")),
});

/** Every response that is not a success. */
export const problemSchema = z
  .looseObject({
    type: knownValues(["about:blank", ...problemTypes]).check(
      z.describe(
        "Type of the problem; about:blank if the status says it all. Others may be added at any time.",
      ),
    ),
    title: z.string(),
    status: z.int().check(z.minimum(400), z.maximum(599)),
    detail: z.string().check(z.describe("What happened and what to do.")),
    errors: z.exactOptional(z.array(findingSchema)).check(z.describe("One entry per fault of a card.")),
    errorsLeftOut: z
      .exactOptional(whole)
      .check(z.describe("Number of faults that do not fit into the response.")),
    limit: z.exactOptional(z.string()).check(z.describe("The limit that the request exceeds.")),
    parameters: z
      .exactOptional(z.array(parameterFaultSchema))
      .check(z.describe("Every query parameter with a value that is not allowed.")),
    players: z
      .exactOptional(z.array(playerFaultSchema))
      .check(z.describe("Faults of a start list's players, the first 100.")),
    playersLeftOut: z.exactOptional(whole).check(z.describe("Number of such faults that are left out.")),
  })
  .check(z.describe("RFC 9457, Problem Details for HTTP APIs.")) satisfies z.ZodMiniType<Problem>;

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

/** How an earlier version of a card ended. */
export const cardOutcomeSchema = z.object({ state: cardStateSchema, at: time });

const contentHash = z
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
        "The card is withdrawn, but the exchange has it, or may have it, by a post that became known later.",
      ),
    ),
  warnings: z.exactOptional(z.array(findingSchema)),
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

/** How long deliveries took. */
export const deliverySecondsSchema = z
  .object({
    half: z.number().check(z.describe("Half of the cards were delivered in this time.")),
    most: z.number().check(z.describe("95 % of the cards were delivered in this time.")),
  })
  .check(z.describe("From accepting a card to recording its delivery, to within a quarter."));

const activityCounts = {
  accepted: whole.check(z.describe("New cards.")),
  refused: whole.check(z.describe("Cards with a fault; each counts once, however many it has.")),
  corrected: whole.check(z.describe("Other contents of cards that were there.")),
  resent: whole.check(
    z.describe(
      "Contents that were submitted or sent on again after they were given up, rejected or withdrawn.",
    ),
  ),
  withdrawn: whole,
  delivered: whole,
  onDayOfPlay: whole.check(z.describe("Delivered before midnight of the day on which the round was played.")),
  late: whole.check(z.describe("Delivered later than that.")),
  rejected: whole,
  undelivered: whole,
  warned: whole.check(
    z.describe("Delivered cards about whose player, marker or round something was found afterwards."),
  ),
  playersUnknown: whole.check(z.describe("Delivered cards of players whom the union did not know.")),
  recorded: whole.check(z.describe("Delivered cards that are in the player's record at the union.")),
  notRecorded: whole.check(
    z.describe("Delivered cards that are not in it, although they were looked for several times."),
  ),
  deliverySeconds: z.exactOptional(deliverySecondsSchema),
};

/** Counts of a vendor's cards in some time. */
export const activityCountsSchema = z.object(activityCounts) satisfies z.ZodMiniType<ActivityCounts>;
/** Counts of a day. */
export const activityDaySchema = z.object({ day: z.iso.date(), ...activityCounts });
/** Counts of an hour. */
export const activityHourSchema = z.object({ start: time, ...activityCounts });

/** The cards that have no outcome yet. */
export const waitingCardsSchema = z
  .object({
    cards: whole,
    since: z
      .exactOptional(time)
      .check(z.describe("Beginning of the hour in which the oldest of them was accepted.")),
    paused: z.exactOptional(deliveryPauseSchema),
  })
  .check(z.describe("Cards that have no outcome yet, whenever they were accepted."));

/** A card that was refused for a fault. */
export const refusalExampleSchema = z.object({
  externalId: z.exactOptional(z.string()).check(z.describe("Absent if the card had none that can be read.")),
  pointer: z.string().check(z.describe("JSON pointer into the card; empty for the whole card.")),
  at: time,
}) satisfies z.ZodMiniType<RefusalExample>;

/** The cards that were refused for one fault. */
export const refusalSchema = z.object({
  code: knownValues([...faultCodes]).check(
    z.describe("One of the faults in docs/faults.md; others may be added at any time."),
  ),
  cards: whole,
  examples: z.array(refusalExampleSchema).check(z.describe("Some of them, the newest first.")),
}) satisfies z.ZodMiniType<CountedRefusal>;

/** The tournament that a refused card names. */
export const refusalTournamentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    day: z.iso.date().check(z.describe("Day of play, or of the refusal if the card says none.")),
    round: whole.check(z.describe("0 if the card has no TournamentRoundNumber from 1 to 99.")),
  })
  .check(z.describe("Absent if the card names no tournament.")) satisfies z.ZodMiniType<TournamentOfCard>;

/** A fault of a refused card. */
export const cardRefusalSchema = z.object({
  at: time.check(z.describe("When the submission was refused.")),
  requestId: z.string().check(z.describe("The submission's header x-amzn-RequestId.")),
  tournament: z.exactOptional(refusalTournamentSchema),
  ...findingSchema.shape,
}) satisfies z.ZodMiniType<LoggedFault>;

/** One page of the faults of refused cards. */
export const cardRefusalListSchema = z.object({
  refusals: z.array(cardRefusalSchema),
  next: z
    .exactOptional(z.string())
    .check(
      z.describe("Query of the next page; absent on the last. A page of a search can be empty and have one."),
    ),
});

/** The cards with a warning. */
export const countedWarningSchema = z.object({
  code: knownValues([...warningCodes]).check(
    z.describe("One of the warnings in docs/faults.md; others may be added at any time."),
  ),
  cards: whole,
}) satisfies z.ZodMiniType<CountedWarning>;

/** A vendor's activity on some days, and why its cards wait. */
export const activitySchema = z.object({
  from: z.iso.date().check(z.describe("The first day, in the union's time zone.")),
  to: z.iso.date().check(z.describe("The last day.")),
  timeZone: z.string().check(z.describe("IANA name.")),
  waiting: waitingCardsSchema,
  totals: activityCountsSchema,
  days: z.array(activityDaySchema).check(z.describe("Only days on which something was counted.")),
  hours: z.array(activityHourSchema).check(z.describe("Only hours in which something was counted.")),
  warnings: z
    .array(countedWarningSchema)
    .check(z.describe("Delivered cards by the warning that was found afterwards, the most frequent first.")),
  refusals: z.array(refusalSchema).check(z.describe("By fault, the most frequent first.")),
}) satisfies z.ZodMiniType<Activity>;

/** A card as it is answered; card-schemas.ts writes its schema. */
export const filledScorecardSchema: typeof scorecardSchema = z.lazy(() => scorecardSchema);

const accepted = {
  index: whole,
  externalId: z.string(),
  status: z.literal(201),
  card: filledScorecardSchema,
  contentHash,
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
export const validEntrySchema = z.object({ ...accepted, derivation: z.exactOptional(derivationSchema) });
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
