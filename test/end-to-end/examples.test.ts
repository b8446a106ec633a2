import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { type Pipeline, sharedPipeline } from "./pipeline.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

let pipeline: Pipeline;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  pipeline = await sharedPipeline();
  folder = await mkdtemp(join(tmpdir(), "examples-"));
  env = {
    PATH: process.env.PATH,
    SCORECARDS_API: pipeline.machine.run.api,
    SCORECARDS_USERNAME: "greens-app",
    SCORECARDS_PASSWORD: "greens-app-demo",
    WEBHOOK_SECRET: secret,
    PORT: "0",
  };
});
afterAll(async () => {
  await pipeline.stop();
  await rm(folder, { recursive: true });
});

test("the scoring app has at most 80 lines", async () => {
  const lines = (await readFile("docs/examples/scoring-app.ts", "utf8")).trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(80);
});

describe("the scoring app's backend", () => {
  let app: ChildProcess;
  let address: string;

  beforeAll(async () => {
    app = spawn(process.execPath, [resolve("docs/examples/scoring-app.ts")], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (app.stdout === null) throw new Error("The example's output cannot be read.");
    const [said] = await once(app.stdout, "data");
    address = `http://127.0.0.1:${/port: (\d+)/.exec(String(said))?.[1]}`;
  });
  afterAll(() => {
    app.kill();
  });

  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(address + path, { method: "POST", body, headers });
  const state = async (name: string) =>
    ((await (await fetch(`${address}/rounds/${name}`)).json()) as { state: string }).state;

  test("a finished card is submitted and followed to its delivery", async () => {
    const card = minimalCard(pipeline.standIn, { ExternalID: "round 1" });
    expect((await post("/rounds", JSON.stringify(card))).status).toBe(202);
    await expect.poll(() => state("round%201")).toBe("delivered");
  });

  test("a card with a fault is answered with what the player has to correct", async () => {
    const card = minimalCard(pipeline.standIn, { ExternalID: "round 2", HCP: "much" });
    const response = await post("/rounds", JSON.stringify(card));
    expect([response.status, await response.json()]).toMatchObject([422, [{ pointer: "/HCP" }]]);
  });

  test("a webhook with a valid signature is taken, and one without is refused", async () => {
    const body = JSON.stringify({ externalId: "round 3", state: "rejected" });
    const now = new Date();
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign("msg_1", now, body),
    };
    expect((await post("/webhooks", body.replace("3", "1"), headers)).status).toBe(401);
    expect((await post("/webhooks", body)).status).toBe(401);
    expect((await post("/webhooks", body, headers)).status).toBe(204);
    expect(await state("round%203")).toBe("rejected");
  });
});
