import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { APIGatewayClient, GetApiKeysCommand } from "@aws-sdk/client-api-gateway";
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import {
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { type LoopbackServer, startLoopbackServer } from "@scorecard-pipeline/local-aws/loopback-server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ApiSet } from "../../core/accounts/account.ts";
import { lateWorkTable } from "../../core/aws/late-work-table.ts";
import { packJson, unpackJson } from "../../core/aws/packed-json.ts";
import type { StoredCard } from "../../core/cards/card.ts";
import { contentOf } from "../../core/cards/card-content.ts";
import { scorecardTable } from "../../core/cards/scorecard-table.ts";
import { guidKey } from "../../core/formats/identifiers.ts";
import { dayDigest, playerDigest } from "../../core/players/player-digests.ts";
import { claimedCard } from "../../core/records/claimed-rows.ts";
import { clubTable } from "../../core/register/club-table.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { writeRunFile } from "../../local/pipeline/run-file.ts";
import { storedCard } from "../core/memory/stored-card.ts";
import { acceptLongAgo } from "../end-to-end/cards-of-long-ago.ts";
import { type Pipeline, startPipeline, type Vendor, vendorOf } from "../end-to-end/pipeline.ts";
import { rejectCard } from "../end-to-end/reject-card.ts";
import { type CommandLine, commandLine } from "./run-command.ts";

let pipeline: Pipeline;
let command: CommandLine;
let vendor: Vendor;
let sqs: SQSClient;
let gateway: APIGatewayClient;
let dynamodb: DynamoDBClient;
let secrets: SecretsManagerClient;

beforeAll(async () => {
  pipeline = await startPipeline();
  command = await commandLine(pipeline);
  vendor = pipeline.vendor(0);
  const { region, sqs: queues, apiGateway, secretsManager } = pipeline.machine.run;
  const client = { region, credentials: localCredentials };
  sqs = new SQSClient({ ...client, endpoint: queues });
  dynamodb = new DynamoDBClient({ ...client, endpoint: pipeline.machine.run.dynamodb });
  gateway = new APIGatewayClient({ ...client, endpoint: apiGateway });
  secrets = new SecretsManagerClient({ ...client, endpoint: secretsManager });
});
afterAll(async () => {
  await command.stop();
  await pipeline.stop();
});

/** An API Gateway that does all but empty the authorizer's cache. */
const gatewayWithoutFlush = (real: string): Promise<LoopbackServer> =>
  startLoopbackServer(async (request, response) => {
    const { method = "GET", url = "/" } = request;
    if (url.includes("/cache/authorizers")) {
      response.writeHead(400, { "x-amzn-ErrorType": "BadRequestException" }).end("{}");
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const answer = await fetch(real + url, { method, ...(body.length > 0 && { body }) });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });

const card = (ExternalID: string, change: Record<string, unknown> = {}) =>
  minimalCard(pipeline.standIn, { ExternalID, ...change });
const posts = (externalId: string) =>
  pipeline.standIn.received.filter(
    ({ card: one }) => (one as { ExternalID: string }).ExternalID === externalId,
  );

describe("delivery on hold", () => {
  test("cards that are accepted while delivery is on hold wait until it is released", async () => {
    expect(await command.run(["hold", "--json"])).toMatchObject({ code: 0, json: [{ delivery: "held" }] });
    expect((await vendor.submit([card("held")])).status).toBe(201);
    const watched = await command.run(["watch", "held", "--timeout", "3"]);
    expect([watched.code, watched.stdout]).toEqual([2, "held  queued\n1 queued.\n"]);
    expect(posts("held")).toHaveLength(0);
    expect((await command.run(["hold"])).code).toBe(0);
    const released = await command.run(["release"]);
    expect([released.code, released.stdout]).toEqual([0, "Delivery resumed.\n"]);
    const followed = await command.run(["watch", "held", "--json"]);
    expect([followed.code, followed.json.at(-1)]).toMatchObject([0, { state: "delivered" }]);
  });
});

describe("redrive", () => {
  const deadLetters = async () => {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl: pipeline.machine.run.outputs.DeadLetterQueueUrl,
        AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
      }),
    );
    return Object.values(Attributes ?? {}).reduce((sum, number) => sum + Number(number), 0);
  };

  /** Submits cards and waits until they are undelivered, as after a long outage of the exchange. */
  async function giveUp(of: Vendor, externalIds: readonly string[]): Promise<void> {
    const cards = externalIds.map((externalId) => card(externalId));
    await acceptLongAgo(pipeline.machine.run, of.account.apiSet, cards);
    const undelivered = externalIds.map(() => "undelivered");
    await expect.poll(() => of.states(externalIds)).toEqual(undelivered);
  }

  /** Submits cards whose message is in the dead-letter queue. */
  async function putAside(of: Vendor, externalIds: readonly string[]): Promise<void> {
    const { run } = pipeline.machine;
    const cards = externalIds.map((externalId) => card(externalId));
    await acceptLongAgo(run, of.account.apiSet, cards, run.outputs.DeadLetterQueueUrl);
  }

  test("redrive queues undelivered cards of one vendor or all, but none that was corrected, and moves dead letters back", async () => {
    const other = pipeline.vendor(1);
    pipeline.standIn.faults.outage = true;
    await giveUp(vendor, ["old-1", "old-2", "corrected"]);
    await giveUp(other, ["old-3"]);
    await putAside(vendor, ["stuck-1", "stuck-2"]);
    await putAside(other, ["stuck-3"]);
    expect(await deadLetters()).toBe(2);
    expect((await vendor.submit([card("corrected", { Comment: "as it was" })])).status).toBe(201);
    pipeline.standIn.faults.outage = false;

    const { apiSet } = vendor.account;
    const first = await command.run(["redrive", "--vendor", apiSet, "--json"]);
    expect(first).toMatchObject({ code: 0, json: [{ sentOn: 2, moved: 1, unreadable: 0 }] });
    const cards = ["old-1", "old-2", "corrected", "stuck-1", "stuck-2"];
    await expect.poll(() => vendor.states(cards)).toEqual(cards.map(() => "delivered"));
    expect(posts("corrected").map(({ card: one }) => (one as { Comment?: string }).Comment)).toEqual([
      "as it was",
    ]);
    expect(await other.states(["old-3", "stuck-3"])).toEqual(["undelivered", "queued"]);

    const second = await command.run(["redrive"]);
    expect([second.code, second.stdout]).toEqual([0, "1 card queued again; 1 dead letter moved back.\n"]);
    await expect.poll(() => other.states(["old-3", "stuck-3"])).toEqual(["delivered", "delivered"]);
    expect([posts("stuck-1").length, posts("stuck-3").length, await deadLetters()]).toEqual([1, 1, 0]);
    expect(await command.run(["redrive", "--json"])).toMatchObject({ json: [{ sentOn: 0, moved: 0 }] });
  });

  test("redrive reports a dead letter that it cannot read, and leaves it in the queue", async () => {
    const { DeadLetterQueueUrl: QueueUrl } = pipeline.machine.run.outputs;
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "not a wake-up" }));
    const { code, stdout } = await command.run(["redrive"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("1 dead letter cannot be read.")]);
    expect(await deadLetters()).toBe(1);
    await sqs.send(new PurgeQueueCommand({ QueueUrl }));
  });

  test("redrive sends on cards that an exchange which was wrong has rejected, by time and status", async () => {
    expect((await vendor.submit([card("wronged")])).status).toBe(201);
    await expect.poll(() => vendor.states(["wronged"])).toEqual(["delivered"]);
    const table = scorecardTable(pipeline.machine.run.outputs.ScorecardTableName ?? "", dynamodb);
    const { apiSet } = vendor.account;
    const failure = { phase: "after", status: 404, message: "Not Found" } as const;
    const written = await table.write([
      {
        apiSet: apiSet as ApiSet,
        externalId: "wronged",
        expects: { version: 1, states: ["delivered"] },
        set: { state: "rejected", since: Date.now(), failure },
      },
    ]);
    expect(written).toEqual(["written"]);

    const rejected = (...options: string[]) =>
      command.run(["redrive", "--vendor", apiSet, "--state", "rejected", "--json", ...options]);
    expect((await rejected("--code", "422")).json).toMatchObject([{ sentOn: 0 }]);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect((await rejected("--since", tomorrow)).json).toMatchObject([{ sentOn: 0 }]);
    expect((await rejected("--code", "404", "--since", `${tomorrow.slice(0, 4)}-01-01`)).json).toMatchObject([
      { sentOn: 1 },
    ]);
    await expect.poll(() => vendor.states(["wronged"])).toEqual(["delivered"]);
    expect(posts("wronged")).toHaveLength(2);
  });

  test.each([
    ["--state", "delivered", "Allowed choices are undelivered, rejected"],
    ["--since", "soon", "Give a day, e.g. 2026-07-04"],
    ["--code", "4", "Give an HTTP status, e.g. 404"],
  ])("redrive refuses %s %s and says what to give", async (option, value, advice) => {
    const { code, stderr } = await command.run(["redrive", option, value]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(advice)]);
  });

  test("redrive refuses an unknown vendor", async () => {
    const { code, stderr } = await command.run(["redrive", "--vendor", "nobody"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("No account has the API set nobody")]);
  });
});

