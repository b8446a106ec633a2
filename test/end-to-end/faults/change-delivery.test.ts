import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, inject, test } from "vitest";
import { acceptLongAgo } from "../cards-of-long-ago.ts";
import { minimalCard } from "../good-card.ts";
import { type FaultyPipeline, startFaultyPipeline } from "./faulty-pipeline.ts";

// Each test has a vendor of its own, whose posts alone are harmed; so all of them run at once.
const vendors = ["given-up", "waiting", "finished", "unanswered", "withdrawn", "just-now", "long-ago"];
let pipeline: FaultyPipeline;

beforeAll(async () => {
  pipeline = await startFaultyPipeline({ assembly: inject("assembly"), vendors, seed: 6 });
});
afterAll(() => pipeline?.stop());

const vendor = (name: string) => pipeline.vendor(name);
const card = (ExternalID: string, change: Record<string, unknown> = {}) =>
  minimalCard(pipeline.standIn, { ExternalID, ...change });
const faultsOf = (name: string) => pipeline.standIn.faultsOfVendor(name);
/** Comments of what the exchange has received of a vendor. */
const received = (name: string) =>
  pipeline.standIn.received
    .filter(({ apiSet }) => apiSet === name)
    .map(({ card: one }) => (one as { Comment?: string }).Comment);
const deliverNow = (name: string, externalId: string) =>
  vendor(name).ask("POST", `ScorecardExchange/${externalId}/Delivery`);
const withdraw = (name: string, externalId: string) =>
  vendor(name).ask("DELETE", `ScorecardExchange/${externalId}`);
const soon = { interval: 200 };

describe.concurrent("a vendor that asks to have a card delivered now", () => {
  test.concurrent("gets a card delivered that was given up", async ({ expect }) => {
    faultsOf("given-up").outage = true;
    await acceptLongAgo(pipeline.run, "given-up", [card("old")]);
    await expect.poll(() => vendor("given-up").states(["old"]), soon).toEqual(["undelivered"]);
    faultsOf("given-up").outage = false;
    const { status, body } = await deliverNow("given-up", "old");
    expect([status, body]).toMatchObject([202, { externalId: "old", earlier: [{ state: "undelivered" }] }]);
    await expect.poll(() => vendor("given-up").states(["old"]), soon).toEqual(["delivered"]);
    expect(received("given-up")).toHaveLength(1);
  });

  test.concurrent("gets a card delivered before its next attempt would be due", async ({ expect }) => {
    faultsOf("waiting").poison.waiting = 500;
    await vendor("waiting").submit([card("waiting")]);
    let good = 0;
    // Beside others that go through, the card waits longer each time.
    const waitsFor = async () => {
      await vendor("waiting").submit([card(`good-${++good}`)]);
      return Date.parse((await vendor("waiting").status("waiting")).nextAttemptAt) - Date.now();
    };
    await expect.poll(waitsFor, { ...soon, timeout: 60_000 }).toBeGreaterThan(3000);
    const { nextAttemptAt } = await vendor("waiting").status("waiting");
    delete faultsOf("waiting").poison.waiting;
    const { status, body } = await deliverNow("waiting", "waiting");
    expect([status, body.externalId]).toEqual([202, "waiting"]);
    await expect.poll(() => vendor("waiting").states(["waiting"]), soon).toEqual(["delivered"]);
    expect(Date.parse((await vendor("waiting").status("waiting")).since)).toBeLessThan(
      Date.parse(nextAttemptAt),
    );
    const taken = pipeline.standIn.received.filter(
      ({ apiSet, card: one }) =>
        apiSet === "waiting" && (one as { ExternalID: string }).ExternalID === "waiting",
    );
    expect(taken).toHaveLength(1);
  });

  test.concurrent("is told that there is no such card, or nothing to deliver", async ({ expect }) => {
    const nothing = await deliverNow("finished", "nothing");
    expect([nothing.status, nothing.body.title]).toEqual([404, "No such card"]);

    await vendor("finished").submit([card("delivered")]);
    await expect.poll(() => vendor("finished").states(["delivered"]), soon).toEqual(["delivered"]);
    faultsOf("finished").outage = true;
    await vendor("finished").submit([card("withdrawn")]);
    expect((await withdraw("finished", "withdrawn")).status).toBe(204);
    for (const [name, told] of [
      ["delivered", "Send a correction"],
      ["withdrawn", "Submit it again"],
    ] as const) {
      const { status, body } = await deliverNow("finished", name);
      expect([status, body.title, body.detail]).toEqual([
        409,
        "Nothing to deliver",
        expect.stringContaining(told),
      ]);
    }
    expect((await withdraw("finished", "delivered")).status).toBe(409);
    expect(await vendor("finished").states(["withdrawn"])).toEqual(["withdrawn"]);
  });
});

