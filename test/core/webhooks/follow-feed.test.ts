import { beforeEach, expect, test } from "vitest";
import type { WebhookAttempt } from "../../../core/webhooks/attempt-table.ts";
import { createWebhookDelivery } from "../../../core/webhooks/deliver.ts";
import type { WebhookEndpoint } from "../../../core/webhooks/endpoint.ts";
import { beginningOfFeed } from "../../../core/webhooks/endpoint.ts";
import type { WebhookReport } from "../../../core/webhooks/endpoint-run.ts";
import { feedReader, feedWriter } from "../../../core/webhooks/feed-table.ts";
import { type OutgoingWebhook, readWebhookMessage } from "../../../core/webhooks/queue.ts";
import { countPending } from "../../../core/webhooks/shown-endpoint.ts";
import { tellVendor } from "../../../core/webhooks/tell-vendor.ts";
import type { QueuedEvent } from "../../../core/webhooks/vendor-queue.ts";
import { hour, second } from "../../durations.ts";
import { entryOf, feedsInMemory, vendor } from "./feed-world.ts";

let now: number;
let remaining: number;
let stored: WebhookEndpoint | undefined;
/** The events that the queue has, in the order in which it got them. */
let queued: QueuedEvent[];
/** Why the queue takes nothing, if it does not. */
let refusal: string | undefined;
/** How many events the queue takes before it refuses. */
let takes: number;
let whileSending: () => Promise<void> | void;
let sent: OutgoingWebhook[];
let reports: WebhookReport[];
let attempts: WebhookAttempt[];
let feeds: ReturnType<typeof feedsInMemory>;
let changes: number;

beforeEach(() => {
  now = Date.UTC(2026, 6, 4, 12);
  remaining = 30 * second;
  queued = [];
  refusal = undefined;
  takes = 0;
  whileSending = () => undefined;
  sent = [];
  reports = [];
  attempts = [];
  changes = 0;
  feeds = feedsInMemory();
  stored = {
    ...{
      apiSet: vendor,
      id: "queue",
      version: 1,
      types: ["scorecard.delivered"],
      secrets: [],
      createdAt: now,
    },
    url: "https://sqs.eu-west-1.amazonaws.com/123456789012/events.fifo",
    roleArn: "arn:aws:iam::123456789012:role/scorecard-events",
    feed: beginningOfFeed,
  };
});

const writer = () => feedWriter("activity", feeds.client(), 90, () => now);
const reader = () => feedReader("activity", feeds.client(), () => now);
const endpoints = {
  find: async () => stored,
  list: async () => (stored === undefined ? [] : [stored]),
  async update(read: WebhookEndpoint, change: object) {
    if (stored?.version !== read.version) return undefined;
    stored = { ...read, ...change, version: read.version + 1 };
    return stored;
  },
};

/** A run: one that was begun before may still be under way. */
const startRun = () =>
  createWebhookDelivery({
    endpoints,
    keepAttempts: async (_apiSet, _id, some) => void attempts.push(...some),
    post: async () => {
      throw new Error("A queue is not posted to.");
    },
    async sendToQueue(_endpoint, events) {
      await whileSending();
      if (refusal !== undefined) {
        const some = events.slice(0, takes);
        queued.push(...some);
        takes -= some.length;
        return { sent: some.length, message: refusal };
      }
      queued.push(...events);
      return { sent: events.length };
    },
    feed: { page: (...of) => reader().page(...of), append: (...of) => writer().append(...of) },
    mail: async () => undefined,
    send: async (messages) => void sent.push(...messages),
    now: () => now,
    random: () => 0,
    report: (report) => void reports.push(report),
  });

let messages = 0;
/** Hands messages over. @returns those that failed */
const deliver = (...some: readonly object[]) =>
  startRun()(
    some.map((message) => ({ messageId: String(++messages), body: JSON.stringify({ form: 1, ...message }) })),
    () => remaining,
  );
const wakeUp = { apiSet: vendor, endpointId: "queue", isWakeUp: true };

