import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clubTable } from "../../core/register/club-table.ts";
import { settings } from "../../lib/settings.ts";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { type OneMachine, startOneMachine } from "../../local/pipeline/one-machine.ts";
import { club, recordOf } from "../core/register/union-in-memory.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { sharedPipeline } from "./pipeline.ts";
import { startUnionOnCommand, type UnionOnCommand } from "./union-on-command.ts";

const origin = "https://scores.vendor.example";
const another = "http://localhost:5173";
const stranger = "https://elsewhere.example";

let union: UnionOnCommand;

/** As if the mirror had found one club: as long as it has found none there is no answer to read. */
async function mirrorClub({ run }: OneMachine): Promise<void> {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const dynamodb = new DynamoDBClient({ endpoint: run.dynamodb, region: run.region, credentials });
  await clubTable(run.resource("ClubTable"), dynamodb).put([recordOf(club(1))]);
  dynamodb.destroy();
}

let two: OneMachine;
let none: OneMachine;
beforeAll(async () => {
  union = await startUnionOnCommand();
  two = await startOneMachine({
    assembly: await assemblyOf({ ...settings.test, allowedOrigins: [origin, another] }),
    port: 0,
    union: union.address,
    log: () => undefined,
    progress: () => undefined,
  });
  none = (await sharedPipeline()).machine;
  await mirrorClub(two);
});
afterAll(async () => {
  await two?.stop();
  await union?.stop();
});

const [vendor] = demoVendors;
const authorization = `Basic ${Buffer.from(`${vendor?.username}:${vendor?.password}`).toString("base64")}`;

const preflight = (machine: OneMachine, path: string, from: string, method = "GET") =>
  fetch(`${machine.run.api}/${vendor?.apiSet}/${path}`, {
    method: "OPTIONS",
    headers: {
      Origin: from,
      "Access-Control-Request-Method": method,
      "Access-Control-Request-Headers": "authorization,content-type,token",
    },
  });
const ask = (machine: OneMachine, path: string, from?: string, headers: Record<string, string> = {}) =>
  fetch(`${machine.run.api}/${vendor?.apiSet}/${path}`, {
    headers: { Authorization: authorization, ...(from !== undefined && { Origin: from }), ...headers },
  });
const allowedFor = ({ headers }: Response) => headers.get("access-control-allow-origin");

/** What a browser concludes from the answer to a preflight. @see Fetch standard, CORS-preflight fetch */
function allows({ ok, headers }: Response, from: string, method: string, names: readonly string[]): boolean {
  const listed = (name: string) => (headers.get(name) ?? "").toLowerCase().split(", ");
  return (
    ok &&
    headers.get("access-control-allow-origin") === from &&
    (method === "GET" || listed("access-control-allow-methods").includes(method.toLowerCase())) &&
    names.every((name) => listed("access-control-allow-headers").includes(name))
  );
}

const sent = ["authorization", "content-type", "token", "prefer", "if-none-match", "content-encoding"];

describe("a page of an allowed origin", () => {
  test.each([
    ["Clubs", "GET"],
    ["clubs/golfer", "GET"],
    ["clubs/golfer_byaccesstoken", "GET"],
    ["clubs/7AABAF90-0000-4552-889B-553D5CE75FC6/memberships/scorecards", "GET"],
    ["clubs/7AABAF90-0000-4552-889B-553D5CE75FC6/courses", "GET"],
    ["ScorecardExchange", "POST"],
    ["scorecardexchange/card-1", "DELETE"],
    ["Clubs/Members/ExchangedScorecards", "POST"],
  ])("may ask %s by %s, and is told so without credentials", async (path, method) => {
    for (const from of [origin, another]) {
      const answer = await preflight(two, path, from, method);
      expect(answer.status).toBe(204);
      expect(await answer.text()).toBe("");
      expect(answer.headers.get("vary")).toBe("Origin");
      expect(allows(answer, from, method, sent)).toBe(true);
    }
  });

  test("reads an answer, with the headers it needs", async () => {
    const answer = await ask(two, "Clubs", another);
    expect([answer.status, allowedFor(answer)]).toEqual([200, another]);
    expect(answer.headers.get("vary")).toContain("Origin");
    expect(answer.headers.get("access-control-expose-headers")).toMatch(/ETag.*Retry-After/);
    const tag = answer.headers.get("etag") ?? "";
    const again = await ask(two, "Clubs", another, { "If-None-Match": tag });
    expect([again.status, allowedFor(again)]).toEqual([304, another]);
  });

  test("reads what went wrong, by the functions' word or by API Gateway's", async () => {
    const ours = await ask(two, "Clubs/Golfer", origin);
    expect([ours.status, allowedFor(ours)]).toEqual([400, origin]);
    const refusals = await Promise.all([
      ask(two, "Clubs", origin, { Authorization: "Basic d3Jvbmc6d3Jvbmc=" }),
      ask(two, "Nowhere", origin),
      ask(two, "../fairway-live/Clubs", origin),
      ask(two, "clubs/Golfer_ByAccessToken", origin),
    ]);
    expect(refusals.map((answer) => [answer.status, allowedFor(answer)])).toEqual(
      [401, 404, 403, 400].map((status) => [status, "*"]),
    );
  });
});

describe("a page of another origin", () => {
  test("is allowed nothing, beforehand and after", async () => {
    const before = await preflight(two, "Clubs", stranger);
    expect([before.status, before.headers.get("vary")]).toEqual([204, "Origin"]);
    expect(allows(before, stranger, "GET", [])).toBe(false);
    const answer = await ask(two, "Clubs", stranger);
    expect([answer.headers.get("vary"), allowedFor(answer)]).toEqual(["Accept-Encoding, Origin", null]);
    expect(allowedFor(await ask(two, "Clubs/Golfer", stranger))).toBeNull();
  });
});

describe("where no origin is allowed", () => {
  test("there are no preflights", async () => {
    const answer = await preflight(none, "Clubs", origin);
    expect([answer.status, allowedFor(answer)]).toEqual([404, null]);
  });
});
