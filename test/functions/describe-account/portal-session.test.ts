import { expect, test } from "vitest";
import type { Account, ApiSet } from "../../../core/accounts/account.ts";
import { authenticate } from "../../../core/accounts/authenticate.ts";
import { hashPassword } from "../../../core/accounts/password.ts";
import { signInLimit } from "../../../core/accounts/sign-in-limit.ts";
import {
  accessSeconds,
  portalSessions,
  sessionSeconds,
} from "../../../functions/describe-account/portal-session.ts";
import type { OpenRequest } from "../../../functions/http/request.ts";

const password = "a password";
const account: Account = {
  username: "greens-app",
  apiSet: "greens-app" as ApiSet,
  resources: ["scorecards"],
  passwordHash: hashPassword(password),
  disabled: false,
};

/** Sessions with one account, a clock, and counts of what was read and measured. */
function sessions() {
  let time = Date.parse("2026-07-04T12:00:00Z");
  const counts: Record<string, number> = { reads: 0 };
  const find = async (username: string) => {
    counts.reads = (counts.reads ?? 0) + 1;
    return username === account.username ? { ...account, ...ended } : undefined;
  };
  const ended: { sessionsFrom?: number; endedSessions?: readonly number[] } = {};
  const secret = async () => "a secret of the stage";
  const answer = portalSessions({
    find,
    secret,
    endSession: async (_, startedAt, expired) => {
      const others = (ended.endedSessions ?? []).filter((began) => !expired.includes(began));
      ended.endedSessions = [...others, startedAt];
    },
    endSessions: async (_, at) => {
      ended.sessionsFrom = at;
    },
    limit: signInLimit(() => time),
    now: () => time,
    measure: (figures) => {
      for (const name of Object.keys(figures)) counts[name] = (counts[name] ?? 0) + 1;
    },
    describe: ({ username }) => ({ username }),
  });
  const request = (
    method: string,
    change: Partial<OpenRequest> & { headers?: Record<string, string> } = {},
  ) => {
    const headers: Record<string, string> = { "content-type": "application/json", ...change.headers };
    return answer({
      method,
      stage: "test",
      address: "192.0.2.1",
      base: "https://scores.example/test",
      header: (name) => headers[name],
      route: "/portal/session",
      query: {},
      body: JSON.stringify({ username: account.username, password }),
      ...change,
    });
  };
  const pass = (seconds: number) => {
    time += seconds * 1_000;
  };
  const check = () => ({ find, now: time, secret });
  return { request, counts, check, pass, ended };
}

const cookieOf = ({ headers }: { headers: Readonly<Record<string, string>> }) =>
  headers["Set-Cookie"]?.split(";")[0] ?? "";

