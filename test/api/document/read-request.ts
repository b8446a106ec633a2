import type { Context } from "aws-lambda";
import { type OperationId, routes } from "../../../api/routes.ts";
import { webhookChangeSchema, webhookInputSchema } from "../../../api/webhook-inputs.ts";
import { readHandling, readSubmission } from "../../../core/cards/read-submission.ts";
import { assessSubmission } from "../../../core/golf/assess.ts";
import type { Finding } from "../../../core/golf/findings.ts";
import { readCourseQuery } from "../../../core/register/course-query.ts";
import type { TournamentDependencies } from "../../../core/views/tournament-report.ts";
import type { FeedReader } from "../../../core/webhooks/feed-table.ts";
import { readPostedForm } from "../../../functions/describe-account/login-form.ts";
import { portalSessions } from "../../../functions/describe-account/portal-session.ts";
import { openRoute } from "../../../functions/http/open-route.ts";
import { ProblemError, problem } from "../../../functions/http/problem.ts";
import { readQueryFlag } from "../../../functions/http/query-flag.ts";
import type { OpenRequest } from "../../../functions/http/request.ts";
import { type HttpResponse, json } from "../../../functions/http/response.ts";
import { vendorApi } from "../../../functions/http/vendor-api.ts";
import type { VendorRequest } from "../../../functions/http/vendor-request.ts";
import { readBody, readReplay } from "../../../functions/manage-webhooks/request.ts";
import { memberNumbers, playerNumber } from "../../../functions/read-members/member-numbers.ts";
import { playersToken } from "../../../functions/read-members/players-token.ts";
import { cardsInState } from "../../../functions/track-scorecards/cards-in-state.ts";
import { cardsOfDays } from "../../../functions/track-scorecards/cards-of-days.ts";
import { readDays } from "../../../functions/track-scorecards/days.ts";
import { feedPage } from "../../../functions/track-scorecards/feed-page.ts";
import { refusedCards } from "../../../functions/track-scorecards/refused-cards.ts";
import { readStatusQuery } from "../../../functions/track-scorecards/status-query.ts";
import {
  cardsOfTournament,
  listTournaments,
  oneTournament,
} from "../../../functions/track-scorecards/tournaments.ts";
import { context } from "../../core/golf/sample-cards.ts";