/** Adds changes of cards, each `card version`, to the feed, and returns the messages that say so. */
async function happened(...cards: readonly string[]): Promise<OutgoingWebhook[]> {
  const entries = cards.map((text) => {
    const [card = "", version = "1"] = text.split(" ");
    return entryOf(++changes, card, Number(version));
  });
  const messages: OutgoingWebhook[] = [];
  const send = async (some: readonly OutgoingWebhook[]) => void messages.push(...some);
  await tellVendor({ endpoints, feed: writer(), send }, vendor, "shard", entries, now);
  return messages;
}

/** Hands over all that comes up until nothing is left or a time is over. */
async function run(until: number): Promise<void> {
  while (sent.length > 0 && now < until) {
    const [next] = sent.toSorted((one, other) => one.delaySeconds - other.delaySeconds);
    if (next === undefined) return;
    now += next.delaySeconds * second;
    sent = sent
      .filter((one) => one !== next)
      .map((one) => ({ ...one, delaySeconds: Math.max(0, one.delaySeconds - next.delaySeconds) }));
    await deliver(next);
  }
}
const queuedIds = () => queued.map(({ eventId }) => eventId);

test("a queue gets the events of its types from the feed, in order, and is listed with each of them", async () => {
  const [wake] = await happened("one", "two", "one 2");
  expect(readWebhookMessage(JSON.stringify({ form: 1, ...wake }))).toEqual([wakeUp]);
  await deliver(wakeUp, wakeUp);
  expect(queuedIds()).toEqual(["evt_one_1", "evt_two_1", "evt_one_2"]);
  expect(JSON.parse(queued[0]?.body ?? "")).toMatchObject({ data: { cards: [{ externalId: "one" }] } });
  expect(attempts.map(({ eventId, status }) => [eventId, status])).toEqual([
    ["evt_one_1", 200],
    ["evt_two_1", 200],
    ["evt_one_2", 200],
  ]);
  expect(stored).toMatchObject({ lastTakenAt: now });
  expect(sent).toEqual([]);
  stored = { ...(stored as WebhookEndpoint), types: ["scorecard.rejected"] };
  await happened("three");
  await deliver(wakeUp);
  expect(queued).toHaveLength(3);
});

test("a wake-up that finds nothing new writes nothing", async () => {
  await happened("one");
  await deliver(wakeUp);
  const { version } = stored ?? {};
  await deliver(wakeUp);
  expect([stored?.version, queued.length, sent]).toEqual([version, 1, []]);
});

test("a queue that fails is left alone for a while, and gets every event once it recovers, none twice", async () => {
  refusal = "The queue does not exist (QueueDoesNotExist).";
  await happened("one", "two");
  await deliver(wakeUp);
  expect(stored?.failing).toMatchObject({ failures: 1, message: refusal, nextAttemptAt: now + 5 * second });
  expect(attempts).toMatchObject([{ eventId: "evt_one_1", message: refusal }]);
  // What happens meanwhile sends nothing: the attempt will find it.
  expect(await happened("three")).toEqual([]);
  await run(now + 2 * hour);
  expect(queued).toEqual([]);
  expect(reports.filter(({ kind }) => kind === "failing")).toHaveLength(1);
  refusal = undefined;
  const recovers = now;
  await run(recovers + 24 * hour);
  expect(queuedIds()).toEqual(["evt_one_1", "evt_two_1", "evt_three_1"]);
  expect(now - recovers).toBeLessThan(hour);
  expect(stored).toMatchObject({ failing: undefined });
});

test("an event that is added just as a failing queue recovers is not left behind", async () => {
  refusal = "busy";
  await happened("one");
  await deliver(wakeUp);
  refusal = undefined;
  whileSending = async () => {
    whileSending = () => undefined;
    // The endpoint is still failing, so nobody is told of it.
    expect(await happened("two")).toEqual([]);
  };
  await run(now + hour);
  expect(queuedIds()).toEqual(["evt_one_1", "evt_two_1"]);
});

