import * as z from "zod/mini";
import { knownValues } from "../core/formats/known-values.ts";
import { faultCodes, warningCodes } from "../core/golf/findings.ts";
import type { Activity, ActivityCounts } from "../core/views/activity.ts";
import type { CountedRefusal, CountedWarning, RefusalExample } from "../core/views/activity-counts.ts";
import type { LoggedFault } from "../core/views/logged-faults.ts";
import type { TournamentOfCard } from "../core/views/tournament.ts";
import { findingSchema } from "./problems.ts";
import { deliveryPauseSchema } from "./status-schemas.ts";

const whole = z.int();
const time = z.iso.datetime();

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
