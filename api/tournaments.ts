import * as z from "zod/mini";
import { cardStates, State } from "../core/cards/life/states.ts";
import { denmark } from "../unions/denmark.ts";
import { countedWarningSchema } from "./activity.ts";
import { badEntry, badExternalId, delivered } from "./card-examples.ts";
import { exampleExternalId, exampleTournament } from "./examples.ts";
import { tournamentLinks } from "./links.ts";
import { dateOfQuery, defineOperation, jsonResponse, problemResponse, query } from "./operation.ts";
import { faultCode, findingSchema, warningCode } from "./problems.ts";
import { day, defineObject, describe, nextPage, optional, refer, type Shape, time, whole } from "./schema.ts";

const id = describe(
  z.string(),
  "Of the tournament, made from its name: stands for the name in paths, whatever characters that has.",
);
const name = optional(
  z.string(),
  "TournamentName as the cards have it, cut after 200 characters; absent if a person was erased from it.",
);
const round = optional(whole, "TournamentRoundNumber; absent if the card has none from 1 to 99.");

const counts = {
  cards: describe(whole, "Accepted cards; the five states that follow add up to them."),
  waiting: describe(whole, "Without an outcome yet."),
  delivered: whole,
  rejected: whole,
  undelivered: whole,
  withdrawn: whole,
  recorded: describe(whole, "Of the delivered ones, those in the player's record at the union."),
  notRecorded: describe(
    whole,
    "Of the delivered ones, those not in it, although they were looked for several times.",
  ),
  playersUnknown: describe(whole, "Delivered cards of players whom the union did not know."),
  warned: describe(whole, "Cards with any warning."),
};

const tournamentCountsSchema = defineObject("TournamentCounts", counts);
/** A tournament's counts. */
export type TournamentCounts = Shape<typeof tournamentCountsSchema>;

const tournamentSummarySchema = defineObject("TournamentSummary", {
  id,
  name,
  day: describe(day, "Day of play, from the rounds' StartTime."),
  rounds: describe(z.array(whole), "Numbers of the rounds that have cards."),
  ...counts,
  warnings: describe(z.array(countedWarningSchema), "The most frequent first."),
  refused: describe(whole, "Cards that were refused and not accepted since."),
});
/** A tournament on one day of play. */
export type TournamentSummary = Shape<typeof tournamentSummarySchema>;

const tournamentListSchema = defineObject("TournamentList", {
  from: day,
  to: day,
  timeZone: describe(z.string(), "IANA name."),
  tournaments: describe(z.array(tournamentSummarySchema), "The latest day first."),
  isComplete: describe(z.boolean(), "False if so much was refused that `refused` may be too low."),
  next: nextPage,
});

const tournamentRoundSchema = defineObject("TournamentRound", {
  day: describe(day, "Day of play."),
  round: describe(whole, "TournamentRoundNumber; 0 if the cards have none from 1 to 99."),
  ...counts,
});

const tournamentFaultSchema = defineObject("TournamentFault", {
  code: faultCode,
  cards: whole,
});

const tournamentRefusalSchema = defineObject("TournamentRefusal", {
  externalId: optional(z.string(), "Absent if the card had none that can be read."),
  day: describe(day, "Day of play, or of the refusal if the card says no day, or a later one."),
  round,
  at: describe(time, "When it was refused last."),
  requestId: describe(z.string(), "The submission's header x-amzn-RequestId."),
  index: describe(whole, "Index of the card in the submission, from 0."),
  isCorrection: describe(
    z.boolean(),
    "Whether an earlier content of the card is accepted, and this was a correction of it.",
  ),
  errors: z.array(findingSchema),
});

const tournamentRefusalsSchema = defineObject("TournamentRefusals", {
  cards: describe(whole, "Cards that were never accepted."),
  corrections: describe(whole, "Corrections of cards that are accepted."),
  byFault: describe(z.array(tournamentFaultSchema), "The most frequent first."),
  latest: describe(z.array(tournamentRefusalSchema), "Up to 200 of both, the newest first."),
  isComplete: describe(z.boolean(), "False if there are more."),
});

const tournamentSchema = defineObject("Tournament", {
  id,
  name,
  from: day,
  to: day,
  timeZone: describe(z.string(), "IANA name."),
  totals: tournamentCountsSchema,
  rounds: describe(z.array(tournamentRoundSchema), "By day and round."),
  warnings: describe(z.array(countedWarningSchema), "The most frequent first."),
  refused: tournamentRefusalsSchema,
});
/** A tournament on some days: what became of its cards. */
export type TournamentReport = Shape<typeof tournamentSchema>;

