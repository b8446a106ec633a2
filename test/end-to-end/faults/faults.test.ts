import { setTimeout as delay } from "node:timers/promises";
import type { Faults } from "@scorecard-pipeline/stand-in";
import { afterAll, beforeAll, describe, inject, test, vi } from "vitest";
import { minimalCard } from "../good-card.ts";
import type { EngineRequest, Interference } from "./engine-proxy.ts";
import { type FaultyPipeline, startFaultyPipeline } from "./faulty-pipeline.ts";

// Each scenario has a vendor of its own, whose posts and requests alone are harmed; so all of them run at once.
const shaky: readonly (readonly [string, string, Partial<Faults>])[] = [
  ["three answers in ten are 500", "failing", { failShare: 0.3 }],
  [
    "answers come after the timeout, though the cards were taken",
    "late",
    { lateShare: 0.3, lateMilliseconds: 1500 },
  ],
  ["cards are missing from the echo", "forgetful", { echoLossShare: 0.2 }],
  ["it asks for patience with 429 and Retry-After", "busy", { throttleShare: 0.3 }],
  ["connections are cut halfway through the answer", "cut", { cutShare: 0.3 }],
];
const others = [
  "down",
  "silent",
  "poisoned",
  "wrong",
  "well",
  "before",
  "after",
  "storing",
  "table",
  "queue",
  "corrected",
];
const vendors = [...shaky.map(([, name]) => name), ...others, "odd", "odd-suspected"];

type Harm = (request: EngineRequest) => Interference | undefined | Promise<Interference | undefined>;
vi.setConfig({ testTimeout: 300_000 });

let pipeline: FaultyPipeline;
/** What is done to a vendor's requests to the engines. */
const harms = new Map<string, Harm>();

beforeAll(async () => {
  pipeline = await startFaultyPipeline({ assembly: inject("assembly"), vendors, seed: 4 });
  const harm: Harm = (request) => {
    // The vendor's cards by their key, or its messages by their group.
    const named = [...harms].find(
      ([name]) => request.body.includes(`"${name}#`) || request.body.includes(`"MessageGroupId":"${name}"`),
    );
    return request.operation.includes("Batch") ? named?.[1](request) : undefined;
  };
  pipeline.dynamodb.interfere = harm;
  pipeline.sqs.interfere = harm;
});
afterAll(() => pipeline?.stop());

const vendor = (name: string) => pipeline.vendor(name);
const card = (ExternalID: string, change: Record<string, unknown> = {}) =>
  minimalCard(pipeline.standIn, { ExternalID, ...change });
const ids = (count: number) => Array.from({ length: count }, (_, n) => `card-${n}`);
const cards = (count: number) => ids(count).map((id) => card(id));
const received = (name: string) =>
  pipeline.standIn.received.filter(({ apiSet }) => apiSet === name).map((entry) => entry.card as SentCard);
const namesOf = (name: string) => new Set(received(name).map(({ ExternalID }) => ExternalID));
const every = (count: number, state: string) => Array<string>(count).fill(state);
const soon = { timeout: 240_000, interval: 300 };

/** Submits until it is answered 201, as a vendor does that is told 503: on a busy machine storing may take too long. */
async function submit(name: string, sent: readonly unknown[]): Promise<SentCard[]> {
  for (;;) {
    const { status, body } = await vendor(name).submit(sent);
    if (status === 201) return body;
    if (status !== 503) throw new Error(`The submission was answered ${status}.`);
  }
}

/** Withdraws, and asks again as long as it is told 503. */
async function withdraw(name: string, externalId: string): Promise<number> {
  for (;;) {
    const path = `ScorecardExchange/${encodeURIComponent(externalId)}`;
    const { status } = await vendor(name).ask("DELETE", path);
    if (status !== 503) return status;
  }
}

interface SentCard {
  readonly ExternalID: string;
  readonly Comment?: string;
}

/** Kills running copies of a function until the one that asked is gone. */
async function killAsker(functionName: string, request: EngineRequest): Promise<Interference> {
  while (request.waits()) {
    pipeline.run.killEnvironment(functionName);
    await delay(20);
  }
  return { kind: "cut" };
}

