import { State } from "../core/cards/life/states.ts";
import { type TournamentCounts, tournamentId } from "../core/views/tournament.ts";
import type { TournamentCard } from "../core/views/tournament-card.ts";
import type { TournamentReport } from "../core/views/tournament-report.ts";
import { denmark } from "../unions/denmark.ts";
import { badEntry, badExternalId, delivered } from "./card-examples.ts";
import { exampleExternalId, exampleTournament } from "./examples.ts";

export const tournamentDays = { from: "2025-06-22", to: "2025-06-22", timeZone: denmark.timeZone };
export const tournamentName = { id: tournamentId(exampleTournament), name: exampleTournament };
export const tournamentCounts: TournamentCounts = {
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
export const tournament: TournamentReport = {
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
export const tournamentEntry: TournamentCard = {
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