describe("what an operator sees", () => {
  test("the mirror command says how many clubs are mirrored, and that every entry of the union's lists is", async () => {
    const { code, json } = await command.run(["mirror", "--json"]);
    const clubs = pipeline.standIn.clubs.length;
    expect([code, json]).toEqual([
      0,
      [{ clubs, failing: [], unlisted: [], oldestSeconds: expect.any(Number), skipped: [] }],
    ]);
    expect((await command.run(["mirror"])).stdout).toContain(`${clubs} clubs, the oldest mirrored`);
  });

  test("the mirror command names the clubs that fail and says why, and its exit code says that there are some", async () => {
    Object.assign(pipeline.standIn.faults, { outage: true });
    onTestFinished(async () => {
      Object.assign(pipeline.standIn.faults, { outage: false });
      await pipeline.machine.run.invoke("mirror-courses", { pass: "changes" });
    });
    await pipeline.machine.run.invoke("mirror-courses", { pass: "changes" });
    const { code, stdout } = await command.run(["mirror"]);
    const [club] = pipeline.standIn.clubs;
    expect([code, stdout]).toEqual([1, expect.stringContaining(`${club?.Name}`)]);
    expect(stdout).toContain("failed 1 time in a row: The union answered 503.");
    expect(stdout).toContain("The union's list of clubs could not be read: The union answered 503.");
    expect((await command.run(["overview"])).stdout).toMatch(
      /Mirror .* failing; .* The union answered 503\./,
    );
  });

  test("one club can be read at once, by its ID or number, and clubs that are gone are removed once an operator accepts it", async () => {
    const [version] = pipeline.standIn.courses;
    const [club] = pipeline.standIn.clubs.filter(({ ID }) => ID === version?.ClubID);
    if (version === undefined || club === undefined) throw new Error("The union has no course.");
    pipeline.standIn.publish({ ...version, Name: "Renamed just now" });
    const read = await command.run(["mirror", "--club", String(club.UnionNumber)]);
    expect([read.code, read.stdout]).toEqual([0, expect.stringContaining(", 1 changed.")]);
    expect(read.stdout).toContain("Renamed just now");
    pipeline.standIn.publish(version);
    expect((await command.run(["mirror", "--club", club.ID, "--json"])).json[0]).toMatchObject({
      changed: [{ ID: version.ID }],
    });
    expect(await command.run(["mirror", "--club", "98765"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("No club 98765 is mirrored."),
    });

    const gone = { id: guidKey("0f1cdb43-5d0c-4d8f-9a55-1b3e5b8c00a1"), text: '{"Name":"Gone Golf"}' };
    const clubs = clubTable(pipeline.machine.run.outputs.ClubTableName ?? "", dynamodb);
    const sync = () => pipeline.machine.run.invoke("mirror-courses", { pass: "changes" });
    expect((await command.run(["mirror", "accept"])).code).toBe(0);
    await clubs.put([gone]);
    await sync();
    const shown = await command.run(["mirror"]);
    expect([shown.code, shown.stdout]).toEqual([1, expect.stringContaining("Gone Golf")]);
    const preview = await command.run(["mirror", "accept"]);
    expect([preview.code, preview.stdout]).toEqual([1, expect.stringContaining("Nothing is changed.")]);
    await sync();
    expect(await clubs.club(gone.id)).toBeDefined();
    expect((await command.run(["mirror", "accept", "--yes"])).code).toBe(0);
    await sync();
    expect(await clubs.club(gone.id)).toBeUndefined();
    expect((await command.run(["mirror"])).code).toBe(0);
  });

  test("the overview shows on one screen that delivery is held, what waits, which vendors send, and which alarms ring", async () => {
    await command.run(["hold"]);
    onTestFinished(async () => void (await command.run(["release"])));
    await vendor.submit([card("seen-in-overview")]);
    const { DeadLetterQueueUrl: QueueUrl } = pipeline.machine.run.outputs;
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "not a wake-up" }));
    const held = await command.run(["overview", "--json"]);
    expect([held.code, held.json[0]]).toMatchObject([
      1,
      {
        stack: "scorecard-pipeline-test",
        delivery: { held: true, eventSource: "Disabled" },
        queue: { waiting: 1, deadLetters: 1 },
        mirror: { failing: 0, ageSeconds: expect.any(Number) },
        breakers: [],
      },
    ]);
    expect(held.json[0].alarms).toContainEqual({
      name: expect.stringContaining("DeadLettersAlarm"),
      since: expect.stringMatching(/Z$/),
      text: expect.stringContaining("runbook.md#dead-letters"),
    });
    const used = async () => {
      const [{ vendors }] = (await command.run(["overview", "--json"])).json;
      return vendors.find((one: { apiSet: string }) => one.apiSet === vendor.account.apiSet);
    };
    expect((await used()).requestsToday).toBeGreaterThan(0);
    // What the stream has told of is counted a little later.
    await expect.poll(async () => (await used()).today.accepted).toBeGreaterThan(0);
    const screen = await command.run(["overview"]);
    expect(screen.stdout).toContain("ON HOLD");
    expect(screen.stdout).toMatch(/Queue {9}1 waiting, .* the oldest for/);
    expect(screen.stdout.split("\n").length).toBeLessThan(40);

    await sqs.send(new PurgeQueueCommand({ QueueUrl }));
    await command.run(["release"]);
    await expect.poll(() => vendor.states(["seen-in-overview"])).toEqual(["delivered"]);
    const { code, stdout } = await command.run(["overview"]);
    expect(stdout).toContain("Delivery      running (Enabled)");
    expect(stdout).toMatch(
      /Objective {5}[\d.]+ % of \d+ cards? within five minutes in 30 days, 99\.9 % wanted/,
    );
    expect(code).toBe(stdout.includes("No alarm rings.") ? 0 : 1);
  });

  test("the overview says that cards wait though the queue was emptied, and that this needs attention", async () => {
    await command.run(["hold"]);
    onTestFinished(async () => void (await command.run(["release"])));
    await vendor.submit([card("left-without-message")]);
    const { DeliveryQueueUrl: QueueUrl } = pipeline.machine.run.outputs;
    await sqs.send(new PurgeQueueCommand({ QueueUrl }));
    const queue = async () => (await command.run(["overview", "--json"])).json[0].queue;
    await expect.poll(queue).toMatchObject({ waiting: 0, cardsWithoutMessage: 1 });
    await command.run(["release"]);
    const { code, stdout } = await command.run(["overview"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("wait though it is empty: 1.")]);

    // Nothing waits any more.
    expect((await vendor.ask("DELETE", "ScorecardExchange/left-without-message")).status).toBe(204);
    await expect.poll(queue).not.toHaveProperty("cardsWithoutMessage");
  });

  test("the overview shows what it could read when one service fails, and its exit code says that a part is missing", async () => {
    const { run } = pipeline.machine;
    const broken = await startLoopbackServer((_request, response) => {
      response.writeHead(403, { "x-amzn-errortype": "AccessDeniedException" }).end("{}");
    });
    onTestFinished(() => broken.stop());
    const runFile = join(command.folder, "broken-service.json");
    const overviewWithout = async (service: "cloudWatch" | "lambda" | "apiGateway" | "sqs" | "dynamodb") => {
      await writeRunFile(runFile, "broken", { ...run, [service]: broken.address }, []);
      return await command.run(["overview"], { SCORECARDS_LOCAL_RUN: runFile });
    };
    const alarms = await overviewWithout("cloudWatch");
    expect([alarms.code, alarms.stdout]).toEqual([2, expect.stringMatching(/NOT READ: alarms: \S+/)]);
    expect(alarms.stdout).toContain("Alarms: could not be read.");
    expect(alarms.stdout).toContain("Objective     could not be read");
    expect(alarms.stdout).toContain("Delivery      running (Enabled)");
    const delivery = await overviewWithout("lambda");
    expect([delivery.code, delivery.stdout]).toEqual([
      2,
      expect.stringContaining("Delivery      could not be read"),
    ]);
    const requests = await overviewWithout("apiGateway");
    expect([requests.code, requests.stdout]).toEqual([2, expect.stringContaining("NOT READ: requests: ")]);
    expect((await overviewWithout("sqs")).stdout).toMatch(/Queue {9}could not be read\nMirror {8}\d/);
    expect((await overviewWithout("dynamodb")).stdout).toContain("Vendors: could not be read.");
  });

  test("the overview shows within the hour that cards of a tee are refused, with the tee and the club to read again", async () => {
    const [version] = pipeline.standIn.courses;
    const [tee] = version?.Tees ?? [];
    if (version === undefined || tee === undefined) throw new Error("The union has no tee.");
    const Course = { CourseID: version.ID, TeeID: tee.ID, TeeRating: Number(tee.CourseRating) + 5_000 };
    const wrong = ["rated-1", "rated-2"].map((externalId) => card(externalId, { Course }));
    expect((await vendor.submit(wrong)).status).toBe(422);
    const { json } = await command.run(["overview", "--json"]);
    expect(json[0].refusals).toContainEqual({
      apiSet: vendor.account.apiSet,
      code: "tee_rating_mismatch",
      pointer: "/Course/TeeRating",
      detail: expect.stringContaining(`the tee ${tee.Name} of ${version.Name} (club `),
      cards: 2,
      latest: expect.any(String),
    });
    const { stdout } = await command.run(["overview"]);
    expect(stdout).toMatch(/Refused in the last hour/);
    expect(stdout).toContain(version.ClubID);
  });

  test("the overview of a mirror whose clubs fail does not say that nothing needs attention", async () => {
    Object.assign(pipeline.standIn.faults, { outage: true });
    onTestFinished(async () => {
      Object.assign(pipeline.standIn.faults, { outage: false });
      await pipeline.machine.run.invoke("mirror-courses", { pass: "changes" });
    });
    await pipeline.machine.run.invoke("mirror-courses", { pass: "changes" });
    const { code, stdout } = await command.run(["overview"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("`scorecards mirror` names them")]);
  });

  test("an operator sees a vendor's cards and why they fail without the vendor's password", async () => {
    pipeline.standIn.faults.outage = true;
    await vendor.submit([card("fails")]);
    const { apiSet } = vendor.account;
    const nobody = { SCORECARDS_USERNAME: "nobody", SCORECARDS_PASSWORD: "unknown" };
    const status = () => command.run(["status", "fails", "--vendor", apiSet], nobody);
    await expect.poll(async () => (await status()).stdout).toContain("HTTP 503");
    const watched = await command.run(["watch", "fails", "--vendor", apiSet, "--timeout", "1"], nobody);
    expect([watched.code, watched.stdout]).toEqual([2, expect.stringMatching(/^fails {2}\w+ {2}HTTP 503: /)]);
    const overview = await command.run(["overview", "--json"]);
    expect(overview.json[0].breakers).toMatchObject([{ apiSet, status: 503 }]);
    expect((await command.run(["overview"])).stdout).toMatch(/Breaker open.*HTTP 503/s);

    pipeline.standIn.faults.outage = false;
    await expect.poll(() => vendor.states(["fails"])).toEqual(["delivered"]);
    pipeline.standIn.faults.poison = { "refused-by-union": 422 };
    await vendor.submit([card("refused-by-union")]);
    await expect.poll(() => rejectCard(pipeline.machine.run, apiSet, "refused-by-union")).toBe(true);
    const rejected = await command.run(["watch", "--state", "rejected", "--vendor", apiSet]);
    expect([rejected.code, rejected.stdout]).toEqual([1, expect.stringContaining("rejected  HTTP 422")]);
    pipeline.standIn.faults.poison = {};
    const unknown = await command.run(["status", "fails", "--vendor", "nobody"]);
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining("No account has the API set"),
    ]);
  });
});