/** A request as it is sent. */
export interface SentRequest {
  readonly operationId: OperationId;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What the code that reads a request says about it. */
export interface Reading {
  readonly status: number;
  /** Of cards. */
  readonly faults: readonly Finding[];
}

export const today = "2026-07-04";
const timeZone = "Europe/Copenhagen";

const taken: HttpResponse = json(200, {});
type Read<Request> = (request: Request) => HttpResponse | Promise<HttpResponse>;

/** An operation whose parameters are all in its path, or read by nobody. */
const readsNothing = () => taken;

function courses({ query }: VendorRequest): HttpResponse {
  const read = readCourseQuery(query, timeZone);
  if ("faults" in read) throw new ProblemError(problem(400, "Parameter not understood", ""));
  return taken;
}

const noCards = {
  inState: async () => ({ externalIds: [] }),
  readWithBreaker: async () => ({ breaker: { open: undefined }, cards: [] }),
};

async function states({ apiSet, query }: VendorRequest): Promise<HttpResponse> {
  const asked = readStatusQuery(query, today);
  if (asked.about === "cards") return taken;
  if (asked.about === "state") return cardsInState(noCards as never, apiSet, asked.state, asked.after);
  const activity = { cards: async () => ({ externalIds: [] }) };
  return cardsOfDays({ activity, table: noCards } as never, apiSet, asked);
}

function submission({ body, header, apiSet }: VendorRequest): HttpResponse {
  readHandling(header("prefer"));
  const cards = readSubmission(body, header("content-type"));
  const assessments = assessSubmission(cards, { ...context(), apiSet });
  const errors = assessments.flatMap((assessment) => (assessment.good ? [] : assessment.faults));
  return json(errors.length > 0 ? 422 : 201, { errors });
}

const endpointRead =
  (schema: typeof webhookInputSchema | typeof webhookChangeSchema) => (request: VendorRequest) => {
    readBody<{ readonly url?: string | undefined }>(schema, request.body, {
      own: { apiId: undefined, hosts: [] },
    });
    return taken;
  };

/** Tables without a tournament. */
const noTournaments: TournamentDependencies = {
  tournaments: {
    page: async () => ({ tournaments: [] }),
    tournament: async () => [],
    cards: async () => ({ entries: [] }),
  },
  refusals: { ofTournaments: async () => ({ faults: [], isComplete: true }) },
  table: { read: async () => [] },
  timeZone,
};

/** A feed without an event. */
const noEvents: Pick<FeedReader, "end" | "page"> = {
  end: async () => ({ item: 0, events: 0 }),
  page: async () => ({ events: [], places: [], next: { item: 0, events: 0 }, more: false }),
};

const session = portalSessions({
  find: async () => undefined,
  secret: async () => "secret",
  endSession: async () => undefined,
  endSessions: async () => undefined,
  limit: { attempt: () => undefined, succeeded: () => undefined },
  now: () => 0,
  measure: () => undefined,
  describe: () => ({}),
});

type VendorOperation = {
  [Id in OperationId]: (typeof routes)[Id] extends { readonly resource: string } ? Id : never;
}[OperationId];

/** How each operation that needs an account reads its request: with the functions of its handler, but without tables. */
const vendorReads: Readonly<Record<VendorOperation, Read<VendorRequest>>> = {
  listClubs: readsNothing,
  getClub: readsNothing,
  listCourses: courses,
  getCourse: courses,
  getGolfer({ query, header }) {
    memberNumbers(query);
    playersToken(header("token"));
    return taken;
  },
  getGolferByAccessToken: readsNothing,
  getPlayerRecord({ query }) {
    playerNumber(query);
    return taken;
  },
  submitScorecards: submission,
  submitExchangedScorecards: submission,
  validateScorecards(request) {
    readQueryFlag(request.query, "players", "");
    return submission(request);
  },
  listScorecardStates: states,
  getActivity({ query }) {
    readDays(query, today);
    return taken;
  },
  listRefusals: ({ apiSet, query }) =>
    refusedCards({ page: async () => ({ faults: [] }) }, apiSet, query, { today, timeZone }),
  getScorecardState: readsNothing,
  getScorecard: readsNothing,
  withdrawScorecard: readsNothing,
  deliverScorecard: readsNothing,
  listWebhooks: readsNothing,
  createWebhook: endpointRead(webhookInputSchema),
  getWebhook: readsNothing,
  changeWebhook: endpointRead(webhookChangeSchema),
  removeWebhook: readsNothing,
  testWebhook({ query }) {
    readQueryFlag(query, "forged", "");
    return taken;
  },
  rotateWebhookSecret: readsNothing,
  replayWebhook({ body }) {
    readReplay(body, Date.parse(today));
    return taken;
  },
  listWebhookAttempts: readsNothing,
  getWebhookAttempt: readsNothing,
  resendWebhookEvent: readsNothing,
  listTournaments: ({ apiSet, query }) => listTournaments(noTournaments, apiSet, query, today),
  async getTournament({ apiSet, query, path }) {
    try {
      return await oneTournament(noTournaments, apiSet, path.tournament ?? "", query, today);
    } catch (error) {
      // The request was read.
      if (error instanceof ProblemError && error.problem.status === 404) return taken;
      throw error;
    }
  },
  listTournamentCards: ({ apiSet, query, path }) =>
    cardsOfTournament(noTournaments, apiSet, path.tournament ?? "", query, today),
  listEvents: ({ apiSet, query }) => feedPage(noEvents, apiSet, query, Date.parse(today)),
  getOverview: readsNothing,
};

function logIn({ header, body }: OpenRequest): HttpResponse {
  const read = readPostedForm(header("content-type") ?? "", body);
  return "credentials" in read ? taken : json(read.status, {});
}

const openReads: Readonly<Record<Exclude<OperationId, VendorOperation>, Read<OpenRequest>>> = {
  showLogin: readsNothing,
  logIn,
  signIn: session,
  renewSession: session,
  signOut: session,
  describeApi: readsNothing,
  showReference: readsNothing,
  showPortal: readsNothing,
  loadPortalScript: readsNothing,
  loadPortalStyle: readsNothing,
};

const isVendors = (id: OperationId): id is VendorOperation => Object.hasOwn(vendorReads, id);

const readVendors = vendorApi(async (request) => {
  if (!isVendors(request.operation)) throw new Error(`${request.operation} needs no account.`);
  return vendorReads[request.operation](request);
});

/** Reads a request as its operation does. */
export async function readRequest({
  operationId,
  path,
  query,
  headers,
  body,
}: SentRequest): Promise<Reading> {
  const { method, path: resource } = routes[operationId];
  const encoded = Object.entries(path).map(([name, value]) => [name, encodeURIComponent(value)]);
  const event = {
    httpMethod: method,
    resource,
    pathParameters: Object.fromEntries(encoded),
    multiValueQueryStringParameters: query,
    headers,
    body,
    requestContext: {
      requestId: "r",
      authorizer: { apiSet: path.apiset ?? "greens-app", resources: allResources },
      path: resource,
      stage: "test",
      domainName: "127.0.0.1",
      identity: { sourceIp: "192.0.2.1" },
    },
  };
  const respond = isVendors(operationId) ? readVendors : openRoute(openReads[operationId]);
  const { statusCode, body: text } = await respond(event, {} as Context);
  const { errors = [] } = text === "" ? {} : JSON.parse(text);
  return { status: statusCode, faults: statusCode === 422 ? errors : [] };
}

const allResources = [
  ...new Set(Object.values(routes).flatMap((route) => ("resource" in route ? [route.resource] : []))),
].join();