const tournamentCardSchema = defineObject("TournamentCard", {
  externalId: z.string(),
  version: whole,
  state: z.enum(cardStates),
  acceptedAt: describe(time, "When its content was accepted, also if that was sent on again since."),
  since: describe(time, "When the state was recorded."),
  day: describe(day, "Day of play."),
  round,
  warnings: describe(z.array(warningCode), "Codes; the card's state has the details."),
  record: optional(
    z.enum(["recorded", "not_recorded"]),
    "Whether it is in the player's record; absent while that is not known.",
  ),
  playerName: optional(z.string(), "As the card has it."),
});
/** A card of a tournament. Times are ISO 8601, UTC. */
export type TournamentCard = Shape<typeof tournamentCardSchema>;

const tournamentCardListSchema = defineObject("TournamentCardList", {
  cards: describe(z.array(tournamentCardSchema), "In the order in which they came."),
  next: nextPage,
});

const tournamentDays = { from: "2025-06-22", to: "2025-06-22", timeZone: denmark.timeZone };
const tournamentName = { id: "~3cAXQcufDWduWwcSE3QK3r", name: exampleTournament };
const tournamentCounts: Shape<typeof tournamentCountsSchema> = {
  cards: 143,
  waiting: 2,
  delivered: 140,
  rejected: 0,
  undelivered: 0,
  withdrawn: 1,
  recorded: 131,
  notRecorded: 1,
  playersUnknown: 1,
  warned: 4,
};
const tournament: Shape<typeof tournamentSchema> = {
  ...tournamentName,
  ...tournamentDays,
  totals: tournamentCounts,
  rounds: [{ day: tournamentDays.to, round: 1, ...tournamentCounts }],
  warnings: [{ code: "course_handicap_differs", cards: 3 }],
  refused: {
    cards: 1,
    corrections: 0,
    byFault: [{ code: "strokes_count", cards: 1 }],
    latest: [
      {
        externalId: badExternalId,
        day: tournamentDays.to,
        round: 1,
        at: "2025-06-22T17:02:03.214Z",
        requestId: "5cf3a1a8-6b0e-4d0c-9a53-0d8d0c0f4b5e",
        index: 1,
        isCorrection: false,
        errors: badEntry.errors,
      },
    ],
    isComplete: true,
  },
};
const tournamentEntry: Shape<typeof tournamentCardSchema> = {
  externalId: exampleExternalId,
  version: 1,
  state: State.delivered,
  acceptedAt: delivered.acceptedAt,
  since: delivered.since,
  day: tournamentDays.to,
  round: 1,
  warnings: [],
  record: "recorded",
  playerName: "Player Example",
};

const days = [
  query("from", "First day of play, in the union's time zone; 30 days before `to` if left out.", dateOfQuery),
  query("to", "Last day of play, at most 31 days from the first; today if left out.", dateOfQuery),
];
const after = query("after", "Start of the page, from `next` of the previous page.", { type: "string" });

/** A vendor's tournaments: the cards that have the same TournamentName, by day of play. */
export const tournamentOperations = [
  defineOperation("listTournaments", {
    summary: "Your tournaments",
    description:
      "The cards of each TournamentName and day of play, counted as they are now, up to 100 tournaments a page. Counts follow within " +
      "seconds.",
    parameters: [...days, after],
    responses: {
      200: jsonResponse("The tournaments.", refer(tournamentListSchema), {
        links: tournamentLinks("$response.body#/tournaments/0/id"),
        example: {
          ...tournamentDays,
          tournaments: [
            {
              ...tournamentName,
              day: tournamentDays.to,
              rounds: [1],
              ...tournamentCounts,
              warnings: tournament.warnings,
              refused: 1,
            },
          ],
          isComplete: true,
        },
      }),
    },
  }),
  defineOperation("getTournament", {
    summary: "What became of a tournament's cards",
    description:
      "By day, round and state, with warnings, and the cards that were refused and not accepted since, with their faults, however " +
      "long after the last day.",
    parameters: days,
    responses: {
      200: jsonResponse("The tournament.", refer(tournamentSchema), {
        links: tournamentLinks("$response.body#/id"),
        example: tournament,
      }),
      404: problemResponse("No card of this tournament was sent on these days."),
    },
  }),
  defineOperation("listTournamentCards", {
    summary: "A tournament's cards",
    description:
      "Its accepted cards with their states, up to 500 a page. A card that left the tournament and " +
      "came back may come on two pages.",
    parameters: [...days, after],
    responses: {
      200: jsonResponse("The cards.", refer(tournamentCardListSchema), {
        example: { cards: [tournamentEntry] },
      }),
    },
  }),
];