describe("cards that were sent with a stolen password", () => {
  test("a vendor's cards of a time are listed, and those that are not at the exchange are withdrawn after a preview", async () => {
    const { apiSet } = vendor.account;
    await vendor.submit([card("before-theft")]);
    await expect.poll(() => vendor.states(["before-theft"])).toEqual(["delivered"]);
    const from = new Date().toISOString();
    await vendor.submit([card("stolen-sent")]);
    await expect.poll(() => vendor.states(["stolen-sent"])).toEqual(["delivered"]);
    await command.run(["hold"]);
    onTestFinished(async () => void (await command.run(["release"])));
    await vendor.submit([card("stolen-1"), card("stolen-2")]);
    const of = ["--vendor", apiSet, "--from", from];
    const listed = async () =>
      (await command.run(["cards", ...of, "--json"])).json[0].map(
        ({ externalId, state }: { externalId: string; state: string }) => `${externalId} ${state}`,
      );
    // What the stream has told of is listed a little later.
    await expect
      .poll(async () => (await listed()).toSorted())
      .toEqual(["stolen-1 queued", "stolen-2 queued", "stolen-sent delivered"]);
    const upTo = await command.run(["cards", ...of, "--to", from]);
    expect([upTo.code, upTo.stdout]).toEqual([0, "No card was accepted in this time.\n"]);

    const preview = await command.run(["withdraw", ...of]);
    expect([preview.code, preview.stdout]).toEqual([1, expect.stringContaining("Nothing is changed.")]);
    expect(await vendor.states(["stolen-1", "stolen-2"])).toEqual(["queued", "queued"]);
    const done = await command.run(["withdraw", ...of, "--yes", "--json"]);
    expect([done.code, done.json]).toMatchObject([
      1,
      [{ withdrawn: 2, tooLate: [], failed: [], left: 0, delivered: ["stolen-sent"] }],
    ]);
    expect(await vendor.states(["stolen-1", "stolen-2", "before-theft"])).toEqual([
      "withdrawn",
      "withdrawn",
      "delivered",
    ]);
    await command.run(["release"]);
    const again = await command.run(["withdraw", ...of, "--yes"]);
    expect([again.code, again.stdout]).toEqual([
      1,
      expect.stringContaining("0 cards withdrawn; 1 at the exchange"),
    ]);
    expect(posts("stolen-1")).toHaveLength(0);
  });

  test.each([
    [["cards", "--vendor", "nobody", "--from", "2026-07-04"], "No account has the API set nobody"],
    [["withdraw", "--vendor", "greens-app"], "--from"],
    [["withdraw", "--vendor", "greens-app", "--from", "soon"], "Give a day, e.g. 2026-07-04"],
  ])("%j is refused with what to give", async (parameters, said) => {
    const { code, stderr } = await command.run(parameters);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });
});