test("signing in gives a token that the API accepts, and a cookie that no script reads and no other host sets", async () => {
  const { request, check } = sessions();
  const answer = await request("POST");
  expect(answer.statusCode).toBe(200);
  const { token, expiresIn, account: shown } = JSON.parse(answer.body);
  expect([expiresIn, shown]).toEqual([accessSeconds, { username: "greens-app" }]);
  expect(await authenticate(`Bearer ${token}`, check())).toEqual(account);
  expect(answer.headers["Set-Cookie"]).toMatch(
    /^__Host-portal_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
  expect(answer.headers["Cache-Control"]).toBe("no-store");
  const cookie = cookieOf(answer).split("=")[1];
  expect(await authenticate(`Bearer ${cookie}`, check())).toBeUndefined();
});

test("a reload goes on with the session, until it has lasted for eight hours", async () => {
  const { request, pass } = sessions();
  const cookie = cookieOf(await request("POST"));
  const renew = () => request("PUT", { headers: { cookie: `other=1; ${cookie}` }, body: "" });
  pass(accessSeconds + 1);
  const renewed = await renew();
  expect([renewed.statusCode, JSON.parse(renewed.body).expiresIn]).toEqual([200, accessSeconds]);
  expect(renewed.headers["Set-Cookie"]).toBeUndefined();
  pass(sessionSeconds - accessSeconds - 61);
  expect(JSON.parse((await renew()).body).expiresIn).toBe(60);
  pass(60);
  expect((await renew()).statusCode).toBe(401);
});

test("of two cookies of the name none counts, nor one with a blank of another kind before its name", async () => {
  const { request } = sessions();
  const cookie = cookieOf(await request("POST"));
  const statusWith = async (header: string) =>
    (await request("PUT", { headers: { cookie: header }, body: "" })).statusCode;
  expect(
    await Promise.all([` ${cookie}`, `${cookie}; ${cookie}`, `\u00a0${cookie}`].map(statusWith)),
  ).toEqual([200, 401, 401]);
});

test("signing out ends that session alone, and everywhere all that have begun; what has expired is not kept", async () => {
  const { request, pass, ended } = sessions();
  const cookies: string[] = [];
  for (; cookies.length < 3; pass(1)) cookies.push(cookieOf(await request("POST")));
  const signOut = (cookie = "", query = {}) => request("DELETE", { headers: { cookie }, query, body: "" });
  const renew = (cookie: string) => request("PUT", { headers: { cookie }, body: "" });
  const renewed = async () => (await Promise.all(cookies.map(renew))).map((answer) => answer.statusCode);
  const { statusCode, headers } = await signOut(cookies[0]);
  expect(statusCode).toBe(204);
  expect(headers["Set-Cookie"]).toMatch(/^__Host-portal_session=; Path=\/;.*; Max-Age=0$/);
  expect(await renewed()).toEqual([401, 200, 200]);
  await signOut(cookies[1], { everywhere: "1" });
  expect(await renewed()).toEqual([401, 401, 401]);
  pass(sessionSeconds);
  await signOut(cookieOf(await request("POST")));
  expect(ended.endedSessions).toHaveLength(1);
});

test("signing out ends the session's tokens and copies of its cookie, also if it has just begun, and no later session", async () => {
  const { request, check, pass } = sessions();
  const answer = await request("POST");
  const { token } = JSON.parse(answer.body);
  const headers = { cookie: cookieOf(answer) };
  await request("DELETE", { headers, body: "" });
  expect(await authenticate(`Bearer ${token}`, check())).toBeUndefined();
  expect((await request("PUT", { headers, body: "" })).statusCode).toBe(401);
  pass(1);
  const later = { cookie: cookieOf(await request("POST")) };
  expect((await request("PUT", { headers: later, body: "" })).statusCode).toBe(200);
  // A cookie that was ended, or is none, ends nobody's session.
  await request("DELETE", { headers, body: "" });
  await request("DELETE", {
    headers: { cookie: "__Host-portal_session=Z3JlZW5zLWFwcA.1.9999999999.a" },
    body: "",
  });
  expect((await request("PUT", { headers: later, body: "" })).statusCode).toBe(200);
});

test.each(["POST", "PUT", "DELETE"])("a page of another site cannot %s a session", async (method) => {
  const { request, counts } = sessions();
  for (const site of ["cross-site", "same-site", "none"]) {
    expect((await request(method, { headers: { "sec-fetch-site": site } })).statusCode).toBe(403);
  }
  expect(counts.reads).toBe(0);
});

test.each([
  ["a form", 415, { headers: { "content-type": "application/x-www-form-urlencoded" } }],
  ["no JSON", 400, { body: "{" }],
  ["no password", 400, { body: '{"username":"greens-app"}' }],
  ["a huge body", 413, { body: `{"username":"${"x".repeat(3_000)}"}` }],
])("%s is answered %i", async (_, status, change) => {
  const { request, counts } = sessions();
  expect((await request("POST", change)).statusCode).toBe(status);
  expect(counts.reads).toBe(0);
});

test("200 attempts a second from one address read few accounts, and others sign in all the while", async () => {
  const { request, counts, pass } = sessions();
  const statuses: number[] = [];
  for (let second = 0; second < 10; second += 1) {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const body = JSON.stringify({ username: `guess-${attempt}`, password: "wrong" });
      const { statusCode, headers } = await request("POST", { body });
      expect(headers["Retry-After"] !== undefined).toBe(statusCode === 429);
      statuses.push(statusCode);
      pass(0.005);
    }
    expect((await request("POST", { address: "198.51.100.7" })).statusCode).toBe(200);
  }
  const refused = statuses.filter((status) => status === 429).length;
  expect(refused).toBeGreaterThanOrEqual(2_000 - 36);
  expect(counts).toMatchObject({ SignInsLimited: refused, CredentialsRefused: 2_000 - refused });
  expect(counts.reads).toBe(2_000 - refused + 10);
});
