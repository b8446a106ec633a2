import * as z from "zod/mini";
import type { Account } from "../../core/accounts/account.ts";
import type { SessionEnder } from "../../core/accounts/account-table.ts";
import { accountOf } from "../../core/accounts/authenticate.ts";
import type { FindAccount } from "../../core/accounts/find-account.ts";
import { accountOfToken, sessionToken, type TokenHolder } from "../../core/accounts/session-token.ts";
import type { SignInLimit } from "../../core/accounts/sign-in-limit.ts";
import { ProblemError, problem, problemResponse } from "../http/problem.ts";
import { exceededLimit, readJson } from "../http/read-json.ts";
import type { OpenRequest } from "../http/request.ts";
import { type HttpResponse, json } from "../http/response.ts";
import type { FiguresByName } from "../runtime/metrics.ts";
import { credentialsLimits } from "./login-form.ts";

/** Seconds that a token for requests is valid. API Gateway caches its policy for five minutes longer. */
export const accessSeconds = 15 * 60;
/** Seconds after which a person signs in again: a day at a tournament's desk. */
export const sessionSeconds = 8 * 3_600;

const hasHostCookie = (base: string) => new URL(base).protocol === "https:";
/** No host beside this one can set a cookie with the prefix; browsers take it over HTTPS only, and for all paths. @see RFC 6265bis, 4.1.3.2 */
const cookieNameAt = (base: string) => `${hasHostCookie(base) ? "__Host-" : ""}portal_session`;
const route = "/portal/session";

const credentialsSchema = z.object({ username: z.string(), password: z.string() });

const noStore = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** Accounts, the clock and what else a session is made with. */
export interface PortalSessionDependencies extends SessionEnder {
  readonly find: FindAccount;
  /** Reads the stage's secret, which signs tokens. */
  readonly secret: () => Promise<string>;
  readonly limit: SignInLimit;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly measure: (figures: FiguresByName) => void;
  /** What the page shows of an account. */
  readonly describe: (account: Account, request: OpenRequest) => object;
}

/**
 * Answers the portal's sessions: POST signs in, PUT renews the page's token, DELETE signs out.
 *
 * The token for requests is in the answer, and the page keeps it in memory. What survives a reload is a cookie that scripts
 * cannot read, that only this host can set, and that no other route of the API reads.
 */
export function portalSessions(dependencies: PortalSessionDependencies) {
  return async (request: OpenRequest): Promise<HttpResponse> => {
    if (isFromElsewhere(request)) {
      return refused(403, "Forbidden", "Only the portal's own page may ask for this.");
    }
    if (request.method === "POST") return signIn(request, dependencies);
    return request.method === "PUT" ? renew(request, dependencies) : signOut(request, dependencies);
  };
}

/** Browsers say where a request comes from, and no script can change it. Programs say nothing, and have no one's cookie. */
function isFromElsewhere({ header }: OpenRequest): boolean {
  const site = header("sec-fetch-site");
  return site !== undefined && site !== "same-origin";
}

async function signIn(request: OpenRequest, dependencies: PortalSessionDependencies): Promise<HttpResponse> {
  const { find, limit, measure, now } = dependencies;
  // No form of another site can send this type, and a script of another site has no permission to.
  if (!/^application\/json\s*(;|$)/i.test(request.header("content-type") ?? "")) {
    return refused(415, "Unsupported media type", "Send the user name and the password as JSON.");
  }
  if (exceededLimit(request.body, credentialsLimits) !== undefined) {
    return refused(413, "Too large", "That was too long for a user name and a password.");
  }
  const credentials = credentialsIn(request.body);
  if (credentials === undefined) {
    return refused(400, "Bad request", 'Send {"username": "…", "password": "…"}.');
  }
  const wait = limit.attempt(request.address, credentials.username);
  if (wait !== undefined) {
    measure({ SignInsLimited: 1 });
    const detail = `Too many attempts to sign in have failed from here. Try again in ${wait} seconds.`;
    return refused(429, "Too many requests", detail, { "Retry-After": String(wait) });
  }
  const account = await accountOf(credentials, { find, now: now() });
  if (account === undefined) {
    measure({ CredentialsRefused: 1 });
    return refused(401, "Unauthorized", "The user name or the password is wrong.");
  }
  limit.succeeded(request.address, credentials.username);
  const startedAt = now();
  const expiresAt = Math.floor(startedAt / 1_000) + sessionSeconds;
  const token = sessionToken(account, "renewal", { startedAt, expiresAt }, await dependencies.secret());
  return readSession({ account, startedAt, expiresAt }, request, dependencies, {
    "Set-Cookie": cookie(request, token),
  });
}

