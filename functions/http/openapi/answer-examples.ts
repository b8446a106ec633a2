import { apiSetSchema } from "../../../core/accounts/account.ts";
import { State } from "../../../core/cards/life/states.ts";
import { type Assessment, assessSubmission } from "../../../core/golf/assess.ts";
import { explainCard } from "../../../core/golf/explain.ts";
import type { Overview } from "../../../core/operations/overview.ts";
import type { Activity } from "../../../core/views/activity.ts";
import { type TournamentCounts, tournamentId } from "../../../core/views/tournament.ts";
import type { TournamentCard } from "../../../core/views/tournament-card.ts";
import type { TournamentReport } from "../../../core/views/tournament-report.ts";
import { denmark } from "../../../unions/denmark.ts";
import type { ShownAttempt, ShownEndpoint } from "../../manage-webhooks/answer.ts";
import type { Problem } from "../problem.ts";
import { eventExample } from "./event-examples.ts";
import {
  exampleApiSet,
  exampleAttemptId,
  exampleClub,
  exampleCourse,
  exampleExternalId,
  exampleMember,
  exampleRecord,
  exampleTournament,
  exampleWebhookId,
  minimalCard,
} from "./examples.ts";

/** Assesses a card as a submission does on the day after its round, so that no example differs from what is answered. */
function assessed(card: unknown): Assessment {
  const [assessment] = assessSubmission([card], {
    apiSet: apiSetSchema.parse(exampleApiSet),
    now: new Date("2025-06-23T08:00:00Z"),
    timeZone: denmark.timeZone,
    country: denmark.country,
    highestHandicapIndex: denmark.rules.highestHandicapIndex,
    courses: () => [exampleCourse],
  });
  if (assessment === undefined) throw new Error("An example has no assessment.");
  return assessment;
}

function accepted(): Assessment & { readonly good: true } {
  const assessment = assessed(minimalCard);
  if (!assessment.good) throw new Error(`The example is refused: ${JSON.stringify(assessment.faults)}`);
  return assessment;
}

const { card, contentHash, warnings } = accepted();
const entry = { index: 0, externalId: exampleExternalId, status: 201, card, contentHash, warnings };

const badExternalId = "example-4";
const { Strokes } = minimalCard.Result;
const bad = assessed({
  ...minimalCard,
  ExternalID: badExternalId,
  Result: { ...minimalCard.Result, Strokes: Strokes.slice(1) },
});
const errors = bad.good ? [] : bad.faults;
const badEntry = {
  index: 1,
  externalId: badExternalId,
  status: 422,
  errors: errors.map((fault) => ({ ...fault, index: 1 })),
};

const refusedCards: Problem = {
  type: "urn:scorecards:problem:invalid-cards",
  title: "Scorecards not accepted",
  status: 422,
  detail:
    "1 of 1 scorecards cannot be accepted, so none was stored. Fix what `errors` lists and send the array again, or " +
    "send it with `Prefer: handling=lenient` to have the valid ones accepted.",
  errors,
};

const accepting = { 201: [card], 207: [entry, badEntry], 422: refusedCards };

const delivered = {
  externalId: exampleExternalId,
  id: card.ID,
  contentHash,
  acceptedAt: "2025-06-22T17:02:03.214Z",
  state: State.delivered,
  since: "2025-06-22T17:02:04.027Z",
  attempts: 1,
};
const undelivered = {
  ...delivered,
  externalId: "example-2",
  state: State.undelivered,
  since: "2025-06-24T17:03:11.530Z",
  attempts: 41,
  lastError: { stage: "after", status: 503, message: "The exchange answered 503." },
};
const queued = {
  externalId: exampleExternalId,
  id: card.ID,
  contentHash,
  acceptedAt: delivered.acceptedAt,
  state: State.queued,
  since: "2025-06-24T18:00:00.000Z",
};

