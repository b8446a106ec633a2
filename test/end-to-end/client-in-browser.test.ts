import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { settings } from "../../lib/settings.ts";
import { hasChromium, sharedChromium } from "../../local/browser.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { type InstalledPackage, installPackage } from "../packages/installed-package.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { patience } from "./page-faults.ts";
import { type Pipeline, startPipeline } from "./pipeline.ts";

/** Skipped only where there is no browser: install Debian's chromium, or name one in the variable CHROMIUM. */
describe.skipIf(!hasChromium)("in Chromium (none found: install it or set CHROMIUM)", () => {
  let home: InstalledPackage;
  let site: Server;
  let pipeline: Pipeline;
  let browser: Browser;

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

  let origin: string;
  beforeAll(async () => {
    origin = await startSite();
    const assembly = await assemblyOf({ ...settings.test, allowedOrigins: [origin] });
    [pipeline, browser] = await Promise.all([startPipeline({ assembly }), sharedChromium()]);
  });
  afterAll(async () => {
    await pipeline?.stop();
    site?.close();
    await home?.remove();
  });

  /**
   * A page of the vendor's site with a client of the first vendor, and what its console says.
   *
   * @returns `run` runs JavaScript that has `client` and `given`
   */
  async function visit() {
    const page = await browser.newPage();
    page.setDefaultTimeout(patience);
    onTestFinished(() => page.close());
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(origin);
    const { username, password } = pipeline.vendor(0).account;
    const options = JSON.stringify({ api: pipeline.machine.run.api, username, password });
    // What runs in the page is text: only the browser knows these names.
    const run = <Result>(body: string, given: unknown = null) =>
      page.evaluate<Result>(`(async (given) => {
        const { createClient } = await import("/client.js");
        const client = createClient(${options});
        ${body}
      })(${JSON.stringify(given)})`);
    return { page, complaints, run };
  }

  const card = (ExternalID: string, change = {}) => minimalCard(pipeline.standIn, { ExternalID, ...change });

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
       for await (const { externalId, state } of client.follow(accepted, { longestPauseSeconds: 1 })) {
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

  test("a page of a vendor withdraws a card that waits, and is told that a delivered one cannot be withdrawn", async () => {
    const { run } = await visit();
    const refusal = await run<[string, number]>(
      `await client.submit([given]);
       for await (const _ of client.follow([given.ExternalID], { longestPauseSeconds: 1 }));
       return client.withdraw(given.ExternalID).then(() => [], ({ name, status }) => [name, status]);`,
      card("browser delivered"),
    );
    expect(refusal).toEqual(["ApiError", 409]);

    await pipeline.standIn.refuseConnections();
    const state = await run<string>(
      `await client.submit([given]);
       await client.withdraw(given.ExternalID);
       return (await client.statuses([given.ExternalID]))[0].state;`,
      card("browser withdrawn"),
    ).finally(() => pipeline.standIn.acceptConnections());
    expect(state).toBe("withdrawn");
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