/** Stores a card as an earlier time has left it. */
async function storeAs(tableName: string | undefined, stored: StoredCard): Promise<void> {
  const { apiSet, externalId, ...set } = stored;
  const [result] = await scorecardTable(tableName ?? "", dynamodb).write([{ apiSet, externalId, set }]);
  expect(result).toBe("written");
}

/** A table of cards as it is restored from a backup. */
async function createCardTable(TableName: string): Promise<void> {
  await dynamodb.send(
    new CreateTableCommand({
      TableName,
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
  await waitUntilTableExists({ client: dynamodb, minDelay: 1, maxDelay: 1, maxWaitTime: 10 }, { TableName });
}

describe("a person's data", () => {
  const Player = { UnionID: "77-1234", FullName: "Erased Player" };
  const find = ["person", "find", "--union-id", "77-1234"];
  const erase = ["person", "erase", "--union-id", "77-1234"];

  test("a person is found on stored cards, and erased from those that nobody posts any more, with the outcome kept", async () => {
    const apiSet = vendor.account.apiSet as ApiSet;
    const content = contentOf({ ...card("long-delivered"), ID: "the-id", Player });
    const since = Date.now() - 86_400_000;
    await storeAs(
      pipeline.machine.run.outputs.ScorecardTableName,
      storedCard("long-delivered", { apiSet, state: "delivered", since, content }),
    );
    await vendor.submit([card("just-delivered", { Player })]);
    await expect.poll(() => vendor.states(["just-delivered"])).toEqual(["delivered"]);

    const found = await command.run([...find, "--json"]);
    expect(found.code).toBe(0);
    expect(found.json[0].cards).toHaveLength(2);
    const erased = await command.run(erase);
    expect([erased.code, erased.stdout]).toEqual([1, expect.stringContaining("1 card may still be posted")]);
    expect(erased.stdout).not.toContain("Erased Player");
    const [left] = (await command.run([...find, "--json"])).json;
    expect(left.cards).toMatchObject([{ externalId: "just-delivered", role: "player" }]);
    expect(await vendor.status("long-delivered")).toMatchObject({ state: "delivered", id: "the-id" });
  });

  test("a person is found, exported and erased also outside cards' contents: lists, refused cards, hashes, dead letters, endpoints, restored tables", async () => {
    const { outputs } = pipeline.machine.run;
    const { ActivityTableName, ScorecardTableName, WebhookTableName, PlayerHashSecretArn } = outputs;
    const restored = "restored-with-person";
    await createCardTable(restored);
    const content = contentOf({ ID: "the-id", Comment: "Marked by 088-05." });
    const since = Date.now() - 86_400_000;
    await storeAs(
      restored,
      storedCard("restored", { apiSet: "green" as ApiSet, state: "delivered", since, content }),
    );
    const secret =
      (await secrets.send(new GetSecretValueCommand({ SecretId: PlayerHashSecretArn }))).SecretString ?? "";
    const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    const rounds = dayDigest(secret, "88-5", today);
    const expiresAt = { N: String(Math.ceil(Date.now() / 1000) + 86_400) };
    const put = (TableName: string | undefined, Item: PutItemCommand["input"]["Item"]) =>
      dynamodb.send(new PutItemCommand({ TableName, Item }));
    await put(ScorecardTableName, { id: { S: playerDigest(secret, "0088-5") }, expiresAt });
    await put(ScorecardTableName, { id: { S: rounds }, rounds: { S: "[]" }, expiresAt });
    const refused = { apiSet: { S: "green" }, at: { S: "refused#2026-01-01T00:00Z" } };
    const other = { externalId: "88-55-1", pointer: "/HCP", at: "2026-01-01T00:10:00.000Z" };
    const examples = { S: JSON.stringify([{ ...other, externalId: "88-5-1" }, other]) };
    await put(ActivityTableName, {
      ...refused,
      "examples required": examples,
      "cards required": { N: "2" },
      expiresAt,
    });
    const logged = {
      apiSet: { S: "green#refused#card-1" },
      at: { S: "2026-01-01T00:10:00.000Z#request#000" },
    };
    const otherFault = {
      index: 1,
      externalId: "other",
      pointer: "/HCP",
      code: "required",
      detail: "Send HCP.",
    };
    const faultOfPerson = { ...otherFault, index: 0, received: "088-5" };
    await put(ActivityTableName, {
      ...logged,
      faults: { B: packJson([faultOfPerson, otherFault]) },
      expiresAt,
    });
    const fed = { apiSet: { S: "green#feed" }, at: { S: "0029458080000001" } };
    const [eventOfPerson, otherEvent] = ["88-5-1", "other"].map((externalId) => ({
      type: "scorecard.delivered",
      data: { cards: [{ externalId }] },
    }));
    await put(ActivityTableName, { ...fed, events: { B: packJson([eventOfPerson, otherEvent]) }, expiresAt });
    const posted = {
      apiSet: { S: "green#attempts#wh_1" },
      at: { S: "2026-01-01T00:10:00.000Z#evt_1" },
    };
    const otherAttempt = {
      at: 1,
      milliseconds: 5,
      eventId: "evt_2",
      body: '{"externalId":"other"}',
      status: 204,
    };
    const attemptOfPerson = { ...otherAttempt, eventId: "evt_1", body: '{"message":"No player 088-5."}' };
    await put(ActivityTableName, {
      ...posted,
      attempts: { B: packJson([attemptOfPerson, otherAttempt]) },
      expiresAt,
    });
    const listed = { S: JSON.stringify(["88-5-22062025-Yellow", "other"]) };
    await put(ActivityTableName, {
      apiSet: { S: "green" },
      at: { S: "cards#2026-01-01#0" },
      externalIds: listed,
      expiresAt,
    });
    const tournament = { apiSet: { S: "green#tournaments" }, at: { S: "tournament#2026-01-01#~a#0" } };
    await put(ActivityTableName, {
      ...tournament,
      name: { S: "Cup of 088-5" },
      "1 waiting": { N: "1" },
      expiresAt,
    });
    // Kept through the API, with a label that names the person in spite of its form.
    const listed17 = { unionId: "0088-05", label: "17" };
    const startList = {
      players: [listed17, { unionId: "88-6", label: "18" }, { unionId: "88-7", label: "88-5 a" }],
    };
    const list = `Tournaments/Erased%20Cup/Players?from=${new Date().toISOString().slice(0, 10)}`;
    expect((await vendor.ask("PUT", list, JSON.stringify(startList))).status).toBe(200);
    await put(WebhookTableName, {
      apiSet: { S: "green" },
      id: { S: "e" },
      url: { S: "https://example.com/?of=88%2D5" },
    });
    const QueueUrl = outputs.DeadWebhookQueueUrl;
    await sqs.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: '{"body":"{\\"externalId\\":\\"088-5\\"}"}',
        MessageGroupId: "e",
      }),
    );

    // A card of the person's, with the round that was found in the record.
    const own = storedCard("own", {
      apiSet: "green" as ApiSet,
      state: "delivered",
      since,
      content: contentOf({
        ID: "own-id",
        Player: { UnionID: "88-5" },
        Round: { StartTime: "20260101T090000" },
      }),
    });
    await storeAs(ScorecardTableName ?? "", own);
    const row = "[null,90,36,120000]";
    const claim = (at: string, card: string) =>
      put(ActivityTableName, {
        apiSet: { S: "records:claims" },
        at: { S: at },
        claims: {
          S: JSON.stringify([{ card: claimedCard({ apiSet: "green" as ApiSet, externalId: card }), row }]),
        },
        expiresAt,
      });
    await claim("hash-of-own", "own");
    await claim("hash-of-other", "somebody-else's");
    // Lists and events that could not be written yet: in a list of a shard, and in a document of several items.
    const late = lateWorkTable<unknown>(ActivityTableName ?? "", dynamodb);
    const waiting = (externalId: string) => ({
      apiSet: "green",
      step: "list",
      items: [{ externalIds: [externalId] }],
    });
    await late.save("shard-1", [waiting("88-5-late"), waiting("other")], Date.now());
    const random = Array.from({ length: 30_000 }, () => randomUUID());
    await late.put([...random, "088-5 in a document", ...random]);

    const of = (task: string) => ["person", task, "--union-id", "88-5", "--table", restored, "--json"];
    const found = (await command.run(of("find"))).json[0];
    const places = [
      "dead letters a message",
      "feed of events an event",
      "found rounds keyed hash of player and StartTime",
      "lists of cards ExternalID of a card",
      "posts to webhook endpoints event that was posted",
      "refused cards example of a fault",
      "refused cards fault of a card",
      "remembered players and rounds keyed hash of UnionID and day",
      "remembered players and rounds keyed hash of the UnionID",
      "start lists keyed hash of the UnionID, with a label",
      "start lists keyed hash of the UnionID, with a label",
      "tournaments name of a tournament",
      "webhook endpoints a vendor's address",
      "work that waits text of a list or event",
      "work that waits text of a list or event",
    ];
    const namesOf = (others: { place: string; what: string }[]) =>
      others.map(({ place, what }) => `${place} ${what}`).sort();
    expect(namesOf(found.others)).toEqual(places);
    expect(found.cards).toMatchObject([
      { externalId: "own", role: "player" },
      { externalId: "restored", role: "mentioned", at: ["/Comment"] },
    ]);
    const exported = (await command.run(of("export"))).json[0];
    expect(namesOf(exported.others)).toEqual(places);
    expect(exported.cards).toMatchObject([
      { externalId: "own", card: { Player: { UnionID: "88-5" } } },
      { externalId: "restored", namedIn: ["/Comment"] },
    ]);
    const textsIn = (place: string) =>
      exported.others
        .filter((one: { place: string }) => one.place === place)
        .map(({ text }: { text: string }) => text);
    expect(textsIn("work that waits").sort()).toEqual(["088-5 in a document", "88-5-late"]);
    expect(textsIn("found rounds")).toEqual([expect.stringContaining("own")]);
    expect(exported.others.every(({ text }: { text: string }) => text.length > 0)).toBe(true);

    expect((await command.run(of("erase"))).code).toBe(0);
    const left = (await command.run(of("find"))).json[0];
    // What stays are a vendor's address, a card's name in a list, by which the card is found, and what vendors are still to get.
    expect(namesOf(left.others)).toEqual([places[3], ...places.slice(12)]);
    // The others of the start list keep their places.
    const { startLists } = (await vendor.ask("GET", "Tournaments/Erased%20Cup")).body;
    expect(startLists[0].rounds).toMatchObject([
      { players: 1, missingPlayers: [{ index: 1, label: "18", reason: "not_sent" }] },
    ]);
    const claimsOf = async (at: string) =>
      (
        await dynamodb.send(
          new GetItemCommand({
            TableName: ActivityTableName,
            Key: { apiSet: { S: "records:claims" }, at: { S: at } },
          }),
        )
      ).Item;
    expect([await claimsOf("hash-of-own"), (await claimsOf("hash-of-other"))?.claims?.S]).toEqual([
      undefined,
      expect.stringContaining("somebody-else"),
    ]);
    // A run that ended in the middle may have erased the card only.
    await claim("hash-of-own", "own");
    expect((await command.run(of("erase"))).code).toBe(0);
    expect(await claimsOf("hash-of-own")).toBeUndefined();
    expect(left.cards).toEqual([]);
    expect(left.notReached.length).toBeGreaterThan(0);
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName: ActivityTableName, Key: refused }));
    expect(JSON.parse(Item?.["examples required"]?.S ?? "")).toEqual([other]);
    const counted = await dynamodb.send(
      new GetItemCommand({ TableName: ActivityTableName, Key: tournament }),
    );
    expect(counted.Item).toMatchObject({ name: { S: "" }, "1 waiting": { N: "1" } });
    const log = await dynamodb.send(new GetItemCommand({ TableName: ActivityTableName, Key: logged }));
    expect(unpackJson(log.Item?.faults?.B ?? new Uint8Array())).toEqual([otherFault]);
    // An erased event leaves its place, since cursors count events.
    const feed = await dynamodb.send(new GetItemCommand({ TableName: ActivityTableName, Key: fed }));
    expect(unpackJson(feed.Item?.events?.B ?? new Uint8Array())).toEqual([null, otherEvent]);
    const run = await dynamodb.send(new GetItemCommand({ TableName: ActivityTableName, Key: posted }));
    const { body: _, ...withoutBody } = attemptOfPerson;
    expect(unpackJson(run.Item?.attempts?.B ?? new Uint8Array())).toEqual([withoutBody, otherAttempt]);
  });

  test("a person that is not named by a valid number is refused", async () => {
    const { code, stderr } = await command.run(["person", "find", "--union-id", "somebody"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("The UnionID is invalid")]);
    expect((await command.run(["person", "erase"])).stderr).toContain("The person is missing");
  });
});

