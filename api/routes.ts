import type { Resource } from "../core/accounts/account.ts";

/** A function that answers requests to the API. */
export type AnsweringFunction =
  | "change-delivery"
  | "describe-account"
  | "describe-api"
  | "manage-webhooks"
  | "read-courses"
  | "read-members"
  | "read-operations"
  | "serve-portal"
  | "submit-scorecards"
  | "track-scorecards"
  | "validate-scorecards";

/** How the API is reached for one operation, and which function answers it. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Begins with `{apiset}`, except for what is open to everyone or shows all vendors. */
  readonly path: string;
  /** The path's spelling in the OpenAPI document, if it is another. */
  readonly documentedAs?: string;
  /**
   * Whether each fixed segment also works in lower case, since the union's server ignores case. For the union's own paths
   * and those that were served so in 0.2.0; API Gateway allows 300 paths, so a new path of our own has one spelling.
   */
  readonly everySpelling?: true;
  readonly answeredBy: AnsweringFunction;
  /** What an account must be granted; absent if no account is needed. The authorizer's policy and each function enforce it. */
  readonly resource?: Resource;
  /** What is enough in its place. */
  readonly readResource?: Resource;
  /**
   * The data that an account of one club gets: `all`, if no vendor owns the data, or its `own` club's only, which the answering function
   * ensures. If absent, the account gets 403.
   */
  readonly forClub?: "all" | "own";
  /** Whether the header Token must carry a player's access token; API Gateway refuses requests without it. */
  readonly playerToken?: true;
  /** Whether the function streams its responses, and compresses them itself. */
  readonly streamed?: true;
  /** The limit of this operation in lib/usage-limits.ts, if it is not the API's. */
  readonly limitedBy?: "login" | "signIn" | "session" | "page" | "document";
}

const courses = { answeredBy: "read-courses", streamed: true, everySpelling: true, forClub: "all" } as const;
const members = { method: "GET", answeredBy: "read-members", everySpelling: true } as const;
const cards = { resource: "scorecards", everySpelling: true } as const;
const reading = { method: "GET", answeredBy: "track-scorecards", readResource: "scorecards:read" } as const;
const tracking = { ...reading, ...cards } as const;
/** Paths that a later version added, which have one spelling. */
const added = { resource: "scorecards" } as const;
const views = { ...reading, ...added } as const;
const tournaments = { ...views, forClub: "own" } as const;
const attempts = { answeredBy: "manage-webhooks", ...added } as const;
const webhooks = { answeredBy: "manage-webhooks", ...cards } as const;
const login = { path: "/login.aspx", answeredBy: "describe-account" } as const;
/** Each client is limited by the function, too, so that none of them uses up the limit of all. */
const session = { path: "/portal/session", answeredBy: "describe-account" } as const;
/** Streamed, because API Gateway sends bytes as they are only if they are streamed or if it takes all requests for binary. */
const portal = {
  method: "GET",
  answeredBy: "serve-portal",
  streamed: true,
  limitedBy: "page",
} as const;
const description = {
  method: "GET",
  answeredBy: "describe-api",
  streamed: true,
  limitedBy: "document",
} as const;

/**
 * Every operation of the API, by the name that clients generated from `openapi.json` give it. The one table of them: the
 * OpenAPI document describes these operations, the deployed API serves them, and functions learn from it which one a
 * request is for.
 */