const counts = {
  accepted: 214,
  refused: 8,
  corrected: 3,
  resent: 0,
  withdrawn: 1,
  delivered: 215,
  onDayOfPlay: 209,
  late: 6,
  rejected: 1,
  undelivered: 0,
  warned: 3,
  playersUnknown: 2,
  recorded: 209,
  notRecorded: 2,
  deliverySeconds: { half: 0.465, most: 1.42 },
};
const tournamentDays = { from: "2025-06-22", to: "2025-06-22", timeZone: denmark.timeZone };
const tournamentName = { id: tournamentId(exampleTournament), name: exampleTournament };
const tournamentCounts: TournamentCounts = {
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
const startListExpiry = "2025-07-21T06:30:00.000Z";
const tournament: TournamentReport = {
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
  startLists: [
    {
      from: tournamentDays.from,
      to: tournamentDays.to,
      expiresAt: startListExpiry,
      rounds: [
        {
          round: 1,
          players: 144,
          missing: 2,
          missingPlayers: [
            { index: 16, label: "17", reason: "not_sent" },
            { index: 80, label: "81", reason: State.withdrawn },
          ],
          unlisted: 1,
          unlistedCards: ["midsummer-1-misspelt"],
        },
      ],
      isComplete: true,
    },
  ],
};
const tournamentEntry: TournamentCard = {
  externalId: exampleExternalId,
  version: 1,
  state: State.delivered,
  acceptedAt: delivered.acceptedAt,
  since: delivered.since,
  day: tournamentDays.to,
  round: 1,
  warnings: [],
  record: "recorded",
  player: "H3fC5nV0b1yQeRkP",
  playerName: "Player Example",
  clubName: "Example Golf Club",
  playingHandicap: 16,
  result: { holes: 18, played: 18, par: 72, points: 34, gross: 90, net: 74 },
};
const overview: Overview = {
  stack: "scorecard-pipeline-production",
  at: "2026-07-04T12:00:00.000Z",
  union: "https://union.example",
  delivery: { held: false, eventSource: "Enabled" },
  queue: { waiting: 3, delayed: 1, inFlight: 2, deadLetters: 0, oldestSeconds: 95 },
  breakers: [
    {
      apiSet: "tournament-system",
      since: "2026-07-04T11:58:20.000Z",
      nextAttemptAt: "2026-07-04T12:00:10.000Z",
      status: 503,
      message: "The exchange answered 503.",
    },
  ],
  vendors: [
    {
      username: "tournament-system",
      apiSet: "tournament-system",
      disabled: false,
      today: { accepted: 1_204, refused: 3, delivered: 1_198, late: 12, rejected: 1, undelivered: 0 },
      waiting: 5,
    },
  ],
  objective: {
    delivered: 48_210,
    delayed: 6,
    share: 0.999875,
    budgetUsed: 0.124,
    burnRates: { fast: 0, slow: 0.2 },
  },
  mirror: { clubs: 187, failing: 0, ageSeconds: 842 },
  alarms: [],
};

const activity: Activity = {
  from: "2025-06-22",
  to: "2025-06-22",
  timeZone: denmark.timeZone,
  waiting: { cards: 0 },
  totals: counts,
  days: [{ day: "2025-06-22", ...counts }],
  hours: [{ start: "2025-06-22T17:00:00.000Z", ...counts }],
  warnings: [
    { code: "player_unknown", cards: 2 },
    { code: "round_seen", cards: 1 },
  ],
  refusals: [
    {
      code: "strokes_count",
      cards: 1,
      examples: [{ externalId: badExternalId, pointer: "/Result/Strokes", at: "2025-06-22T17:02:03.214Z" }],
    },
  ],
};

const webhook: ShownEndpoint = {
  id: exampleWebhookId,
  url: "https://scores.example/webhooks/scorecards",
  types: ["scorecard.delivered", "scorecard.rejected"],
  createdAt: "2025-06-01T08:00:00.000Z",
  pending: 0,
  lastTakenAt: "2025-06-22T18:04:07.512Z",
  state: "active",
};
const exampleSecret = "whsec_ZXhhbXBsZSBvZiBhIHNlY3JldCwgbm90IG9uZQ==";

const attempt: ShownAttempt = {
  id: exampleAttemptId,
  at: "2025-06-22T17:02:04.027Z",
  milliseconds: 84,
  eventId: "evt_Jx2PWq7d1mXh0b9yV3sK4A",
  type: "scorecard.delivered",
  cards: 1,
  taken: true,
  status: 204,
};

/** An example of an answer by operation and status. */
export const answerExamples: Readonly<Record<string, Readonly<Record<number, unknown>>>> = {
  listClubs: { 200: [exampleClub] },
  getClub: { 200: exampleClub },
  listCourses: { 200: [exampleCourse] },
  getCourse: { 200: exampleCourse },
  getGolfer: { 200: exampleMember },
  getGolferByAccessToken: { 200: exampleMember },
  getPlayerRecord: { 200: exampleRecord },
  submitScorecards: accepting,
  submitExchangedScorecards: accepting,
  validateScorecards: {
    200: {
      accepted: false,
      cards: [
        { ...entry, derivation: explainCard(card) },
        { ...badEntry, warnings: [] },
      ],
    },
  },
  listWebhooks: {
    200: {
      webhooks: [webhook],
      queues: {
        principal: "arn:aws:iam::123456789012:root",
        externalId: "scorecard-pipeline-production:greens-app",
        roleNamePrefix: "scorecard-events",
      },
    },
  },
  createWebhook: { 201: { ...webhook, secret: exampleSecret } },
  getWebhook: { 200: webhook },
  changeWebhook: { 200: webhook },
  testWebhook: { 202: { eventId: attempt.eventId } },
  listWebhookAttempts: { 200: { attempts: [attempt] } },
  getWebhookAttempt: { 200: { ...attempt, event: eventExample("scorecard.delivered") } },
  resendWebhookEvent: { 202: { eventId: attempt.eventId } },
  rotateWebhookSecret: { 201: { secret: exampleSecret } },
  replayWebhook: { 200: { cards: 214 }, 202: { cards: 214 } },
  getActivity: { 200: activity },
  listEvents: {
    200: {
      events: [
        {
          id: "evt_6g3yqzr0bO1vJm2dN8cXhw",
          type: "scorecard.delivered",
          timestamp: "2025-06-22T17:02:05.871Z",
          data: { apiSet: "greens-app", cards: [delivered] },
        },
      ],
      cursor: "29175902000001-1",
      more: false,
      askAgainAfterSeconds: 2,
    },
  },
  listRefusals: {
    200: {
      refusals: errors.map((fault) => ({
        at: "2025-06-22T17:02:03.214Z",
        requestId: "5cf3a1a8-6b0e-4d0c-9a53-0d8d0c0f4b5e",
        ...fault,
      })),
    },
  },
  listTournaments: {
    200: {
      ...tournamentDays,
      tournaments: [
        { ...tournamentName, day: tournamentDays.to, rounds: [1], ...tournamentCounts, refused: 1 },
      ],
      isComplete: true,
    },
  },
  getTournament: { 200: tournament },
  listTournamentCards: { 200: { cards: [tournamentEntry] } },
  putStartList: {
    200: {
      id: tournamentName.id,
      from: tournamentDays.from,
      to: tournamentDays.to,
      rounds: [1],
      players: 144,
      expiresAt: startListExpiry,
    },
  },
  getOverview: { 200: overview },
  listScorecardStates: { 200: { cards: [delivered, undelivered] } },
  getScorecardState: { 200: delivered },
  getScorecard: {
    200: {
      externalId: exampleExternalId,
      version: 1,
      state: State.delivered,
      acceptedAt: delivered.acceptedAt,
      since: delivered.since,
      posts: [{ version: 1, at: delivered.since, posts: 1 }],
      earlier: [],
      card,
      warnings,
      derivation: explainCard(card),
    },
  },
  deliverScorecard: { 202: queued },
};

/** An example of a refusal by status. */
export const refusalExamples: Readonly<Record<number, Problem>> = {
  401: {
    type: "about:blank",
    title: "Unauthorized",
    status: 401,
    detail: "Send the user name and password of a vendor account by HTTP Basic authentication.",
  },
  429: {
    type: "about:blank",
    title: "Too many requests",
    status: 429,
    detail: "Send fewer requests a second; one submission may carry 1000 scorecards.",
  },
  503: {
    type: "urn:scorecards:problem:try-again",
    title: "Not now",
    status: 503,
    detail:
      "The cards could not be stored. Send the same request again; what was already taken is not taken twice.",
  },
};