describe("backups", () => {
  test("the cards of a restored table are taken over, those that the stage has are kept, and waiting ones are delivered", async () => {
    const { ScorecardTableName: own = "" } = pipeline.machine.run.outputs;
    const restored = "restored-cards";
    await createCardTable(restored);
    const apiSet = vendor.account.apiSet as ApiSet;
    const acceptedAt = Date.now() - 60_000;
    for (const externalId of ["lost", "still-there"]) {
      const content = contentOf({ ...card(externalId), ID: crypto.randomUUID() });
      await storeAs(restored, storedCard(externalId, { apiSet, content, acceptedAt, since: acceptedAt }));
    }
    await vendor.submit([card("still-there")]);
    await expect.poll(() => vendor.states(["still-there"])).toEqual(["delivered"]);

    const taken = await command.run(["backup", "take-over", "cards", restored, "--json"]);
    const counts = { copied: 1, added: 0, kept: 1, restoredBefore: 0, wokenUp: 1 };
    expect([taken.code, taken.json]).toEqual([0, [counts]]);
    await expect.poll(() => vendor.states(["lost", "still-there"])).toEqual(["delivered", "delivered"]);
    expect(posts("still-there")).toHaveLength(1);
    const again = await command.run(["backup", "take-over", "cards", restored]);
    expect(again.stdout).toBe(
      "0 items copied, 1 restored by an earlier run, 1 kept as the stage has them.\n0 cards to be delivered.\n",
    );
    // A second run does not bring back what the first has replaced: the card has been delivered since.
    const replace = ["backup", "take-over", "cards", restored, "--replace", "--json"];
    expect((await command.run(replace)).json).toMatchObject([{ copied: 1, restoredBefore: 1, wokenUp: 1 }]);
    await expect.poll(() => vendor.states(["lost", "still-there"])).toEqual(["delivered", "delivered"]);
    expect((await command.run(replace)).json).toMatchObject([{ copied: 0, restoredBefore: 2, wokenUp: 0 }]);
    expect([posts("lost"), posts("still-there")].map(({ length }) => length)).toEqual([1, 2]);
    const mistaken = await command.run(["backup", "take-over", "counts", restored]);
    expect([mistaken.code, mistaken.stderr]).toEqual([2, expect.stringContaining("has the key id, and")]);
    const itself = await command.run(["backup", "take-over", "cards", own]);
    expect([itself.code, itself.stderr]).toEqual([2, expect.stringContaining("the stage's own table")]);
  });

  test("the check says that the local run's tables cannot be restored", async () => {
    const { code, json } = await command.run(["backup", "check", "--json"]);
    expect(code).toBe(1);
    expect(json[0]).toMatchObject([
      { name: "cards", restorable: false },
      { name: "accounts", restorable: false },
      { name: "webhooks", restorable: false },
      { name: "counts", restorable: false },
    ]);
  });
});

