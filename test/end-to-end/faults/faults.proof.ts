import { commandFaults, type Faults } from "@scorecard-pipeline/stand-in";
import { afterAll, beforeAll, describe, inject, test } from "vitest";
import { postTiming } from "../../../core/cards/delivery/timing.ts";
import { minimalCard } from "../../../local/pipeline/minimal-card.ts";
import { hurried } from "../../hurried-settings.ts";
import { acceptLongAgo } from "../cards-of-long-ago.ts";
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

const { readToPostEnd } = postTiming(hurried.delivery.postTimeoutSeconds);

let pipeline: FaultyPipeline;

beforeAll(async () => {
  pipeline = await startFaultyPipeline({ assembly: inject("assembly"), vendors, seed: 4 });
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

/** Withdraws, and asks again as long as it is told 503 or 504. */
async function withdraw(name: string, externalId: string): Promise<number> {
  for (;;) {
    const path = `ScorecardExchange/${encodeURIComponent(externalId)}`;
    const { status } = await vendor(name).ask("DELETE", path);
    if (status < 503) return status;
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

  test.concurrent("by leaving cards out of its echo, each is listed and tried again by itself", async ({
    expect,
  }) => {
    const faults = pipeline.standIn.faultsOfVendor("silent");
    // It echoes every tenth, so it works, and the others are suspected.
    faults.unechoed = ids(130).filter((_, place) => place % 10 !== 0);
    await submit("silent", cards(130));
    const listed = async () => (await vendor("silent").ask("GET", "ScorecardExchange?state=retrying")).body;
    // Cards that it echoes go on coming: if it echoed none any more, it would count as being down, and the others would wait for it.
    let echoed = 0;
    const next = async () => {
      await submit("silent", [card(`echoed-${echoed++}`)]);
      return (await listed()).next;
    };
    await expect.poll(next, soon).toBeDefined();
    const list = await listed();
    expect(list.cards.length).toBeGreaterThan(90);
    const more = (await vendor("silent").ask("GET", `ScorecardExchange${list.next}`)).body;
    // Cards whose attempt has just been recorded again have moved to the first page meanwhile.
    expect(more.cards.length).toBeLessThanOrEqual(30);
    expect(more.next).toBeUndefined();
    for (const { since, nextAttemptAt, lastError } of [...list.cards, ...more.cards]) {
      // On a busy machine an attempt may have had no answer.
      if (lastError.stage === "after") expect(lastError.message).toContain("echo");
      const seconds = (Date.parse(nextAttemptAt) - Date.parse(since)) / 1000;
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(300);
    }
    faults.unechoed = [];
    await expect.poll(() => vendor("silent").states(ids(100)), soon).toEqual(every(100, "delivered"));
    await expect
      .poll(() => vendor("silent").states(ids(130).slice(100)), soon)
      .toEqual(every(30, "delivered"));
  });
});

describe.concurrent("withdrawing", () => {
  test.concurrent("works with every kind of ExternalID, as asking for one and listing a state do", async ({
    expect,
  }) => {
    const odd = [
      "a b",
      "a/b",
      "100%",
      "q?u=e&r#y",
      `"quotes" 'more'`,
      "🏌️‍♀️ ⛳",
      "#",
      "x".repeat(200),
      "ÆØÅ\u0301",
      "a+b",
    ];
    pipeline.standIn.faultsOfVendor("odd").outage = true;
    await submit(
      "odd",
      odd.map((id) => card(id)),
    );
    await expect.poll(() => vendor("odd").states(odd), soon).toEqual(every(odd.length, "retrying"));
    const { poison } = pipeline.standIn.faultsOfVendor("odd-suspected");
    for (const id of odd) poison[id] = 422;
    await submit(
      "odd-suspected",
      odd.map((id) => card(id)),
    );
    await expect.poll(() => vendor("odd-suspected").states(odd), soon).toEqual(every(odd.length, "retrying"));
    // A card that is tried just now, or that an outage holds up, is not in the list, so each is awaited by itself.
    const listed = new Set<string>();
    let good = 0;
    const list = async () => {
      // Good cards go on coming: without them, all that fails counts as an outage.
      await submit("odd-suspected", [card(`good-${good++}`)]);
      const { body } = await vendor("odd-suspected").ask("GET", "ScorecardExchange?state=retrying");
      for (const { externalId } of body.cards) listed.add(externalId);
      return [...listed].sort();
    };
    await expect.poll(list, soon).toEqual([...odd].sort());
    for (const id of odd) expect((await vendor("odd").status(id)).externalId).toBe(id);
    const answers = await Promise.all(odd.map((id) => withdraw("odd", id)));
    expect(answers).toEqual(odd.map(() => 204));
    expect(await vendor("odd").states(odd)).toEqual(every(odd.length, "withdrawn"));
  });
});

test.concurrent("a vendor has a card delivered that was given up, and is told what cannot be delivered", async ({
  expect,
}) => {
  const deliverNow = (id: string) => vendor("given-up").ask("POST", `ScorecardExchange/${id}/Delivery`);
  const faults = pipeline.standIn.faultsOfVendor("given-up");
  faults.outage = true;
  await acceptLongAgo(pipeline.run, "given-up", [card("old")]);
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

// By itself, after the others: nothing else delays its posts.
test("a withdrawal is refused if the exchange takes the card meanwhile, and undone by sending the card again", async ({
  expect,
}) => {
  const states = (...externalIds: string[]) => vendor("withdrawn").states(externalIds);
  const submitOne = (id: string) => submit("withdrawn", [card(id)]);
  const faults = pipeline.standIn.faultsOfVendor("withdrawn");
  // Well below the time limit of a post, so that a busy machine does not let it run out.
  Object.assign(faults, { lateShare: 1, lateMilliseconds: 300 });
  await submitOne("under-way");
  await expect.poll(() => received("withdrawn").length, { interval: 10 }).toBeGreaterThan(0);
  expect(await withdraw("withdrawn", "under-way")).toBe(409);
  await expect.poll(() => states("under-way"), soon).toEqual(["delivered"]);

  faults.outage = true;
  await submitOne("waiting");
  await expect.poll(() => states("waiting"), soon).toEqual(["retrying"]);
  expect(await withdraw("withdrawn", "waiting")).toBe(204);
  expect(await withdraw("withdrawn", "waiting")).toBe(204);
  faults.outage = false;
  await submitOne("after-the-outage");
  await expect.poll(() => states("after-the-outage"), soon).toEqual(["delivered"]);
  expect(await states("waiting")).toEqual(["withdrawn"]);
  expect(namesOf("withdrawn")).toEqual(new Set(["under-way", "after-the-outage"]));

  await submitOne("waiting");
  await expect.poll(() => states("waiting"), soon).toEqual(["delivered"]);
});
