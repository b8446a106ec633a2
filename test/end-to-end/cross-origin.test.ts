import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../../local/browser.ts";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { hurried } from "../hurried-settings.ts";
import { type InstalledPackage, installPackage } from "../packages/installed-package.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { openPage } from "./open-page.ts";
import { type Pipeline, sharedPipeline, startPipeline } from "./pipeline.ts";

const origin = "https://scores.vendor.example";
const another = "http://localhost:5173";
const stranger = "https://elsewhere.example";

let home: InstalledPackage;
let site: Server;
let siteOrigin: string;
/** Two origins are allowed, and that of the vendor's site. */
let some: Pipeline;
let none: Pipeline;

/** A vendor's site, with the client that the package has and nothing else. */
async function startSite(): Promise<string> {
  home = await installPackage("client");
  const client = readFileSync(join(home.installed, "dist/index.js"));
  site = createServer(({ url }, response) => {
    if (url === "/client.js") response.writeHead(200, { "Content-Type": "text/javascript" }).end(client);
    else
      response
        .writeHead(200, { "Content-Type": "text/html" })
        .end("<!doctype html><link rel=icon href=data:,>");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  siteOrigin = await startSite();
  const assembly = await assemblyOf({ ...hurried, allowedOrigins: [origin, another, siteOrigin] });
  [some, none] = await Promise.all([startPipeline({ assembly }), sharedPipeline()]);
});
afterAll(async () => {
  await some?.stop();
  site?.close();
  await home?.remove();
});

const [vendor] = demoVendors;
const authorization = `Basic ${Buffer.from(`${vendor?.username}:${vendor?.password}`).toString("base64")}`;

const preflight = ({ machine }: Pipeline, path: string, from: string, method = "GET") =>
  fetch(`${machine.run.api}/${vendor?.apiSet}/${path}`, {
    method: "OPTIONS",
    headers: {
      Origin: from,
      "Access-Control-Request-Method": method,
      "Access-Control-Request-Headers": "authorization,content-type,token",
    },
  });
const ask = (path: string, from?: string, headers: Record<string, string> = {}) =>
  fetch(`${some.machine.run.api}/${vendor?.apiSet}/${path}`, {
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
      const answer = await preflight(some, path, from, method);
      expect(answer.status).toBe(204);
      expect(await answer.text()).toBe("");
      expect(answer.headers.get("vary")).toBe("Origin");
      expect(allows(answer, from, method, sent)).toBe(true);
    }
  });

  test("reads an answer, with the headers it needs", async () => {
    const answer = await ask("Clubs", another);
    expect([answer.status, allowedFor(answer)]).toEqual([200, another]);
    expect(answer.headers.get("vary")).toContain("Origin");
    expect(answer.headers.get("access-control-expose-headers")).toMatch(/ETag.*Retry-After/);
    const tag = answer.headers.get("etag") ?? "";
    const again = await ask("Clubs", another, { "If-None-Match": tag });
    expect([again.status, allowedFor(again)]).toEqual([304, another]);
  });

  test("reads what went wrong, by the functions' word or by API Gateway's", async () => {
    const ours = await ask("Clubs/Golfer", origin);
    expect([ours.status, allowedFor(ours)]).toEqual([400, origin]);
    const refusals = await Promise.all([
      ask("Clubs", origin, { Authorization: "Basic d3Jvbmc6d3Jvbmc=" }),
      ask("Nowhere", origin),
      ask("../fairway-live/Clubs", origin),
      ask("clubs/Golfer_ByAccessToken", origin),
    ]);
    expect(refusals.map((answer) => [answer.status, allowedFor(answer)])).toEqual(
      [401, 404, 403, 400].map((status) => [status, "*"]),
    );
  });
});

describe("a page of another origin", () => {
  test("is allowed nothing, beforehand and after", async () => {
    const before = await preflight(some, "Clubs", stranger);
    expect([before.status, before.headers.get("vary")]).toEqual([204, "Origin"]);
    expect(allows(before, stranger, "GET", [])).toBe(false);
    const answer = await ask("Clubs", stranger);
    expect([answer.headers.get("vary"), allowedFor(answer)]).toEqual(["Accept-Encoding, Origin", null]);
    expect(allowedFor(await ask("Clubs/Golfer", stranger))).toBeNull();
  });
});

describe("where no origin is allowed", () => {
  test("there are no preflights", async () => {
    const answer = await preflight(none, "Clubs", origin);
    expect([answer.status, allowedFor(answer)]).toEqual([404, null]);
  });
});

/** Skipped only where there is no browser: install Debian's chromium, or name one in the variable CHROMIUM. */
describe.skipIf(!hasChromium)("in Chromium (none found: install it or set CHROMIUM)", () => {
  /**
   * A page of the vendor's site with a client of the first vendor, and what its console says.
   *
   * @returns `run` runs JavaScript that has `client` and `given`
   */
  async function visit() {
    const { page, complaints } = await openPage(siteOrigin);
    const { username, password } = some.vendor(0).account;
    const options = JSON.stringify({ api: some.machine.run.api, username, password });
    // What runs in the page is text: only the browser knows these names.
    const run = <Result>(body: string, given: unknown = null) =>
      page.evaluate<Result>(`(async (given) => {
        const { createClient } = await import("/client.js");
        const client = createClient(${options});
        ${body}
      })(${JSON.stringify(given)})`);
    return { page, complaints, run };
  }

  const card = (ExternalID: string, change = {}) => minimalCard(some.standIn, { ExternalID, ...change });

  /** The Content-Encoding of every submission of a page. */
  function encodingsOf(page: Page): (string | undefined)[] {
    const encodings: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") encodings.push(request.headers()["content-encoding"]);
    });
    return encodings;
  }

  test("a page of a vendor submits cards, gzipped, learns what is wrong with one, and follows the others until they are delivered", async () => {
    const { page, run, complaints } = await visit();
    const encodings = encodingsOf(page);
    const cards = Array.from({ length: 30 }, (_, index) => card(`browser ${index}`));
    const [accepted, refused, states] = await run<[number, string[], string[]]>(
      `const entries = await client.submit(given);
       const accepted = entries.filter(({ status }) => status === 201).map(({ externalId }) => externalId);
       const refused = entries.flatMap(({ errors = [] }) => errors.map(({ pointer }) => pointer));
       const states = new Map();
       for await (const { externalId, state } of client.follow(accepted, { maxPauseSeconds: 1 })) {
         states.set(externalId, state);
       }
       return [accepted.length, refused, [...states.values()]];`,
      [...cards, card("browser wrong", { HCP: "much" })],
    );
    expect(accepted).toBe(30);
    expect(refused).toEqual(["/HCP"]);
    expect(states).toEqual(Array.from({ length: 30 }, () => "delivered"));
    expect(encodings).toEqual(["gzip"]);
    expect(complaints).toEqual([]);
  });

  test("a page reads clubs again without downloading what has not changed", async () => {
    const { page, run } = await visit();
    const statuses: number[] = [];
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    session.on("Network.responseReceivedExtraInfo", ({ statusCode }) => statuses.push(statusCode));
    const [first, second] = await run<[number, number]>(
      "return [(await client.clubs()).length, (await client.clubs()).length];",
    );
    expect(first).toBeGreaterThan(10);
    expect(second).toBe(first);
    expect(statuses.filter((status) => status !== 204)).toContain(304);
  });
});
