import * as z from "zod/mini";
import { cardStates } from "../core/cards/life/states.ts";
import { knownValues } from "../core/formats/known-values.ts";
import { faultCodes, warningCodes } from "../core/golf/findings.ts";
import type { TournamentCounts } from "../core/views/tournament.ts";
import type { TournamentCard } from "../core/views/tournament-card.ts";
import type { RefusedCard, TournamentReport, TournamentSummary } from "../core/views/tournament-report.ts";
import { countedWarningSchema } from "./activity-schemas.ts";
import { findingSchema } from "./problems.ts";

const whole = z.int();
const time = z.iso.datetime();
const day = z.iso.date();

const id = z
  .string()
  .check(
    z.describe(
      "Of the tournament, made from its name: stands for the name in paths, whatever characters that has.",
    ),
  );
const name = z
  .exactOptional(z.string())
  .check(
    z.describe(
      "TournamentName as the cards have it, cut after 200 characters; absent if a person was erased from it.",
    ),
  );
const round = z
  .exactOptional(whole)
  .check(z.describe("TournamentRoundNumber; absent if the card has none from 1 to 99."));

const counts = {
  cards: whole.check(z.describe("Accepted cards; the five states that follow add up to them.")),
  waiting: whole.check(z.describe("Without an outcome yet.")),
  delivered: whole,
  rejected: whole,
  undelivered: whole,
  withdrawn: whole,
  recorded: whole.check(z.describe("Of the delivered ones, those in the player's record at the union.")),
  notRecorded: whole.check(
    z.describe("Of the delivered ones, those not in it, although they were looked for several times."),
  ),
  playersUnknown: whole.check(z.describe("Delivered cards of players whom the union did not know.")),
  warned: whole.check(z.describe("Cards with any warning.")),
};

/** The counts of a tournament's cards as they are now. */
export const tournamentCountsSchema = z.object(counts) satisfies z.ZodMiniType<TournamentCounts>;

/** A tournament on one day of play. */
export const tournamentSummarySchema = z.object({
  id,
  name,
  day: day.check(z.describe("Day of play, from the rounds' StartTime.")),
  rounds: z.array(whole).check(z.describe("Numbers of the rounds that have cards.")),
  ...counts,
  warnings: z.array(countedWarningSchema).check(z.describe("The most frequent first.")),
  refused: whole.check(z.describe("Cards that were refused and not accepted since.")),
}) satisfies z.ZodMiniType<TournamentSummary>;

/** One page of a vendor's tournaments. */
export const tournamentListSchema = z.object({
  from: day,
  to: day,
  timeZone: z.string().check(z.describe("IANA name.")),
  tournaments: z.array(tournamentSummarySchema).check(z.describe("The latest day first.")),
  isComplete: z.boolean().check(z.describe("False if so much was refused that `refused` may be too low.")),
  next: z.exactOptional(z.string()).check(z.describe("Query of the next page; absent on the last.")),
});

/** Counts of one round of a tournament. */
export const tournamentRoundSchema = z.object({
  day: day.check(z.describe("Day of play.")),
  round: whole.check(z.describe("TournamentRoundNumber; 0 if the cards have none from 1 to 99.")),
  ...counts,
});

/** Refused cards with a fault. */
export const tournamentFaultSchema = z.object({
  code: knownValues([...faultCodes]).check(
    z.describe("One of the faults in docs/faults.md; others may be added at any time."),
  ),
  cards: whole,
});

/** A refused card of a tournament that is still to be mended. */
export const tournamentRefusalSchema = z.object({
  externalId: z.exactOptional(z.string()).check(z.describe("Absent if the card had none that can be read.")),
  day: day.check(z.describe("Day of play, or of the refusal if the card says no day, or a later one.")),
  round,
  at: time.check(z.describe("When it was refused last.")),
  requestId: z.string().check(z.describe("The submission's header x-amzn-RequestId.")),
  index: whole.check(z.describe("Index of the card in the submission, from 0.")),
  isCorrection: z
    .boolean()
    .check(
      z.describe("Whether an earlier content of the card is accepted, and this was a correction of it."),
    ),
  errors: z.array(findingSchema),
}) satisfies z.ZodMiniType<RefusedCard>;

/** What of a tournament was refused, and not accepted since. */
export const tournamentRefusalsSchema = z.object({
  cards: whole.check(z.describe("Cards that were never accepted.")),
  corrections: whole.check(z.describe("Corrections of cards that are accepted.")),
  byFault: z.array(tournamentFaultSchema).check(z.describe("The most frequent first.")),
  latest: z.array(tournamentRefusalSchema).check(z.describe("Up to 200 of both, the newest first.")),
  isComplete: z.boolean().check(z.describe("False if there are more.")),
});

/** A tournament on some days: what became of its cards. */
export const tournamentSchema = z.object({
  id,
  name,
  from: day,
  to: day,
  timeZone: z.string().check(z.describe("IANA name.")),
  totals: tournamentCountsSchema,
  rounds: z.array(tournamentRoundSchema).check(z.describe("By day and round.")),
  warnings: z.array(countedWarningSchema).check(z.describe("The most frequent first.")),
  refused: tournamentRefusalsSchema,
}) satisfies z.ZodMiniType<TournamentReport>;

/** A card of a tournament. */
export const tournamentCardSchema = z.object({
  externalId: z.string(),
  version: whole,
  state: z.enum(cardStates),
  acceptedAt: time.check(z.describe("When its content was accepted, also if that was sent on again since.")),
  since: time.check(z.describe("When the state was recorded.")),
  day: day.check(z.describe("Day of play.")),
  round,
  warnings: z
    .array(knownValues([...warningCodes]))
    .check(z.describe("Codes; the card's state has the details.")),
  record: z
    .exactOptional(z.enum(["recorded", "not_recorded"]))
    .check(z.describe("Whether it is in the player's record; absent while that is not known.")),
  playerName: z.exactOptional(z.string()).check(z.describe("As the card has it.")),
}) satisfies z.ZodMiniType<TournamentCard>;

/** One page of a tournament's cards. */
export const tournamentCardListSchema = z.object({
  cards: z.array(tournamentCardSchema).check(z.describe("In the order in which they came.")),
  next: z.exactOptional(z.string()).check(z.describe("Query of the next page; absent on the last.")),
});
