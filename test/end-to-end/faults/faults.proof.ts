import { commandFaults, type Faults } from "@scorecard-pipeline/stand-in";
import { afterAll, beforeAll, describe, test } from "vitest";
import { postTiming } from "../../../core/cards/delivery/timing.ts";
import { minimalCard } from "../../../local/pipeline/minimal-card.ts";
import { hurried } from "../../hurried-settings.ts";
import { assemblyOf } from "../../synthesized-stack.ts";
import { tryLongAgo } from "../cards-of-long-ago.ts";
import { type FaultyPipeline, startFaultyPipeline } from "./faulty-pipeline.ts";

// Each scenario has a vendor of its own, whose posts and requests alone are harmed; so all of them run at once.
const shaky: readonly (readonly [string, string, Partial<Faults>])[] = [
  ["answers are 500", "failing", { failShare: 1 }],
  [
    "answers come after the timeout, though the cards were taken",
    "late",
    { lateShare: 1, lateMilliseconds: 60_000 },
  ],
  ["it asks for patience with 429 and Retry-After", "busy", { throttleShare: 1 }],
  ["connections are cut halfway through the answer", "cut", { cutShare: 1 }],
];
const others = ["down", "silent", "odd", "odd-suspected", "given-up", "withdrawn"];
const vendors = [...shaky.map(([, name]) => name), ...others];

const { readToPostEnd } = postTiming(hurried.timing.post);

let pipeline: FaultyPipeline;

beforeAll(async () => {
  pipeline = await startFaultyPipeline({ assembly: await assemblyOf(), vendors, seed: 4 });
});
afterAll(() => pipeline?.stop());

const vendor = (name: string) => pipeline.vendor(name);
const card = (ExternalID: string) => minimalCard(pipeline.standIn, { ExternalID });
const ids = (count: number) => Array.from({ length: count }, (_, n) => `card-${n}`);
const cards = (count: number) => ids(count).map((id) => card(id));
const received = (name: string) =>
  pipeline.standIn.received.filter(({ apiSet }) => apiSet === name).map((entry) => entry.card as SentCard);
const namesOf = (name: string) => new Set(received(name).map(({ ExternalID }) => ExternalID));
const every = (count: number, state: string) => Array<string>(count).fill(state);
const soon = { interval: 500 };

/** Submits until it is answered 201, as a vendor does that is told 503 or 504: on a busy machine storing may take too long. */
async function submit(name: string, sent: readonly unknown[]): Promise<SentCard[]> {
  for (;;) {
    const { status, body } = await vendor(name).submit(sent);
    if (status === 201) return body;
    if (status < 503) throw new Error(`The submission was answered ${status}.`);
  }
}

interface SentCard {
  readonly ExternalID: string;
}

describe.concurrent("when the exchange is faulty", () => {
  test.concurrent.for(shaky)(
    "and %s for a while, every card is delivered in the end as it was taken",
    async ([_, name, faults], { expect }) => {
      commandFaults(pipeline.standIn.faultsOfVendor(name), faults);
      const answer = await submit(name, cards(40));
      await expect.poll(() => vendor(name).states(["card-0"]), soon).toEqual(["retrying"]);
      commandFaults(pipeline.standIn.faultsOfVendor(name), {});
      await expect.poll(() => vendor(name).states(ids(40)), soon).toEqual(every(40, "delivered"));
      const taken = new Map(received(name).map((one) => [one.ExternalID, one]));
      for (const sent of answer) expect(taken.get(sent.ExternalID)).toEqual(sent);
      for (const one of received(name)) expect(taken.get(one.ExternalID)).toEqual(one);
    },
  );

  test.concurrent("by being down, it is tried again within an eighth of the time that it has been down, waiting cards say so, and the backlog drains by itself", async ({
    expect,
  }) => {
    const faults = pipeline.standIn.faultsOfVendor("down");
    faults.outage = true;
    await submit("down", cards(130));
    const pause = async () => (await vendor("down").status("card-129")).paused;
    await expect.poll(pause, soon).toBeDefined();
    const { since } = await pause();
    // Longer than the shortest wait: it has been tried again.
    await expect
      .poll(async () => Date.parse((await pause()).nextAttemptAt), soon)
      .toBeGreaterThan(Date.parse(since) + 6000);
    const read = async () =>
      (await vendor("down").ask("GET", "ScorecardExchange?ExternalID=card-0&ExternalID=card-129")).body.cards;
    const lastError = { stage: "after", status: 503, message: expect.any(String) };
    const paused = { since, lastError };
    // On a busy machine an attempt may have had no answer.
    await expect.poll(read, soon).toMatchObject([{ paused }, { paused }]);
    for (const { state, paused } of await read()) {
      expect(["queued", "retrying"]).toContain(state);
      const untilNext = Date.parse(paused.nextAttemptAt) - Date.now();
      // While it is tried, it says when another run may try again.
      const longest = Math.max(readToPostEnd, (Date.now() - Date.parse(since)) / 8);
      expect(untilNext).toBeLessThanOrEqual(longest);
    }
    expect(received("down")).toEqual([]);
    // What an outage holds up is in nobody's list of cards to look at.
    expect((await vendor("down").ask("GET", "ScorecardExchange?state=retrying")).body.cards).toEqual([]);
    faults.outage = false;
    await expect.poll(() => namesOf("down").size, soon).toBe(130);
    await expect.poll(() => vendor("down").states(ids(100)), soon).toEqual(every(100, "delivered"));
    expect(await vendor("down").status("card-0")).not.toHaveProperty("paused");
  });
});

test.concurrent("a vendor has a card delivered that was given up, and is told what cannot be delivered", async ({
  expect,
}) => {
  const deliverNow = (id: string) => vendor("given-up").ask("POST", `ScorecardExchange/${id}/Delivery`);
  const faults = pipeline.standIn.faultsOfVendor("given-up");
  faults.outage = true;
  await tryLongAgo(pipeline.run, "given-up", [card("old")]);
  await expect.poll(() => vendor("given-up").states(["old"]), soon).toEqual(["undelivered"]);
  faults.outage = false;
  const { status, body } = await deliverNow("old");
  expect([status, body]).toMatchObject([202, { externalId: "old", earlier: [{ state: "undelivered" }] }]);
  await expect.poll(() => vendor("given-up").states(["old"]), soon).toEqual(["delivered"]);
  expect(namesOf("given-up")).toEqual(new Set(["old"]));

  expect(await deliverNow("old")).toMatchObject({
    status: 409,
    body: { title: "Nothing to deliver", detail: expect.stringContaining("Send a correction") },
  });
  expect(await deliverNow("nothing")).toMatchObject({ status: 404, body: { title: "No such card" } });
});