test("what a queue has taken before it refused is not sent again, and is no failure of the queue", async () => {
  refusal = "throttled";
  takes = 3;
  await happened("one", "two", "three", "four", "five");
  await deliver(wakeUp);
  expect([queued.length, stored?.failing]).toEqual([3, undefined]);
  refusal = undefined;
  await run(now + hour);
  expect(queuedIds()).toEqual(["one", "two", "three", "four", "five"].map((card) => `evt_${card}_1`));
});

test("a queue of another type's events that fails stays failing while there is nothing to send to it", async () => {
  refusal = "busy";
  await happened("one");
  await deliver(wakeUp);
  stored = { ...(stored as WebhookEndpoint), types: ["scorecard.rejected"] };
  await run(now + 10 * second);
  expect(stored?.failing).toMatchObject({ failures: 1 });
  expect(stored?.lastTakenAt).toBeUndefined();
});

test("a run that dies repeats what it sent, in order, and leaves nothing out", async () => {
  await happened("one", "one 2", "two");
  const died = new Error("The environment was killed.");
  const update = endpoints.update;
  let writes = 0;
  endpoints.update = async (...given) => {
    if (++writes === 2) throw died;
    return await update(...given);
  };
  expect(await deliver(wakeUp)).toHaveLength(1);
  endpoints.update = update;
  expect(queued).toHaveLength(3);
  // Nobody else sends before the claim of the dead run is over.
  await deliver(wakeUp);
  expect(queued).toHaveLength(3);
  await run(now + hour);
  expect(queuedIds().slice(3)).toEqual(["evt_one_1", "evt_one_2", "evt_two_1"]);
});

test("two runs never send to one queue at the same time, and neither leaves an event behind", async () => {
  await happened("one");
  whileSending = async () => {
    whileSending = () => undefined;
    const [wake] = await happened("two");
    await deliver(wake ?? {});
    expect(queued).toEqual([]);
  };
  await deliver(wakeUp);
  await run(now + hour);
  expect(queuedIds()).toEqual(["evt_one_1", "evt_two_1"]);
});

test("a change by the vendor while events are being sent keeps the place in the feed", async () => {
  await happened("one");
  whileSending = async () => {
    whileSending = () => undefined;
    const read = stored as WebhookEndpoint;
    await endpoints.update(read, { types: ["scorecard.delivered", "scorecard.rejected"] });
  };
  await deliver(wakeUp);
  expect(stored?.types).toHaveLength(2);
  await deliver(wakeUp);
  expect(queuedIds()).toEqual(["evt_one_1"]);
});

test("a run that is so slow that another one has claimed its queue leaves the queue to it, and looks again", async () => {
  await happened("one");
  whileSending = async () => {
    now += 16 * second;
    const read = stored as WebhookEndpoint;
    await endpoints.update(read, { busyUntil: now + 15 * second });
  };
  await deliver(wakeUp);
  expect(stored?.feed).toEqual(beginningOfFeed);
  expect(sent).toMatchObject([{ isWakeUp: true, delaySeconds: 1 }]);
});

test("a queue that fails while the vendor changes it is tried again after the time of a post", async () => {
  await happened("one");
  refusal = "busy";
  whileSending = async () => {
    await endpoints.update(stored as WebhookEndpoint, { types: ["scorecard.delivered"] });
  };
  await deliver(wakeUp);
  expect(stored?.failing).toBeUndefined();
  expect(sent).toMatchObject([{ isWakeUp: true, delaySeconds: 15 }]);
});

test("a queue that is turned off while pages are sent to it gets no other page, and goes on there once it is turned on", async () => {
  const cards = Array.from({ length: 250 }, (_, n) => `card-${n}`);
  await happened(...cards);
  whileSending = async () => {
    if (stored) stored = { ...stored, version: stored.version + 1, disabled: { at: now, why: "by_vendor" } };
  };
  await deliver(wakeUp);
  const before = queued.length;
  expect([before < 250, sent]).toEqual([true, []]);
  whileSending = async () => undefined;
  if (stored) stored = { ...stored, version: stored.version + 1, disabled: undefined };
  now += 15 * second;
  await deliver(wakeUp);
  await run(now + hour);
  expect(queuedIds()).toEqual(cards.map((card) => `evt_${card}_1`));
});

