import { join } from "node:path";
import { PurgeQueueCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { startLoopbackServer } from "@scorecard-pipeline/local-aws/loopback-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { guidKey } from "../../core/formats/identifiers.ts";
import { clubTable } from "../../core/register/club-table.ts";
import { writeRunFile } from "../../local/pipeline/run-file.ts";
import { rejectCard } from "../end-to-end/reject-card.ts";
import { provideCommand } from "./run-command.ts";

const { pipeline, command, hold, vendor, sqs, dynamodb, card } = await provideCommand();

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
    await hold();
    await vendor.submit([card("seen-in-overview")]);
    const { DeadLetterQueueUrl: QueueUrl } = pipeline.machine.run.outputs;
    onTestFinished(async () => void (await sqs.send(new PurgeQueueCommand({ QueueUrl }))));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "not a wake-up" }));
    // A poll that was under way as the hold began gives the message back a little later.
    const queue = async () => (await command.run(["overview", "--json"])).json[0].queue;
    await expect.poll(queue).toMatchObject({ waiting: 1, deadLetters: 1 });
    const held = await command.run(["overview", "--json"]);
    expect([held.code, held.json[0]]).toMatchObject([
      1,
      {
        stack: "scorecard-pipeline-test",
        delivery: { held: true, eventSource: "Disabled" },
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
    const traffic = async () => (await command.run(["overview", "--json"])).json[0].traffic;
    await expect
      .poll(traffic)
      .toContainEqual(expect.objectContaining({ apiSet: vendor.account.apiSet, refusedShare: 0 }));
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
    await hold();
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

  test("an operator sees a vendor's cards and why they fail without the vendor's password", async () => {
    const { faults } = pipeline.standIn;
    onTestFinished(() => void Object.assign(faults, { outage: false, poison: {} }));
    faults.outage = true;
    await vendor.submit([card("fails")]);
    const { apiSet } = vendor.account;
    const nobody = { SCORECARDS_USERNAME: "nobody", SCORECARDS_PASSWORD: "unknown" };
    const status = () => command.run(["status", "fails", "--vendor", apiSet], nobody);
    await expect.poll(async () => (await status()).stdout).toContain("HTTP 503");
    const watched = await command.run(["watch", "fails", "--vendor", apiSet, "--timeout", "1"], nobody);
    expect([watched.code, watched.stdout]).toEqual([2, expect.stringMatching(/^fails {2}\w+ {2}HTTP 503: /)]);
    const breakers = async () => (await command.run(["overview", "--json"])).json[0].breakers;
    await expect.poll(breakers).toMatchObject([{ apiSet, status: 503 }]);
    expect((await command.run(["overview"])).stdout).toMatch(/Breaker open.*HTTP 503/s);

    faults.outage = false;
    await expect.poll(() => vendor.states(["fails"])).toEqual(["delivered"]);
    faults.poison = { "refused-by-union": 422 };
    await vendor.submit([card("refused-by-union")]);
    await expect.poll(() => rejectCard(pipeline.machine.run, apiSet, "refused-by-union")).toBe(true);
    const rejected = await command.run(["watch", "--state", "rejected", "--vendor", apiSet]);
    expect([rejected.code, rejected.stdout]).toEqual([1, expect.stringContaining("rejected  HTTP 422")]);
    const unknown = await command.run(["status", "fails", "--vendor", "nobody"]);
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining("No account has the API set"),
    ]);
  });
});
