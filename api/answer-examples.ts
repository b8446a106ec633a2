import { State } from "../core/cards/life/states.ts";
import { explainCard } from "../core/golf/explain.ts";
import type { ShownEndpoint } from "../core/webhooks/shown-endpoint.ts";
import type { Problem } from "../functions/http/problem.ts";
import type { ShownAttempt } from "../functions/manage-webhooks/answer.ts";
import { activity, overview } from "./activity-examples.ts";
import {
  accepting,
  badEntry,
  card,
  delivered,
  entry,
  errors,
  queued,
  undelivered,
  warnings,
} from "./card-examples.ts";
import { eventExample } from "./event-examples.ts";
import {
  exampleAttemptId,
  exampleClub,
  exampleCourse,
  exampleExternalId,
  exampleMember,
  exampleRecord,
  exampleWebhookId,
} from "./examples.ts";
import {
  tournament,
  tournamentCounts,
  tournamentDays,
  tournamentEntry,
  tournamentName,
} from "./tournament-examples.ts";

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
      events: [{ id: attempt.eventId, ...(eventExample("scorecard.delivered") as object) }],
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
  },
  getTournament: { 200: tournament },
  listTournamentCards: { 200: { cards: [tournamentEntry] } },
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