test.concurrent("a card that the exchange may have, since it did not answer in time, is not withdrawn, and delivered in the end", async ({
  expect,
}) => {
  Object.assign(faultsOf("unanswered"), { lateShare: 1, lateMilliseconds: 1500 });
  await vendor("unanswered").submit([card("late")]);
  await expect
    .poll(() => vendor("unanswered").status("late"), soon)
    .toMatchObject({ state: "retrying", lastError: { stage: "during" } });
  const { status, body } = await withdraw("unanswered", "late");
  expect([status, body.title]).toEqual([409, "Too late to withdraw"]);
  faultsOf("unanswered").lateShare = 0;
  await expect.poll(() => vendor("unanswered").states(["late"]), soon).toEqual(["delivered"]);
});

test.concurrent("a card whose post is under way is withdrawn only if the exchange does not take it, and a withdrawn one may be sent again", async ({
  expect,
}) => {
  const states = (...externalIds: string[]) => vendor("withdrawn").states(externalIds);
  const submit = (externalId: string) =>
    vendor("withdrawn").submit([card(externalId, { Comment: externalId })]);
  const faults = faultsOf("withdrawn");
  // Well below the time limit of a post, so that a busy machine does not let it run out.
  Object.assign(faults, { lateShare: 1, lateMilliseconds: 300 });
  await submit("under-way");
  await expect.poll(() => received("withdrawn").length, { interval: 10 }).toBe(1);
  expect((await withdraw("withdrawn", "under-way")).status).toBe(409);
  expect(await states("under-way")).toEqual(["delivered"]);

  faults.outage = true;
  await submit("waiting");
  await expect.poll(() => states("waiting"), soon).toEqual(["retrying"]);
  expect((await withdraw("withdrawn", "waiting")).status).toBe(204);
  expect((await withdraw("withdrawn", "waiting")).status).toBe(204);
  faults.outage = false;
  await submit("after-the-outage");
  await expect.poll(() => states("after-the-outage"), soon).toEqual(["delivered"]);
  expect(await states("waiting")).toEqual(["withdrawn"]);
  expect(received("withdrawn")).toEqual(["under-way", "after-the-outage"]);

  await submit("waiting");
  await expect.poll(() => states("waiting"), soon).toEqual(["delivered"]);
});

describe.concurrent("a correction", () => {
  test.concurrent("of a card that was delivered just now is posted after it, and once more when an older post can have no effect any more", async ({
    expect,
  }) => {
    await vendor("just-now").submit([card("card", { Comment: "first" })]);
    await expect.poll(() => vendor("just-now").states(["card"]), soon).toEqual(["delivered"]);
    await vendor("just-now").submit([card("card", { Comment: "second" })]);
    await expect.poll(() => received("just-now"), soon).toEqual(["first", "second"]);
    const delivered = { state: "delivered", attempts: 1, earlier: [{ state: "delivered" }] };
    await expect.poll(() => vendor("just-now").status("card"), soon).toMatchObject(delivered);
    await expect.poll(() => received("just-now"), soon).toEqual(["first", "second", "second"]);
    await delay(3000);
    expect(received("just-now")).toHaveLength(3);
    expect(await vendor("just-now").status("card")).toMatchObject(delivered);
  });

  test.concurrent("of a card that was delivered long ago is posted at once, and only once", async ({
    expect,
  }) => {
    await vendor("long-ago").submit([card("card", { Comment: "first" })]);
    await expect.poll(() => vendor("long-ago").states(["card"]), soon).toEqual(["delivered"]);
    await delay(31_000);
    await vendor("long-ago").submit([card("card", { Comment: "second" })]);
    await expect.poll(() => vendor("long-ago").states(["card"]), soon).toEqual(["delivered"]);
    await delay(33_000);
    expect(received("long-ago")).toEqual(["first", "second"]);
  });
});
