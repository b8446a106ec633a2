import type { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { verifyWebhook } from "@scorecard-pipeline/scorecards-client";
import { beforeEach, expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { chunks } from "../../../core/formats/chunks.ts";
import type { WebhookAttempt } from "../../../core/webhooks/attempt-table.ts";
import { createWebhookDelivery } from "../../../core/webhooks/deliver.ts";
import type { WebhookEndpoint } from "../../../core/webhooks/endpoint.ts";
import type { WebhookReport } from "../../../core/webhooks/endpoint-run.ts";
import type { FeedWriter } from "../../../core/webhooks/feed-table.ts";
import type { EventPostResult } from "../../../core/webhooks/post-event.ts";
import {
  type EndpointNotice,
  readWebhookMessage,
  sendWebhooks,
  type WebhookMessage,
} from "../../../core/webhooks/queue.ts";
import type { NoticeMail } from "../../../core/webhooks/tell-vendor.ts";
import { hour, second } from "../../durations.ts";
import { green, red } from "../memory/stored-card.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const taken: EventPostResult = { status: 204 };

let now: number;
let endpoints: Map<string, WebhookEndpoint>;
let sentHeaders: Readonly<Record<string, string>>;
let posted: { url: string; body: string; at: number }[];
/** By address, or by body; 204 to all others. */
let answers: Map<string, EventPostResult>;
let sent: (WebhookMessage & { readonly delaySeconds: number })[];
let reports: WebhookReport[];
/** The attempts of each run that were kept. */
let kept: (readonly WebhookAttempt[])[];
let tableFails: boolean;
let notices: EndpointNotice[];
let mails: NoticeMail[];
/** What was added to feeds. */
let fed: Parameters<FeedWriter["append"]>[];

beforeEach(() => {
  now = Date.UTC(2026, 6, 4, 12);
  endpoints = new Map();
  posted = [];
  answers = new Map();
  sent = [];
  reports = [];
  kept = [];
  tableFails = false;
  notices = [];
  mails = [];
  fed = [];
  remaining = 30 * second;
  whilePosting = () => undefined;
});

function endpoint(id: string, apiSet: ApiSet = green, given: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  const url = `https://${id}.example/hook`;
  const made: WebhookEndpoint = {
    ...{ apiSet, id, version: 1, url, types: ["scorecard.delivered"], secrets: [{ secret }], createdAt: now },
    ...given,
  };
  endpoints.set(`${apiSet} ${id}`, made);
  return made;
}
const stored = (id: string, apiSet: ApiSet = green) => endpoints.get(`${apiSet} ${id}`);

/** Milliseconds that a run has left. */
let remaining: number;

const handed = createWebhookDelivery({
  endpoints: {
    find: async (apiSet, id) => endpoints.get(`${apiSet} ${id}`),
    list: async (apiSet) => [...endpoints.values()].filter((one) => one.apiSet === apiSet),
    async update(read, change) {
      const key = `${read.apiSet} ${read.id}`;
      const latest = endpoints.get(key);
      if (latest?.version !== read.version) return undefined;
      const next = { ...latest, ...change, version: read.version + 1 };
      endpoints.set(key, next);
      return next;
    },
  },
  async keepAttempts(_apiSet, _endpointId, attempts) {
    kept.push(attempts);
    if (tableFails) throw new Error("The table does not answer.");
  },
  async post(url, headers, body) {
    posted.push({ url, body, at: now });
    sentHeaders = headers;
    await whilePosting(url);
    return answers.get(url) ?? answers.get(body) ?? taken;
  },
  sendToQueue: async () => {
    throw new Error("No endpoint of these tests is a queue.");
  },
  feed: { page: async () => undefined, append: async (...appended) => void fed.push(appended) },
  mail: async (mail) => void mails.push(mail),
  async send(some) {
    for (const message of some) {
      if ("notice" in message) notices.push(message);
      else if (!("isWakeUp" in message)) sent.push(message);
    }
  },
  now: () => now,
  random: () => 0,
  report: (report) => void reports.push(report),
});

const deliver = (messages: readonly { messageId: string; body: string }[]) =>
  handed(messages, () => remaining);

/** What happens while an event is being posted. */
let whilePosting: (url: string) => Promise<void> | void = () => undefined;

let messages = 0;
/** The queue's message of an event that happened now. */
function message(id: string, body = "{}", given: object = {}, apiSet: ApiSet = green) {
  const times = { attempts: 0, firstAt: now, notBefore: now };
  const event = { form: 1, apiSet, endpointId: id, eventId: `evt_${++messages}`, body, ...times, ...given };
  return { messageId: String(messages), body: JSON.stringify(event) };
}

/** Hands messages that were sent again over when they are due, until none is left or the time is over. */
async function run(until: number): Promise<void> {
  while (sent.length > 0 && now < until) {
    const [next] = sent.toSorted((one, other) => one.delaySeconds - other.delaySeconds);
    if (next === undefined) break;
    const { delaySeconds, ...event } = next;
    now += delaySeconds * second;
    sent = sent
      .filter((one) => one !== next)
      .map((one) => ({ ...one, delaySeconds: Math.max(0, one.delaySeconds - delaySeconds) }));
    await deliver([{ messageId: String(++messages), body: JSON.stringify({ form: 1, ...event }) }]);
  }
}

test("an event is posted to its endpoint, and one that is gone or disabled gets none", async () => {
  endpoint("one");
  endpoint("off", green, { disabled: { at: now, why: "by_vendor" } });
  expect(await deliver([message("one", "1"), message("off"), message("deleted")])).toEqual([]);
  expect(posted).toEqual([{ url: "https://one.example/hook", body: "1", at: now }]);
  expect(sent).toEqual([]);
});

test("events of a vendor whose account is disabled wait for weeks, and are posted once it is enabled, tests among them", async () => {
  endpoint("one", green, { withheldAt: now });
  await deliver([message("one", "1"), message("one", "2", { isTest: true })]);
  await run(now + 14 * 24 * 3600 * second);
  expect(posted).toEqual([]);
  expect(sent.map(({ body, attempts }) => `${body} ${attempts}`).sort()).toEqual(["1 0", "2 0"]);
  const { url } = endpoint("one");
  answers.set(url, { status: 503 });
  await run(now + 900 * second);
  expect(posted.map(({ body }) => body).sort()).toEqual(["1", "2"]);
  // An event's three days begin now: it is not given up by its first attempt.
  answers.delete(url);
  await run(now + 900 * second);
  expect(posted.map(({ body }) => body).sort()).toEqual(["1", "1", "2"]);
});

test("when an endpoint took its last event is stored, at most once a minute", async () => {
  endpoint("one");
  const begun = now;
  await deliver([message("one"), message("one")]);
  expect(stored("one")).toMatchObject({ lastTakenAt: begun, version: 3 });
  now += 59 * second;
  await deliver([message("one")]);
  expect(stored("one")).toMatchObject({ lastTakenAt: begun, version: 3 });
  now += second;
  await deliver([message("one")]);
  expect(stored("one")).toMatchObject({ lastTakenAt: now, version: 4 });
});

test("an endpoint that fails gets one post, and what else waits for it goes back to the queue", async () => {
  const { url } = endpoint("one");
  answers.set(url, { status: 500 });
  await deliver([message("one", "1"), message("one", "2"), message("one", "3")]);
  expect(posted).toHaveLength(1);
  expect(sent.map(({ body, attempts }) => `${body} ${attempts}`)).toEqual(["1 1", "2 0", "3 0"]);
  expect(sent.every(({ delaySeconds }) => delaySeconds > 0 && delaySeconds <= 900)).toBe(true);
  expect(stored("one")?.failing).toMatchObject({ failures: 1, status: 500, since: now });
});

test("what a run has no time for goes back to the queue at once, and is not lost", async () => {
  endpoint("one");
  remaining = 10 * second;
  expect(await deliver([message("one", "1"), message("one", "2")])).toEqual([]);
  expect(posted).toEqual([]);
  expect(sent).toMatchObject(["1", "2"].map((body) => ({ body, delaySeconds: 0, attempts: 0 })));
});

test("an endpoint that fails costs other endpoints nothing", async () => {
  const { url } = endpoint("slow");
  endpoint("good", red);
  answers.set(url, { message: "No answer within ten seconds." });
  await deliver([message("slow"), message("good", "{}", {}, red), message("slow")]);
  expect(posted.map((post) => post.url).sort()).toEqual(["https://good.example/hook", url]);
});

test("when an endpoint recovers, all that waited arrives, after a quarter of its outage at most", async () => {
  const { url } = endpoint("one");
  const begun = now;
  answers.set(url, { status: 503 });
  await deliver([message("one", "1")]);
  const waiting = message("one", "2");
  await run(begun + 2 * hour);
  await deliver([waiting]);
  const recovered = now;
  answers.delete(url);
  const before = posted.length;
  await run(begun + 24 * hour);
  const [first] = posted.slice(before);
  // A message waits up to a quarter of an hour in the queue.
  expect((first?.at ?? 0) - recovered).toBeLessThan((recovered - begun) / 4 + 900 * second);
  expect(new Set(posted.slice(before).map(({ body }) => body))).toEqual(new Set(["1", "2"]));
  expect(stored("one")?.failing).toBeUndefined();
  expect(sent).toEqual([]);
});

test("an endpoint that is gone is disabled at once, and one that has failed for three days then", async () => {
  answers.set(endpoint("gone").url, { status: 410 });
  await deliver([message("gone"), message("gone")]);
  expect(stored("gone")?.disabled).toEqual({ at: now, why: "gone" });
  expect(posted).toHaveLength(1);

  answers.set(endpoint("down").url, { status: 500 });
  const begun = now;
  await deliver([message("down")]);
  // Something happens every hour.
  for (let hours = 1; hours < 90; hours++) {
    await run(begun + hours * hour);
    now = Math.max(now, begun + hours * hour);
    await deliver([message("down")]);
  }
  const { disabled } = stored("down") ?? {};
  expect(disabled?.why).toBe("failed_for_days");
  expect((disabled?.at ?? 0) - begun).toBeGreaterThan(72 * hour);
  expect((disabled?.at ?? 0) - begun).toBeLessThan(75 * hour);
  expect(reports.filter(({ kind }) => kind === "disabled")).toHaveLength(2);
});

test("an event that an endpoint refuses by itself holds up others for seconds, and is given up in the end", async () => {
  endpoint("one");
  answers.set("poison", { status: 500 });
  await deliver([message("one", "poison"), message("one", "good")]);
  expect(sent.find(({ body }) => body === "good")?.delaySeconds).toBeLessThanOrEqual(5);
  now += 5 * second;
  await deliver([message("one", "good")]);
  expect(posted.map(({ body }) => body)).toEqual(["poison", "good"]);
  expect(stored("one")?.failing).toBeUndefined();
  await deliver([message("one", "poison", { attempts: 9, firstAt: now - 80 * hour })]);
  expect(reports.map(({ kind }) => kind)).toContain("givenUp");
});

test("an endpoint that refuses one event for good, and gets no other, is neither disabled for it nor failing for ever", async () => {
  endpoint("one");
  answers.set("poison", { status: 500 });
  const begun = now;
  await deliver([message("one", "poison")]);
  await run(begun + 200 * hour);
  expect(sent).toEqual([]);
  expect(reports.map(({ kind }) => kind)).toContain("givenUp");
  expect(posted.length).toBeLessThanOrEqual(10);
  expect(now - begun).toBeGreaterThan(72 * hour);
  expect(stored("one")).toMatchObject({ failing: undefined });
  expect(stored("one")?.disabled).toBeUndefined();
  // Two events that it refuses are an endpoint that fails.
  answers.set("other", { status: 500 });
  await deliver([message("one", "poison"), message("one", "other")]);
  await run(now + 200 * hour);
  expect(stored("one")?.disabled?.why).toBe("failed_for_days");
});

test("an endpoint that asks to be left alone is", async () => {
  answers.set(endpoint("one").url, { status: 429, retryAfterSeconds: 120 });
  await deliver([message("one")]);
  expect(sent[0]?.notBefore).toBeGreaterThanOrEqual(now + 120 * second);
});

test("of two runs only one tries an endpoint that fails", async () => {
  const failing = { since: now - hour, failures: 9, nextAttemptAt: now, message: "down" };
  const { url } = endpoint("one", green, { failing });
  answers.set(url, { status: 500 });
  await Promise.all([deliver([message("one")]), deliver([message("one")])]);
  expect(posted).toHaveLength(1);
  expect(sent).toHaveLength(2);
});

test("a message that is none comes back, and does not keep others from being posted", async () => {
  endpoint("one");
  const failed = await deliver([{ messageId: "x", body: "no JSON" }, message("one")]);
  expect(failed).toEqual(["x"]);
  expect(posted).toHaveLength(1);
  expect(readWebhookMessage('{"form":2}')).toBeUndefined();
});

test("thousands of events that wait for an endpoint that fails share messages, and each is posted once it works", async () => {
  endpoint("one", green, {
    failing: { since: now - hour, failures: 9, nextAttemptAt: now + hour, message: "down" },
  });
  let queue = Array.from({ length: 2_000 }, (_, place) => message("one", `event-${place}`));
  const client = {
    send: async ({ input }: SendMessageBatchCommand) => {
      for (const { MessageBody = "", DelaySeconds } of input.Entries ?? []) {
        expect([DelaySeconds, MessageBody.length <= 65_536]).toEqual([900, true]);
        queue.push({ messageId: String(queue.length), body: MessageBody });
      }
      return {};
    },
  } as unknown as SQSClient;
  for (let times = 0; times < 4; times++) {
    const received = chunks(queue, 10);
    queue = [];
    for (const batch of received) {
      sent = [];
      await deliver(batch);
      await sendWebhooks(client, "queue", sent);
    }
  }
  expect(queue.length).toBeLessThan(20);
  endpoint("one", green, { lastMilliseconds: 1, lastTakenAt: now });
  for (const batch of chunks(queue, 10)) await deliver(batch);
  expect(new Set(posted.map(({ body }) => body)).size).toBe(2_000);
  expect(posted).toHaveLength(2_000);
});

test("five slow endpoints of one vendor hold five runs, however many events wait, and another vendor's event is posted meanwhile", async () => {
  const slow = Array.from({ length: 5 }, (_, place) => endpoint(`slow-${place}`).url);
  endpoint("other", red);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const open = new Map<string, number>();
  let most = 0;
  whilePosting = async (url) => {
    if (!slow.includes(url)) return;
    open.set(url, (open.get(url) ?? 0) + 1);
    most = Math.max(most, ...open.values());
    await answered;
    now += 9 * second;
    open.set(url, (open.get(url) ?? 0) - 1);
  };
  const held = Array.from({ length: 30 }, (_, run) =>
    deliver(Array.from({ length: 5 }, (_, place) => message(`slow-${place}`, `${run}`))),
  );
  // All runs but the five that post have ended, and their events wait in the queue.
  await expect.poll(() => sent.length).toBe(145);
  expect(sent.every(({ delaySeconds }) => delaySeconds === 1)).toBe(true);
  await deliver([message("other", "other", {}, red)]);
  expect(posted.at(-1)?.body).toBe("other");
  expect([posted.length, most]).toEqual([6, 1]);
  answer();
  await Promise.all(held);
  expect(slow.every((_, place) => (stored(`slow-${place}`)?.lastMilliseconds ?? 0) >= 9 * second)).toBe(true);
  whilePosting = () => undefined;
  await run(now + hour);
  expect(new Set(posted.map(({ url, body }) => `${url} ${body}`)).size).toBe(151);
});

test("an endpoint that was quick gets several events at the same time, and one that turned slow does not", async () => {
  const { url } = endpoint("one");
  await deliver([message("one", "first")]);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  whilePosting = async () => {
    await answered;
    now += 2 * second;
  };
  const both = [deliver([message("one", "second")]), deliver([message("one", "third")])];
  await expect.poll(() => posted.length).toBe(3);
  answer();
  await Promise.all(both);
  expect([posted.every((one) => one.url === url), sent]).toEqual([true, []]);
  const { promise: again, resolve: answerAgain } = Promise.withResolvers<void>();
  whilePosting = () => again;
  const alone = deliver([message("one", "fourth")]);
  await expect.poll(() => posted.length).toBe(4);
  await deliver([message("one", "fifth")]);
  expect([posted.length, sent.map(({ body }) => body)]).toEqual([4, ["fifth"]]);
  answerAgain();
  await alone;
});

test("a run that claimed a slow endpoint and died delays it by a quarter of a minute", async () => {
  endpoint("one", green, { busyUntil: now + 15 * second });
  await deliver([message("one", "1")]);
  expect([posted.length, sent[0]?.delaySeconds]).toEqual([0, 1]);
  const died = now;
  await run(now + hour);
  expect(posted).toMatchObject([{ body: "1", at: died + 15 * second }]);
});

test.each([
  ["new", {}],
  ["failing", { failing: { since: 0, failures: 1, nextAttemptAt: 0, message: "" } }],
])(
  "the next event of an endpoint that is %s waits for nothing if its vendor changes it during a post",
  async (_, given) => {
    endpoint("one", green, given);
    whilePosting = () => {
      const read = stored("one");
      if (read) endpoints.set(`${green} one`, { ...read, version: read.version + 1, types: [] });
      whilePosting = () => undefined;
    };
    await deliver([message("one", "1")]);
    await deliver([message("one", "2")]);
    expect([posted.map(({ body }) => body), sent, stored("one")?.types]).toEqual([["1", "2"], [], []]);
  },
);

test("how quickly an address took an event is not held for the address that its vendor has given meanwhile", async () => {
  endpoint("one");
  whilePosting = () => {
    const read = stored("one");
    const url = "https://other.example/hook";
    if (read) endpoints.set(`${green} one`, { ...read, version: read.version + 1, url });
  };
  await deliver([message("one", "1")]);
  expect(stored("one")).toMatchObject({ url: "https://other.example/hook", busyUntil: undefined });
  expect(stored("one")).not.toHaveProperty("lastMilliseconds");
});

test("a run's posts at an endpoint are kept together, with status, time and duration, whether it took them or not", async () => {
  const { url } = endpoint("one", green, { lastTakenAt: now, lastMilliseconds: 10 });
  whilePosting = () => {
    now += 120;
  };
  answers.set("2", { status: 503 });
  await deliver([message("one", "1"), message("one", "2"), message("one", "3")]);
  expect(kept).toEqual([
    [
      { at: now - 240, milliseconds: 120, eventId: expect.any(String), body: "1", status: 204 },
      {
        ...{ at: now - 120, milliseconds: 120, eventId: expect.any(String), body: "2", status: 503 },
        message: "The endpoint answered 503.",
      },
    ],
  ]);
  expect(posted.map((post) => post.url)).toEqual([url, url]);
});

test("once an endpoint takes an event after an outage, those that it refused come within a quarter of an hour, too", async () => {
  const { url } = endpoint("one");
  answers.set(url, { status: 500 });
  const names = ["1", "2", "3", "4", "5"];
  for (const name of names) await deliver([message("one", name)]);
  await deliver([message("one", "refused before", { attempts: 7 })]);
  names.push("refused before");
  await run(now + 5 * hour);
  expect(new Set(posted.map(({ body }) => body))).toEqual(new Set(names));
  // The outage is counted once at most against each of them.
  expect(sent.filter(({ attempts }) => attempts > 1)).toMatchObject([
    { body: "refused before", attempts: 7 },
  ]);
  answers.delete(url);
  posted = [];
  await run(now + hour);
  expect(posted.map(({ body }) => body).sort()).toEqual(names);
  const [first = Number.NaN, ...others] = posted.map(({ at }) => at);
  expect(Math.max(...others) - first).toBeLessThanOrEqual(hour / 4);
});

test("an event that is never taken leaves attempts at a failing endpoint to others", async () => {
  endpoint("one");
  answers.set("poison", { status: 500 });
  await deliver([message("one", "poison")]);
  await run(now + 10 * hour);
  expect(posted.length).toBeLessThan(10);
  now = (stored("one")?.failing?.nextAttemptAt ?? now) + second;
  await deliver([message("one", "good")]);
  expect([posted.at(-1)?.body, stored("one")?.failing]).toEqual(["good", undefined]);
});

test("attempts that cannot be stored are reported, and no event is posted again for that", async () => {
  endpoint("one");
  tableFails = true;
  expect(await deliver([message("one")])).toEqual([]);
  expect(reports.map(({ kind }) => kind)).toEqual(["posted", "notNoted"]);
  expect(sent).toEqual([]);
});

test("a failing endpoint's next attempt is told as the first event that waits for it is posted", async () => {
  const { url } = endpoint("one");
  answers.set(url, { status: 500 });
  await deliver([message("one", "1")]);
  for (let attempt = 0; attempt < 5; attempt++) {
    const told = stored("one")?.failing?.dueAt ?? 0;
    const before = posted.length;
    while (posted.length === before) await run(now + 1);
    expect(posted.at(-1)?.at).toBeGreaterThanOrEqual(told);
    expect((posted.at(-1)?.at ?? 0) - told).toBeLessThanOrEqual(second);
  }
});

test("an event that comes while an endpoint fails brings its next attempt forward, and that is told", async () => {
  const { url } = endpoint("one", green, {
    failing: {
      ...{ since: now - hour, failures: 4, nextAttemptAt: now + 5 * second, dueAt: now + hour },
      ...{ status: 500, message: "The endpoint answered 500." },
    },
  });
  answers.set(url, { status: 500 });
  await deliver([message("one")]);
  expect(posted).toEqual([]);
  expect(stored("one")?.failing?.dueAt).toBe(now + 5 * second);
});

test.each([
  ["fails", { failing: { since: 0, failures: 9, nextAttemptAt: Number.MAX_SAFE_INTEGER, message: "no" } }],
  ["is disabled", { disabled: { at: 0, why: "gone" } }],
  ["is busy", { busyUntil: Number.MAX_SAFE_INTEGER }],
] as const)("a test event is posted at once to an endpoint that %s, and only once", async (_, given) => {
  const { url } = endpoint("one", green, { ...given, testedUntil: now + 15 * second });
  answers.set(url, { status: 500 });
  await deliver([message("one", "test", { isTest: true })]);
  expect([posted.length, sent]).toEqual([1, []]);
  expect(kept.flat()).toMatchObject([{ body: "test", status: 500 }]);
  expect(stored("one")).toMatchObject({ ...given, testedUntil: undefined });
  answers.clear();
  await deliver([message("one", "test", { isTest: true })]);
  expect(stored("one")).toMatchObject({ failing: undefined, lastTakenAt: now });
});

test("a forged test event has no signature of the endpoint, and proves nothing of it even if it is taken", async () => {
  const failing = { since: 0, failures: 9, nextAttemptAt: Number.MAX_SAFE_INTEGER, message: "no" };
  const { secrets } = endpoint("one", green, { failing });
  await deliver([message("one", "test", { isTest: true, isForged: true })]);
  const request = { headers: sentHeaders, body: "test", secret: secrets.map(({ secret }) => secret), now };
  await expect(verifyWebhook(request)).rejects.toThrow("No signature");
  expect([kept.flat(), stored("one")?.failing]).toMatchObject([[{ status: 204 }], failing]);
});

test("a vendor's own headers are sent with its events, and cannot replace ours", async () => {
  endpoint("one", green, { headers: { "X-Api-Key": "k", "User-Agent": "other", "webhook-id": "other" } });
  await deliver([message("one")]);
  expect(sentHeaders).toMatchObject({
    "X-Api-Key": "k",
    "User-Agent": "scorecards-webhooks/1",
    "webhook-id": expect.stringMatching(/^evt_/),
  });
});

/** Hands the notices over that were queued. */
async function handOverNotices(): Promise<string[]> {
  const queued = notices.splice(0);
  return await deliver(
    queued.map((notice) => ({ messageId: String(++messages), body: JSON.stringify({ form: 1, ...notice }) })),
  );
}

test("a vendor is told once of an endpoint that has failed for an hour, and once when it works again", async () => {
  const { url } = endpoint("one", green, { types: ["scorecard.delivered", "endpoint.failing"] });
  endpoint("two", green, { types: ["endpoint.failing", "endpoint.recovered"] });
  endpoint("foreign", red, { types: ["endpoint.failing"] });
  answers.set(url, { status: 500 });
  const since = new Date(now).toISOString();
  await deliver([message("one")]);
  await run(now + 50 * 60 * second);
  expect(notices).toEqual([]);
  await run(now + 12 * hour);
  expect(notices).toHaveLength(1);
  expect(await handOverNotices()).toEqual([]);
  const told = {
    id: "one",
    since,
    failures: expect.any(Number),
    status: 500,
    message: "The endpoint answered 500.",
  };
  const event = { type: "endpoint.failing", data: { apiSet: green, endpoint: told } };
  expect(fed).toMatchObject([[green, "one endpoint.failing", [{ event }]]]);
  expect(mails).toEqual([
    {
      apiSet: green,
      subject: `Webhook endpoint fails: ${green}`,
      text: expect.stringContaining("answered 500"),
    },
  ]);
  // Its address may have a credential.
  expect(JSON.stringify([mails, fed])).not.toContain(url);
  const toldTo = sent.filter(({ body }) => body.includes("endpoint.failing"));
  expect(toldTo.map(({ endpointId, body }) => [endpointId, JSON.parse(body).type])).toEqual([
    ["two", "endpoint.failing"],
  ]);
  sent = sent.filter(({ endpointId }) => endpointId === "one");
  answers.delete(url);
  await run(now + 24 * hour);
  expect(notices.map(({ notice }) => notice.type)).toEqual(["endpoint.recovered"]);
  await handOverNotices();
  expect(mails.at(-1)?.subject).toBe(`Webhook endpoint works again: ${green}`);
});
