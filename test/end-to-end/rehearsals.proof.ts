import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { alarmLine } from "../../local/pipeline/alarm-watch.ts";
import type { IncidentName } from "../../local/pipeline/incidents.ts";
import { beginIncident, incidentCard, rehearsalCards, submitOne } from "../../local/pipeline/rehearsal.ts";
import { rehearsalSettings } from "../../local/pipeline/settings-variants.ts";
import { type CommandLine, commandLine } from "../command/run-command.ts";
import { hurried } from "../hurried-settings.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { type Pipeline, startPipeline } from "./pipeline.ts";

let pipeline: Pipeline;
let command: CommandLine;
let cards: ReturnType<typeof rehearsalCards>;

beforeAll(async () => {
  const given = rehearsalSettings(hurried);
  const assembly = await assemblyOf({ ...given, timing: { ...given.timing, oldestCard: 2, mirrorAge: 6 } });
  // The mirror is stale if none of three minutes had a good sync.
  pipeline = await startPipeline({ assembly, alarmSpeed: 30 });
  command = await commandLine(pipeline);
  cards = rehearsalCards(pipeline.standIn, hurried.union, "rehearsal", new Date());
});
afterAll(async () => {
  await command?.stop();
  await pipeline?.stop();
});

const poll = { interval: 300 };

/**
 * Begins an incident, has cards submitted while it lasts, and waits until the operator reads of its alarm.
 *
 * @param meanwhile done again and again while the alarm does not ring
 */
async function rehearse(name: IncidentName, alarm: string, section: string, meanwhile = async () => {}) {
  const own = cards.splice(0, 6);
  await beginIncident(name, { run: pipeline.machine.run, standIn: pipeline.standIn, cards: own });
  for (const card of own.slice(0, -1)) await submitOne(pipeline.machine.run.api, card);
  const lines = async () => {
    await meanwhile();
    return (await pipeline.machine.run.ringing()).map((ringing) => alarmLine(ringing, true));
  };
  const expected = expect.stringMatching(`^ALARM {4}${alarm}: .* See docs/runbook.md#${section}$`);
  await expect.poll(lines, poll).toContainEqual(expected);
  return own;
}

/** Waits until every card has been delivered. */
async function expectDelivered(own: typeof cards): Promise<void> {
  for (const { vendor, card } of own) {
    const status = ["status", card.ExternalID ?? "", "--vendor", vendor.apiSet, "--json"];
    await expect.poll(async () => (await command.run(status)).json[0][0].state, poll).toBe("delivered");
  }
}

const overview = async () => (await command.run(["overview", "--json"])).json[0];
/** An alarm of the incident before may ring still, and the breaker opens only when a post has failed. */
const expectBreaker = (breaker: object) =>
  expect.poll(async () => (await overview()).breakers, poll).toContainEqual(expect.objectContaining(breaker));
const repairUnion = () => Object.assign(pipeline.standIn.faults, { outage: false, lateShare: 0, poison: {} });
// A test that fails must not make those after it fail.
afterEach(() => void repairUnion());

test("an exchange that is down: the overview tells of HTTP 503, and the backlog drains when it is repaired", async () => {
  const own = await rehearse("exchange-down", "Delivery/ExchangeFailingAlarm", "the-exchange-fails");
  await expectBreaker({ status: 503 });
  repairUnion();
  await expectDelivered(own.slice(0, -1));
});

test("an exchange that is slow: the overview tells that it does not answer, and all cards arrive in the end", async () => {
  const own = await rehearse("exchange-slow", "Delivery/OldestCardAlarm", "the-oldest-card-is-too-old");
  await expectBreaker({ message: expect.any(String) });
  repairUnion();
  await expectDelivered(own.slice(0, -1));
});

test("a poison card: it is listed with HTTP 500 while others are delivered, and it is delivered once it is repaired", async () => {
  const own = await rehearse("poison-card", "Delivery/OldestCardAlarm", "the-oldest-card-is-too-old");
  const [poison, ...others] = own.slice(0, -1);
  const apiSet = poison?.vendor.apiSet ?? "";
  const isListed = async () => {
    const listed = await command.run(["watch", "--state", "retrying", "--vendor", apiSet, "--timeout", "1"]);
    return listed.stdout.includes("retrying  HTTP 500");
  };
  await expectDelivered(others);
  // An environment that has not posted the others takes the failure for the exchange's, until another card goes through.
  const isPaused = async () => JSON.stringify((await overview()).breakers).includes(apiSet);
  await expect.poll(async () => (await isListed()) || (await isPaused()), poll).toBe(true);
  for (const witness of own.slice(-1)) await submitOne(pipeline.machine.run.api, witness);
  await expect.poll(isListed, poll).toBe(true);
  repairUnion();
  await expectDelivered(own.slice(0, 1));
});

test("credentials that the union refuses: with the right ones stored, the waiting cards go out", async () => {
  const own = cards.filter(({ vendor }) => vendor.apiSet === "fairway-live").slice(0, 6);
  cards = cards.filter((card) => !own.includes(card));
  cards.unshift(...own);
  const storeRightPassword = () =>
    command.run(["account", "union", "fairway-live"], { SCORECARDS_UNION_PASSWORD: "fairway-live-demo" });
  onTestFinished(async () => void (await storeRightPassword()));
  const sent = await rehearse(
    "credentials-refused",
    "Delivery/CredentialsRefusedAlarm",
    "credentials-are-refused",
  );
  await expectBreaker({ apiSet: "fairway-live", status: 401 });
  expect((await storeRightPassword()).code).toBe(0);
  await expectDelivered(sent.slice(0, -1));
});

test("a stale mirror: with the right account stored, the mirror is fresh again", async () => {
  // The schedule syncs once a minute, too seldom for a test.
  const sync = async () => void (await pipeline.machine.run.invoke("mirror-courses", { pass: "changes" }));
  await rehearse("mirror-stale", "Mirror/MirrorStaleAlarm", "the-mirror-is-stale", sync);
  const stored = await command.run(["account", "mirror", "pipeline-mirror"], {
    SCORECARDS_UNION_PASSWORD: "pipeline-mirror-demo",
  });
  expect(stored.code).toBe(0);
  // Within five minutes the function reads the secret by itself.
  pipeline.machine.run.killEnvironment("mirror-courses");
  const begun = Date.now();
  await sync();
  const { ageSeconds } = (await overview()).mirror;
  expect(ageSeconds).toBeLessThanOrEqual((Date.now() - begun) / 1_000 + 1);
});

test("dead letters: redrive has the card delivered, and the queue of dead letters is empty", async () => {
  const own = await rehearse("dead-letters", "Delivery/DeadLettersAlarm", "dead-letters");
  expect((await overview()).queue.deadLetters).toBe(1);
  const { vendor, card } = incidentCard("dead-letters", own) ?? {};
  const status = ["status", card?.ExternalID ?? "", "--vendor", vendor?.apiSet ?? "", "--json"];
  expect((await command.run(status)).json[0][0].state).toBe("queued");
  const redriven = await command.run(["redrive", "--json"]);
  expect(redriven).toMatchObject({ code: 0, json: [{ moved: 1 }] });
  await expectDelivered(own.slice(-1));
  expect((await overview()).queue.deadLetters).toBe(0);
});