describe("backups that AWS does not tell of", () => {
  test("the check shows what it could read, and says what it could not", async () => {
    const { run } = pipeline.machine;
    const withoutBackups = await startLoopbackServer(async (request, response) => {
      const target = String(request.headers["x-amz-target"]);
      if (target.endsWith("DescribeContinuousBackups")) {
        response.writeHead(400).end('{"__type":"AccessDeniedException","message":"not allowed"}');
        return;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) =>
          name === "host" || name === "content-length" || name === "connection"
            ? []
            : [[name, String(value)]],
        ),
      );
      const answer = await fetch(run.dynamodb, { method: "POST", headers, body: Buffer.concat(chunks) });
      response
        .writeHead(answer.status, { "Content-Type": "application/x-amz-json-1.0" })
        .end(await answer.text());
    });
    onTestFinished(() => withoutBackups.stop());
    const runFile = join(command.folder, "without-backups.json");
    await writeRunFile(runFile, "without", { ...run, dynamodb: withoutBackups.address }, []);
    const { code, stdout, stderr } = await command.run(["backup", "check"], {
      SCORECARDS_LOCAL_RUN: runFile,
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining("error: cards: not allowed")]);
    expect(stdout).toMatch(/cards .* unknown .* no /);
  });
});

describe("an account", () => {
  const asked = (account: { username: string; password: string; apiSet: string }) =>
    vendorOf(pipeline.machine.run.api, { ...account, resources: [] });
  const status = async (vendor: Vendor, path: string) => (await vendor.ask("GET", path)).status;

  test("an account can be added, used, changed and disabled, and each change is in effect at once", async () => {
    const union = { SCORECARDS_UNION_PASSWORD: "fairway-live-demo" };
    const added = await command.run(
      [
        "account",
        "add",
        "new-app",
        "--resources",
        "clubs",
        "scorecards",
        "--union-username",
        "fairway-live",
      ].concat(["--union-api-set", "fairway-live", "--json"]),
      union,
    );
    expect([added.code, added.stderr]).toEqual([0, ""]);
    const [account] = added.json;
    expect(account).toMatchObject({ username: "new-app", apiSet: "new-app", plan: "standard" });
    const own = asked(account);
    expect(await status(own, "Clubs")).toBe(200);
    expect((await own.submit([card("of-the-new-app")])).status).toBe(201);
    await expect.poll(() => own.states(["of-the-new-app"])).toEqual(["delivered"]);
    expect(posts("of-the-new-app")).toHaveLength(1);
    const [club] = pipeline.standIn.clubs;
    const courses = `Clubs/${club?.ID}/Courses`;
    expect(await status(own, courses)).toBe(403);

    await command.run(["account", "grant", "new-app", "courses"]);
    expect(await status(own, courses)).toBe(200);
    await command.run(["account", "revoke", "new-app", "clubs", "courses"]);
    expect([await status(own, courses), await status(own, "Clubs")]).toEqual([403, 403]);

    const changed = await command.run(["account", "password", "new-app", "--json"]);
    const renewed = asked({ ...account, password: changed.json[0].password });
    const path = "ScorecardExchange?ExternalID=of-the-new-app";
    expect([await status(own, path), await status(renewed, path)]).toEqual([401, 200]);
    const disabled = await command.run(["account", "disable", "new-app"]);
    expect(disabled.stdout).toContain("new-app is disabled");
    expect(await status(renewed, path)).toBe(401);
    await command.run(["account", "enable", "new-app"]);
    expect(await status(renewed, path)).toBe(200);
    expect((await command.run(["account", "plan", "new-app", "tournament"])).code).toBe(0);
    expect(await status(renewed, path)).toBe(200);

    const listed = await command.run(["account", "list", "--json"]);
    expect(listed.json[0]).toContainEqual({
      username: "new-app",
      apiSet: "new-app",
      resources: ["scorecards"],
      plan: "tournament",
      disabled: false,
    });
    expect(listed.stdout).not.toMatch(/scrypt|password|key/i);
    expect((await command.run(["account", "list"])).stdout).toMatch(
      /Usage plan +│ State +│.* new-app .* scorecards .* tournament +│ enabled /s,
    );
  });

  test("an account's password at the union is kept in a secret that is encrypted with the stage's own key", async () => {
    const union = { SCORECARDS_UNION_PASSWORD: "secret of the union" };
    expect((await command.run(["account", "add", "encrypted-app"], union)).code).toBe(0);
    const SecretId = "scorecards/test/vendor/encrypted-app";
    const { KmsKeyId } = await secrets.send(new DescribeSecretCommand({ SecretId }));
    expect(KmsKeyId).toBe("alias/scorecards-test");
  });

  test("an account has one key under one plan: a change of the plan removes the previous key", async () => {
    const guide = pipeline.vendor(2);
    const { username } = guide.account;
    const keys = async () => {
      const { items = [] } = await gateway.send(new GetApiKeysCommand({}));
      return items.filter(({ name }) => name?.includes(username)).map(({ id, name }) => ({ id, name }));
    };
    const before = await keys();
    expect(before).toHaveLength(1);

    expect((await command.run(["account", "plan", username, "standard"])).code).toBe(0);
    const after = await keys();
    expect(after).toEqual([{ id: expect.any(String), name: `scorecards-test-${username}-standard` }]);
    expect(after).not.toEqual(before);
    expect(await status(guide, "Clubs")).toBe(200);

    expect((await command.run(["account", "plan", username, "standard"])).code).toBe(0);
    expect(await keys()).toEqual(after);
    expect(await status(guide, "Clubs")).toBe(200);
  });

  test("an account is removed once it is disabled, with its key and its secret, and can be added again", async () => {
    const union = { SCORECARDS_UNION_PASSWORD: "first password" };
    await command.run(["account", "add", "leaving-app"], union);
    const keyNames = async () => {
      const { items = [] } = await gateway.send(
        new GetApiKeysCommand({ nameQuery: "scorecards-test-leaving" }),
      );
      return items.map(({ name }) => name);
    };
    const SecretId = "scorecards/test/vendor/leaving-app";
    const readSecret = () => secrets.send(new GetSecretValueCommand({ SecretId }));

    const refused = await command.run(["account", "remove", "leaving-app"]);
    const disable = "npm run scorecards -- account disable leaving-app";
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(disable)]);
    await command.run(["account", "disable", "leaving-app"]);
    const removed = await command.run(["account", "remove", "leaving-app"]);
    expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining("leaving-app is removed")]);
    expect(await keyNames()).toEqual([]);
    await expect(readSecret()).rejects.toThrow("marked for deletion");

    const again = { SCORECARDS_UNION_PASSWORD: "second password" };
    expect((await command.run(["account", "add", "leaving-app"], again)).code).toBe(0);
    expect((await readSecret()).SecretString).toContain("second password");
    expect(await keyNames()).toEqual(["scorecards-test-leaving-app-standard"]);
  });

  test("a change whose cache flush fails says so, and leaves no second key once it is repeated", async () => {
    await command.run(["account", "add", "twice-app", "--resources", "clubs"]);
    const { run } = pipeline.machine;
    const runFile = join(command.folder, "refusing.json");
    const apiGateway = await gatewayWithoutFlush(run.apiGateway);
    onTestFinished(() => apiGateway.stop());
    await writeRunFile(runFile, "refusing", { ...run, apiGateway: apiGateway.address }, []);
    const plan = ["account", "plan", "twice-app", "tournament"];
    const failed = await command.run(plan, { SCORECARDS_LOCAL_RUN: runFile });
    expect([failed.code, failed.stderr]).toEqual([2, expect.stringContaining("Run the same command again")]);
    expect((await command.run(plan)).code).toBe(0);
    const { items = [] } = await gateway.send(new GetApiKeysCommand({ nameQuery: "scorecards-test-twice" }));
    expect(items.map(({ name }) => name)).toEqual(["scorecards-test-twice-app-tournament"]);
  });

  test("an account's password at the union is read from stdin, and none is needed for clubs and courses", async () => {
    const piped = await command.run(["account", "add", "piped-app"], {}, "secret-of-the-union\n");
    expect(piped.code).toBe(0);
    expect(piped.stdout + piped.stderr).not.toContain("secret-of-the-union");
    const { api } = pipeline.machine.run;
    expect(piped.stdout).toContain(`Base address    ${api}\n`);
    expect(piped.stdout).toContain(`Vendor address  ${api}/piped-app\n`);
    const without = await command.run(["account", "add", "without-app"]);
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("SCORECARDS_UNION_PASSWORD")]);
    const reader = await command.run(["account", "add", "reader", "--resources", "clubs", "courses"]);
    expect([reader.code, reader.stdout]).toEqual([0, expect.stringContaining("clubs, courses")]);
    const operator = await command.run(["account", "add", "on-call", "--operator"]);
    expect([operator.code, operator.stdout]).toEqual([
      0,
      expect.stringContaining("May use         operations\n"),
    ]);
    const grant = await command.run(["account", "grant", "reader", "scorecards"]);
    expect(grant.code).toBe(2);
    expect((await command.run(["account", "union", "reader"], {}, "another\n")).code).toBe(0);
    const wrong = await command.run(["account", "mirror", "pipeline-mirror"], {
      SCORECARDS_UNION_PASSWORD: "x",
    });
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("refuses pipeline-mirror with 401"),
    ]);
    const mirror = { SCORECARDS_UNION_PASSWORD: "pipeline-mirror-demo" };
    expect((await command.run(["account", "mirror", "pipeline-mirror"], mirror)).code).toBe(0);
    await expect(pipeline.machine.run.invoke("mirror-courses", { pass: "changes" })).resolves.toBeDefined();
  });

  test("an account for the smoke test gets a new password, which only its secret has", async () => {
    const added = await command.run(["account", "add", "smoke-test", "--resources", "clubs", "--json"]);
    const { stdout, code } = await command.run(["account", "smoke-test", "smoke-test"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("as smoke-test, which has a new password")]);
    const SecretId = "scorecards/test/smoke-test";
    const secret = JSON.parse(
      (await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? "",
    );
    expect(secret).toMatchObject({ username: "smoke-test", apiSet: "smoke-test" });
    const clubs = async (password: string) => {
      const authorization = `Basic ${btoa(`smoke-test:${password}`)}`;
      const answer = await fetch(`${pipeline.machine.run.api}/smoke-test/Clubs`, {
        headers: { authorization },
      });
      return answer.status;
    };
    expect([await clubs(secret.password), await clubs(added.json[0].password)]).toEqual([200, 401]);
  });

  test.each([
    [["add", "greens-app"], "The account greens-app exists already"],
    [["add", "second", "--api-set", "greens-app"], "The API set greens-app belongs to greens-app"],
    [["add", "Portal"], "no name of a path"],
    [["add", "a:b"], "no colon"],
    [["add", "with space"], "--api-set"],
    [["add", "x", "--plan", "unlimited"], "Allowed choices are standard, tournament"],
    [["grant", "greens-app", "everything"], "Allowed choices are clubs"],
    [["disable", "nobody"], "There is no account nobody"],
  ])("%j is refused with an error that says why", async (parameters, said) => {
    const { code, stderr } = await command.run(["account", ...parameters], {
      SCORECARDS_UNION_PASSWORD: "x",
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });
});

describe("the smoke test", () => {
  test("the smoke test passes if the good card is delivered and the bad one refused", async () => {
    const { code, stdout, stderr } = await command.run(["smoke"]);
    expect([code, stderr, stdout]).toEqual([0, "", expect.stringContaining("strokes_count")]);
  });

  test("the smoke test works with an API address and an account, and prints JSON", async () => {
    const credentials = { SCORECARDS_USERNAME: "fairway-live", SCORECARDS_PASSWORD: "fairway-live-demo" };
    const { code, json } = await command.run(
      ["smoke", "--api", pipeline.machine.run.api, "--json"],
      credentials,
    );
    expect([code, json[0]]).toMatchObject([
      0,
      { passed: true, good: { state: "delivered" }, bad: { status: 422, faults: ["strokes_count"] } },
    ]);
  });

  test.each([
    ["with the API set", "/test/greens-app", 404],
    ["without the stage", "", 403],
  ])("the smoke test with an address %s says which form the address has", async (_what, path, status) => {
    const credentials = { SCORECARDS_USERNAME: "greens-app", SCORECARDS_PASSWORD: "greens-app-demo" };
    const api = new URL(pipeline.machine.run.api).origin + path;
    const { code, stderr } = await command.run(["smoke", "--api", api], credentials);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`HTTP ${status}`)]);
    expect(stderr).toContain(`Check the base address ${api}: it has the form https://{host}/{stage}`);
  });

  test("the smoke test fails if the good card is refused, and says so", async () => {
    const { code, stdout } = await command.run(["smoke", "--player", "bad"]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("WRONG  the good card was refused: union_id_invalid"),
    ]);
  });

  test("the smoke test fails if the good card is not delivered in time", async () => {
    await command.run(["hold"]);
    const { code, stdout } = await command.run(["smoke", "--timeout", "2"]);
    await command.run(["release"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("WRONG")]);
  });

  test("the smoke test ends with an error if the password is wrong", async () => {
    const wrong = { SCORECARDS_USERNAME: "greens-app", SCORECARDS_PASSWORD: "wrong" };
    const refused = await command.run(["smoke", "--api", pipeline.machine.run.api], wrong);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("HTTP 401")]);
  });
});