/** Does it the first time only. */
function once(matches: (request: EngineRequest) => boolean, harm: Harm): Harm {
  let done = false;
  return (request) => {
    if (done || !matches(request)) return undefined;
    done = true;
    return harm(request);
  };
}

describe.concurrent("when the exchange is faulty", () => {
  test.concurrent.for(shaky)(
    "and %s, every card is delivered in the end as it was taken",
    async ([_, name, faults], { expect }) => {
      Object.assign(pipeline.standIn.faultsOfVendor(name), faults);
      const answer = await submit(name, cards(40));
      await expect.poll(() => vendor(name).states(ids(40)), soon).toEqual(every(40, "delivered"));
      const taken = new Map(received(name).map((one) => [one.ExternalID, one]));
      for (const sent of answer) expect(taken.get(sent.ExternalID)).toEqual(sent);
      for (const one of received(name)) expect(taken.get(one.ExternalID)).toEqual(one);
    },
  );

  test.concurrent("by being down, it is tried again within a quarter of the time that it has been down, waiting cards say so, and the backlog drains by itself", async ({
    expect,
  }) => {
    const faults = pipeline.standIn.faultsOfVendor("down");
    faults.outage = true;
    await submit("down", cards(130));
    const pause = async () => (await vendor("down").status("card-129")).paused;
    const lastError = { stage: "after", status: 503, message: expect.any(String) };
    await expect.poll(pause, soon).toMatchObject({ lastError });
    const { since } = await pause();
    // Longer than the shortest wait: it has been tried again.
    await expect
      .poll(async () => Date.parse((await pause()).nextAttemptAt), soon)
      .toBeGreaterThan(Date.parse(since) + 6000);
    const statuses = (
      await vendor("down").ask("GET", "ScorecardExchange?ExternalID=card-0&ExternalID=card-129")
    ).body.cards;
    for (const { state, paused } of statuses) {
      expect(["queued", "retrying"]).toContain(state);
      expect(paused).toMatchObject({ since, lastError });
      const untilNext = Date.parse(paused.nextAttemptAt) - Date.now();
      expect(untilNext).toBeLessThanOrEqual(Math.max(2000, (Date.now() - Date.parse(since)) / 4));
    }
    expect(received("down")).toEqual([]);
    // What an outage holds up is in nobody's list of cards to look at.
    expect((await vendor("down").ask("GET", "ScorecardExchange?state=retrying")).body.cards).toEqual([]);
    faults.outage = false;
    await expect.poll(() => namesOf("down").size, soon).toBe(130);
    await expect.poll(() => vendor("down").states(ids(100)), soon).toEqual(every(100, "delivered"));
    expect(await vendor("down").status("card-0")).not.toHaveProperty("paused");
    expect(received("down")).toHaveLength(130);
  });

  test.concurrent("by leaving cards out of its echo, each is listed and tried again by itself", async ({
    expect,
  }) => {
    const faults = pipeline.standIn.faultsOfVendor("silent");
    // It echoes every tenth, so it works, and the others are suspected.
    faults.unechoed = ids(130).filter((_, place) => place % 10 !== 0);
    await submit("silent", cards(130));
    const listed = async () => (await vendor("silent").ask("GET", "ScorecardExchange?state=retrying")).body;
    await expect.poll(async () => (await listed()).next, soon).toBeDefined();
    const list = await listed();
    expect(list.cards.length).toBeGreaterThan(90);
    const more = (await vendor("silent").ask("GET", `ScorecardExchange${list.next}`)).body;
    // Cards whose attempt has just been recorded again have moved to the first page meanwhile.
    expect(more.cards.length).toBeLessThanOrEqual(30);
    expect(more.next).toBeUndefined();
    for (const { since, nextAttemptAt, lastError } of [...list.cards, ...more.cards]) {
      expect(lastError).toMatchObject({ stage: "after", message: expect.stringContaining("echo") });
      const seconds = (Date.parse(nextAttemptAt) - Date.parse(since)) / 1000;
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(300);
    }
    for (const after of [
      "nowhere",
      "",
      "2026-01-01T00:00:00.000Z#",
      `2026-01-01T00:00:00.000Z#${"x".repeat(300)}`,
    ]) {
      const path = `ScorecardExchange?state=retrying&after=${encodeURIComponent(after)}`;
      expect((await vendor("silent").ask("GET", path)).status).toBe(400);
    }
    faults.unechoed = [];
    await expect.poll(() => vendor("silent").states(ids(100)), soon).toEqual(every(100, "delivered"));
    await expect
      .poll(() => vendor("silent").states(ids(130).slice(100)), soon)
      .toEqual(every(30, "delivered"));
  });

  test.concurrent("for two cards only, the others are delivered and the refused one tells why", async ({
    expect,
  }) => {
    Object.assign(pipeline.standIn.faultsOfVendor("poisoned").poison, { "card-7": 500, "card-70": 422 });
    await submit("poisoned", cards(100));
    await expect
      .poll(
        async () => (await vendor("poisoned").states(ids(100))).filter((state) => state === "delivered"),
        soon,
      )
      .toHaveLength(98);
    await expect
      .poll(() => vendor("poisoned").status("card-70"), soon)
      .toMatchObject({
        state: "retrying",
        lastError: { status: 422, message: expect.stringContaining("cannot be processed") },
      });
    await expect
      .poll(() => vendor("poisoned").status("card-7"), soon)
      .toMatchObject({ lastError: { status: 500 } });
    expect(received("poisoned").map(({ ExternalID }) => ExternalID)).not.toContain("card-7");
  });

  test.concurrent("for one vendor, whose credentials it refuses, another's cards go on", async ({
    expect,
  }) => {
    await pipeline.setUnionPassword("wrong", "forgotten");
    await Promise.all([submit("wrong", cards(30)), submit("well", cards(30))]);
    await expect.poll(() => vendor("well").states(ids(30)), soon).toEqual(every(30, "delivered"));
    await expect
      .poll(() => vendor("wrong").status("card-0"), soon)
      .toMatchObject({ state: "retrying", lastError: { status: 401 } });
    await pipeline.setUnionPassword("wrong");
    await expect.poll(() => vendor("wrong").states(ids(30)), soon).toEqual(every(30, "delivered"));
    expect(namesOf("wrong").size).toBe(30);
  });
});