async function renew(request: OpenRequest, dependencies: PortalSessionDependencies): Promise<HttpResponse> {
  const holder = await findHolder(request, dependencies);
  if (holder === undefined) {
    // Also for a page that nobody has signed in to, so that it need not know.
    return refused(401, "Unauthorized", "There is no session, or it has ended. Sign in.");
  }
  return readSession(holder, request, dependencies);
}

/** Ends the session, so that a copy of the cookie is of no use any more; with `everywhere=1` all sessions of the account. */
async function signOut(request: OpenRequest, dependencies: PortalSessionDependencies): Promise<HttpResponse> {
  const { now, endSession, endSessions } = dependencies;
  const holder = await findHolder(request, dependencies);
  if (holder !== undefined) {
    const { account, startedAt } = holder;
    const oldest = now() - sessionSeconds * 1_000;
    const expired = account.endedSessions?.filter((began) => began < oldest) ?? [];
    // The session may have begun at an environment whose clock is ahead.
    if (request.query.everywhere === "1") await endSessions(account.username, Math.max(now(), startedAt + 1));
    else await endSession(account.username, startedAt, expired);
  }
  return { statusCode: 204, headers: { ...noStore, "Set-Cookie": cookie(request, "", 0) }, body: "" };
}

/** Whose session a request's cookie is. */
async function findHolder({ header, base }: OpenRequest, { find, now, secret }: PortalSessionDependencies) {
  const token = cookieIn(header("cookie"), base);
  return token === undefined ? undefined : accountOfToken(token, "renewal", { find, now: now(), secret });
}

/** The answer with which the page works: its token, for how many seconds, and what the account may use. */
async function readSession(
  { account, startedAt, expiresAt: endsAt }: TokenHolder,
  request: OpenRequest,
  { now, describe, secret }: PortalSessionDependencies,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  const seconds = Math.floor(now() / 1_000);
  const expiresAt = Math.min(endsAt, seconds + accessSeconds);
  const document = {
    token: sessionToken(account, "access", { startedAt, expiresAt }, await secret()),
    // Not a time: the reader's clock may be wrong.
    expiresIn: expiresAt - seconds,
    account: describe(account, request),
  };
  return json(200, document, { ...noStore, ...headers });
}

function refused(
  status: number,
  title: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const response = problemResponse(new ProblemError(problem(status, title, detail)));
  return { ...response, headers: { ...response.headers, ...noStore, ...headers } };
}

/** @param seconds how long the browser keeps it; without, until it is closed, and the token in it ends by itself */
function cookie({ base }: OpenRequest, value: string, seconds?: number): string {
  const isSecure = hasHostCookie(base);
  return [
    `${cookieNameAt(base)}=${value}`,
    `Path=${isSecure ? "/" : new URL(`${base}${route}`).pathname}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(isSecure ? ["Secure"] : []),
    ...(seconds === undefined ? [] : [`Max-Age=${seconds}`]),
  ].join("; ");
}

/** Undefined also if there are two: one of them may be another site's. */
function cookieIn(header: string | undefined, base: string): string | undefined {
  const pairs = (header ?? "")
    .split(";")
    .map((pair) => pair.replaceAll(/^[ \t]+|[ \t]+$/g, "").split("=", 2));
  const [found, ...others] = pairs.filter(([name]) => name === cookieNameAt(base));
  return others.length > 0 ? undefined : found?.[1];
}

function credentialsIn(body: string): z.infer<typeof credentialsSchema> | undefined {
  try {
    return credentialsSchema.parse(readJson(body, credentialsLimits, "sign-in", "Send less."));
  } catch {
    return undefined;
  }
}