export const routes = {
  listClubs: { method: "GET", path: "/{apiset}/Clubs", resource: "clubs", ...courses },
  getClub: { method: "GET", path: "/{apiset}/Clubs/{clubId}", resource: "clubs", ...courses },
  listCourses: {
    method: "GET",
    path: "/{apiset}/Clubs/{clubId}/Courses",
    documentedAs: "/{apiset}/clubs/{clubId}/courses",
    resource: "courses",
    ...courses,
  },
  getCourse: {
    method: "GET",
    path: "/{apiset}/Clubs/{clubId}/Courses/{courseId}",
    documentedAs: "/{apiset}/clubs/{clubId}/courses/{courseId}",
    resource: "courses",
    ...courses,
  },
  getGolfer: { path: "/{apiset}/Clubs/Golfer", resource: "golfer", forClub: "own", ...members },
  getGolferByAccessToken: {
    path: "/{apiset}/Clubs/Golfer_ByAccessToken",
    documentedAs: "/{apiset}/clubs/Golfer_ByAccessToken",
    resource: "golfer-by-token",
    playerToken: true,
    ...members,
  },
  getPlayerRecord: {
    path: "/{apiset}/Clubs/{clubId}/Memberships/Scorecards",
    documentedAs: "/{apiset}/clubs/{clubId}/Memberships/Scorecards",
    resource: "records",
    forClub: "own",
    ...members,
  },
  submitScorecards: {
    method: "POST",
    path: "/{apiset}/ScorecardExchange",
    answeredBy: "submit-scorecards",
    forClub: "own",
    ...cards,
  },
  submitExchangedScorecards: {
    method: "POST",
    path: "/{apiset}/Clubs/Members/ExchangedScorecards",
    answeredBy: "submit-scorecards",
    forClub: "own",
    ...cards,
  },
  validateScorecards: {
    method: "POST",
    path: "/{apiset}/ScorecardExchange/Validate",
    answeredBy: "validate-scorecards",
    forClub: "own",
    ...cards,
  },
  listScorecardStates: { path: "/{apiset}/ScorecardExchange", forClub: "own", ...tracking },
  getActivity: { path: "/{apiset}/Activity", ...tracking },
  listEvents: { path: "/{apiset}/Events", ...views },
  listRefusals: { path: "/{apiset}/Refusals", ...views },
  listTournaments: { path: "/{apiset}/Tournaments", ...tournaments },
  getTournament: { path: "/{apiset}/Tournaments/{tournament}", ...tournaments },
  listTournamentCards: { path: "/{apiset}/Tournaments/{tournament}/Scorecards", ...tournaments },
  getScorecardState: { path: "/{apiset}/ScorecardExchange/{externalId}", forClub: "own", ...tracking },
  getScorecard: { path: "/{apiset}/ScorecardExchange/{externalId}/Card", forClub: "own", ...tracking },
  withdrawScorecard: {
    method: "DELETE",
    path: "/{apiset}/ScorecardExchange/{externalId}",
    answeredBy: "change-delivery",
    forClub: "own",
    ...cards,
  },
  deliverScorecard: {
    method: "POST",
    path: "/{apiset}/ScorecardExchange/{externalId}/Delivery",
    answeredBy: "change-delivery",
    forClub: "own",
    ...cards,
  },
  listWebhooks: { method: "GET", path: "/{apiset}/Webhooks", ...webhooks },
  createWebhook: { method: "POST", path: "/{apiset}/Webhooks", ...webhooks },
  getWebhook: { method: "GET", path: "/{apiset}/Webhooks/{webhookId}", ...webhooks },
  changeWebhook: { method: "PUT", path: "/{apiset}/Webhooks/{webhookId}", ...webhooks },
  removeWebhook: { method: "DELETE", path: "/{apiset}/Webhooks/{webhookId}", ...webhooks },
  testWebhook: { method: "POST", path: "/{apiset}/Webhooks/{webhookId}/Test", ...webhooks },
  rotateWebhookSecret: { method: "POST", path: "/{apiset}/Webhooks/{webhookId}/Secret", ...webhooks },
  replayWebhook: { method: "POST", path: "/{apiset}/Webhooks/{webhookId}/Replay", ...webhooks },
  listWebhookAttempts: { method: "GET", path: "/{apiset}/Webhooks/{webhookId}/Attempts", ...attempts },
  getWebhookAttempt: {
    method: "GET",
    path: "/{apiset}/Webhooks/{webhookId}/Attempts/{attemptId}",
    ...attempts,
  },
  resendWebhookEvent: {
    method: "POST",
    path: "/{apiset}/Webhooks/{webhookId}/Attempts/{attemptId}/Resend",
    ...attempts,
  },
  getOverview: {
    method: "GET",
    path: "/Operations/Overview",
    answeredBy: "read-operations",
    resource: "operations",
    everySpelling: true,
  },
  showLogin: { method: "GET", limitedBy: "document", ...login },
  logIn: { method: "POST", limitedBy: "login", ...login },
  signIn: { method: "POST", limitedBy: "signIn", ...session },
  renewSession: { method: "PUT", limitedBy: "session", ...session },
  signOut: { method: "DELETE", limitedBy: "session", ...session },
  describeApi: { path: "/openapi.json", ...description },
  showReference: { path: "/reference", ...portal, limitedBy: "document" },
  showPortal: { path: "/portal", ...portal },
  loadPortalScript: { path: "/portal.js", ...portal },
  loadPortalStyle: { path: "/portal.css", ...portal },
} as const satisfies Readonly<Record<string, Route>>;

/** The resource by which an account may use a route; undefined if it may not. @param granted names of the account's resources */
export const findGrant = (
  { resource, readResource }: Route,
  granted: readonly string[],
): Resource | undefined => [resource, readResource].find((one) => one !== undefined && granted.includes(one));

/** Name of an operation. */
export type OperationId = keyof typeof routes;

/** Names of the operations that a function answers. */
export type OperationAnsweredBy<Name extends AnsweringFunction> = {
  [Id in OperationId]: (typeof routes)[Id]["answeredBy"] extends Name ? Id : never;
}[OperationId];

const key = (method: string, path: string) => `${method} ${path.toLowerCase()}`;

const operations: ReadonlyMap<string, OperationId> = new Map(
  (Object.keys(routes) as OperationId[]).map((id) => [key(routes[id].method, routes[id].path), id]),
);

/**
 * The operation of a request, by its method and the path that API Gateway matched, in any spelling; undefined if this version has
 * none, e.g. while API Gateway serves the paths of another one.
 *
 * @param matchedPath e.g. `/{apiset}/clubs/{clubId}`
 */
export function findOperation(method: string, matchedPath: string): OperationId | undefined {
  return operations.get(key(method, matchedPath));
}