describe.concurrent("when a worker is killed", () => {
  test.concurrent("before it posts, its cards are delivered by the next one", async ({ expect }) => {
    let isQueued = false;
    /** Submission reads its cards before it queues them, delivery after that. */
    const looks = ({ operation }: EngineRequest) => {
      isQueued ||= operation === "SendMessageBatch";
      return isQueued && operation === "BatchGetItem";
    };
    harms.set(
      "before",
      once(looks, (request) => killAsker("deliver-scorecards", request)),
    );
    await submit("before", cards(20));
    await expect.poll(() => vendor("before").states(ids(20)), soon).toEqual(every(20, "delivered"));
    expect(namesOf("before").size).toBe(20);
  });

  test.concurrent("after it has posted and before it records that, the same cards go out again", async ({
    expect,
  }) => {
    const records = ({ operation, body }: EngineRequest) =>
      operation === "BatchExecuteStatement" && body.includes('{"S":"delivered"}');
    harms.set(
      "after",
      once(records, (request) => killAsker("deliver-scorecards", request)),
    );
    const body = await submit("after", cards(20));
    await expect.poll(() => vendor("after").states(ids(20)), soon).toEqual(every(20, "delivered"));
    // How often is left to the simulated days: on a busy machine a post may exceed its second here and be repeated.
    expect(received("after").length).toBeGreaterThan(20);
    const sent = new Map(body.map((one) => [one.ExternalID, one]));
    for (const one of received("after")) expect(one).toEqual(sent.get(one.ExternalID));
  });

  test.concurrent("while it takes a submission, nothing is delivered that was not answered 201, and all of it when it is sent again", async ({
    expect,
  }) => {
    const stores = ({ operation }: EngineRequest) => operation === "BatchExecuteStatement";
    harms.set(
      "storing",
      once(stores, (request) => killAsker("submit-scorecards", request)),
    );
    const { username, password } = vendor("storing").account;
    const submitOnce = () =>
      fetch(`${pipeline.run.api}/storing/ScorecardExchange`, {
        method: "POST",
        headers: { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` },
        body: JSON.stringify(cards(20)),
      });
    expect((await submitOnce()).status).toBeGreaterThanOrEqual(500);
    expect(await vendor("storing").states(ids(20))).toEqual(every(20, "unknown"));
    expect(received("storing")).toEqual([]);
    expect((await submitOnce()).status).toBe(201);
    await expect.poll(() => vendor("storing").states(ids(20)), soon).toEqual(every(20, "delivered"));
  });
});

describe.concurrent("when AWS refuses", () => {
  test.concurrent("a table that throttles and leaves items unprocessed loses nothing", async ({ expect }) => {
    let turn = 0;
    harms.set("table", () => {
      turn++;
      if (turn % 5 === 0) return { kind: "refuse", error: "ProvisionedThroughputExceededException" };
      return { kind: "leave out", entry: () => turn++ % 3 === 0 };
    });
    await submit("table", cards(40));
    await expect.poll(() => vendor("table").states(ids(40)), soon).toEqual(every(40, "delivered"));
    expect(namesOf("table").size).toBe(40);
  });

  test.concurrent("a queue that takes a part of each batch gets the rest in the end", async ({ expect }) => {
    let turn = 0;
    harms.set("queue", ({ operation }) =>
      operation === "SendMessageBatch" ? { kind: "leave out", entry: () => turn++ % 4 === 0 } : undefined,
    );
    await submit("queue", cards(40));
    await expect.poll(() => vendor("queue").states(ids(40)), soon).toEqual(every(40, "delivered"));
    expect(namesOf("queue").size).toBe(40);
  });
});

test.concurrent("corrections that race their originals reach the exchange after them, and are the last word", async ({
  expect,
}) => {
  Object.assign(pipeline.standIn.faultsOfVendor("corrected"), {
    lateShare: 0.5,
    lateMilliseconds: 800,
    failShare: 0.2,
  });
  await submit(
    "corrected",
    cards(20).map((one) => ({ ...one, Comment: "first" })),
  );
  // As far apart as the card's number, so that some find their original queued, some under way and some delivered.
  await Promise.all(
    ids(20).map(async (id, n) => {
      await delay(n * 120);
      await submit("corrected", [card(id, { Comment: "second" })]);
    }),
  );
  const last = () => new Map(received("corrected").map((one) => [one.ExternalID, one.Comment]));
  await expect.poll(() => vendor("corrected").states(ids(20)), soon).toEqual(every(20, "delivered"));
  expect([...last().values()]).toEqual(every(20, "second"));
  const words = Map.groupBy(received("corrected"), ({ ExternalID }) => ExternalID);
  for (const of of words.values()) {
    const comments = of.map(({ Comment }) => Comment);
    expect(comments).toEqual([...comments].sort());
  }
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
      [...odd, ...ids(3 * odd.length)].map((id) => card(id)),
    );
    await expect.poll(() => vendor("odd-suspected").states(odd), soon).toEqual(every(odd.length, "retrying"));
    const list = (await vendor("odd-suspected").ask("GET", "ScorecardExchange?state=retrying")).body;
    expect(list.cards.map(({ externalId }: { externalId: string }) => externalId).sort()).toEqual(
      [...odd].sort(),
    );
    for (const id of odd) expect((await vendor("odd").status(id)).externalId).toBe(id);
    const answers = await Promise.all(odd.map((id) => withdraw("odd", id)));
    expect(answers).toEqual(odd.map(() => 204));
    expect(await vendor("odd").states(odd)).toEqual(every(odd.length, "withdrawn"));
  });
});