test("a long backlog is sent by several runs, a hundred events each", async () => {
  const names = Array.from({ length: 250 }, (_, place) => `card-${place}`);
  await happened(...names);
  await deliver(wakeUp);
  expect(queued.length).toBe(100);
  expect(sent).toMatchObject([{ isWakeUp: true, delaySeconds: 0 }]);
  await run(now + hour);
  expect(queuedIds()).toEqual(names.map((name) => `evt_${name}_1`));
});

test("a queue is disabled after three days of failures, and goes on where it stopped once it is enabled", async () => {
  refusal = "The role cannot be assumed (AccessDenied).";
  await happened("one");
  await deliver(wakeUp);
  await run(now + 80 * hour);
  expect(stored?.disabled).toMatchObject({ why: "failed_for_days" });
  expect(sent).toEqual([]);
  expect(await happened("two")).toEqual([]);
  await deliver(wakeUp);
  expect(queued).toEqual([]);
  expect(await countPending(stored as WebhookEndpoint, reader())).toBe(2);
  refusal = undefined;
  stored = { ...(stored as WebhookEndpoint), disabled: undefined };
  await deliver(wakeUp);
  expect(queuedIds()).toEqual(["evt_one_1", "evt_two_1"]);
});

test("an address has yet to get the event that it refused and those since, and nothing while it takes events", async () => {
  const { roleArn: _, feed: __, ...address } = stored as WebhookEndpoint;
  const pending = (given: Partial<WebhookEndpoint>) => countPending({ ...address, ...given }, reader());
  await happened("taken", "refused");
  now += second;
  const failing = { since: now, failures: 1, nextAttemptAt: now, message: "down" };
  const withheldAt = now + second;
  await happened("one", "two");
  now += second;
  await happened("three");
  expect(await Promise.all([{}, { failing }, { withheldAt }, { failing, withheldAt }].map(pending))).toEqual([
    0, 4, 1, 4,
  ]);
  const disabled = { at: now, why: "by_vendor" } as const;
  expect(await Promise.all([{ disabled }, { failing, types: [] }].map(pending))).toEqual([0, 1]);
});

test("a queue whose place the feed does not have any more gets all that there is", async () => {
  await happened("one");
  stored = { ...(stored as WebhookEndpoint), feed: { item: 7, events: 0 } };
  await deliver(wakeUp);
  expect(queuedIds()).toEqual(["evt_one_1"]);
  expect(reports.filter(({ kind }) => kind === "feedLost")).toHaveLength(1);
});

test("an event that the vendor asks for goes to a queue by itself, and one that fails has the feed read again", async () => {
  const times = { attempts: 0, firstAt: now, notBefore: now };
  const again = {
    apiSet: vendor,
    endpointId: "queue",
    eventId: "evt_x",
    body: "{}",
    requestId: "r",
    ...times,
  };
  await deliver(again);
  expect(queued).toMatchObject([{ eventId: "evt_x", body: "{}", requestId: "r" }]);
  refusal = "busy";
  await deliver(again);
  expect(await happened("one")).toEqual([]);
  refusal = undefined;
  await run(now + hour);
  expect(queuedIds()).toEqual(expect.arrayContaining(["evt_x", "evt_one_1"]));
  expect(sent).toEqual([]);
});

test("a queue that was removed, and a wake-up of an address, do nothing", async () => {
  await happened("one");
  const { roleArn: _role, ...address } = stored as WebhookEndpoint;
  stored = address;
  expect(await deliver(wakeUp)).toEqual([]);
  stored = undefined;
  expect(await deliver(wakeUp)).toEqual([]);
  expect([queued, sent]).toEqual([[], []]);
});
