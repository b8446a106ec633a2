import { expect, test } from "vitest";
import type { Breaker } from "../../../core/cards/delivery/breaker.ts";
import type { HourCounts } from "../../../core/views/activity-table.ts";
import { type EventType, eventTypes, type WebhookEndpoint } from "../../../core/webhooks/endpoint.ts";
import type { FeedEntry } from "../../../core/webhooks/event.ts";
import type { FeedWakeUp, WebhookMessage } from "../../../core/webhooks/queue.ts";
import { sendUnsentNotice } from "../../../core/webhooks/tell-vendor.ts";
import { green } from "../memory/stored-card.ts";

/** An hour before midnight in Copenhagen. */
const now = Date.UTC(2026, 6, 4, 21);
const endpoint = (id: string, more: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  apiSet: green,
  id,
  version: 1,
  url: "https://scores.example/webhooks",
  types: eventTypes,
  secrets: [],
  createdAt: now,
  ...more,
});
const hours: HourCounts[] = [
  { hour: Date.UTC(2026, 6, 3, 21), counts: { accepted: 9, waiting: 2 } },
  { hour: Date.UTC(2026, 6, 3, 22), counts: { accepted: 4, waiting: 3 } },
  { hour: Date.UTC(2026, 6, 4, 18), counts: { accepted: 40, delivered: 40 } },
  { hour: Date.UTC(2026, 6, 4, 20), counts: { accepted: 12, waiting: 12 } },
];

/** Sends the notice of a vendor with these counts and endpoints. */
async function noticed(
  counted: readonly HourCounts[],
  endpoints: readonly WebhookEndpoint[],
  breaker: Breaker = { version: 0 },
  timeZone = "Europe/Copenhagen",
) {
  const sent: WebhookMessage[] = [];
  const woken: FeedWakeUp[] = [];
  const fed: FeedEntry[] = [];
  const cards = await sendUnsentNotice(green, now, {
    activity: { hours: async () => [...counted] },
    table: { readWithBreaker: async () => ({ breaker, cards: [] }) },
    endpoints: { list: async () => [...endpoints] },
    async send(messages) {
      for (const message of messages) {
        if ("isWakeUp" in message) woken.push(message);
        else if ("body" in message) sent.push(message);
      }
    },
    feed: { append: async (_apiSet, _source, entries) => void fed.push(...entries) },
    timeZone,
  });
  return { cards, sent, woken, fed, events: sent.map(({ body }) => JSON.parse(body)) };
}

test("shortly before midnight a vendor's endpoints are told how many cards wait, and how many of them are of the day", async () => {
  const { cards, sent, fed, events } = await noticed(hours, [endpoint("one"), endpoint("two")]);
  expect(cards).toBe(17);
  const since = "2026-07-03T21:00:00.000Z";
  const unsent = { day: "2026-07-04", cards: 17, since, acceptedToday: 15 };
  const event = {
    type: "scorecards.unsent",
    timestamp: "2026-07-04T21:00:00.000Z",
    data: { apiSet: green, unsent },
  };
  expect(events).toEqual([event, event]);
  expect(fed).toMatchObject([{ sequenceNumber: "20260704", event }]);
  expect(sent.map(({ endpointId }) => endpointId)).toEqual(["one", "two"]);
});

test("the day of the notice is that of the union's time zone", async () => {
  const { events } = await noticed(hours, [endpoint("one")], { version: 0 }, "UTC");
  expect(events[0].data.unsent).toMatchObject({ day: "2026-07-04", cards: 17, acceptedToday: 12 });
});

test("the notice says why nothing is delivered, and is the same event if it is sent again", async () => {
  const failure = { phase: "after", status: 503, message: "busy" } as const;
  const breaker = { version: 1, open: { since: now - 60_000, failure, nextProbeAt: now + 60_000 } };
  const { events, sent } = await noticed(hours, [endpoint("one")], breaker);
  const again = await noticed(hours.slice(1), [endpoint("one")], breaker);
  expect(events[0].data.paused).toMatchObject({
    since: "2026-07-04T20:59:00.000Z",
    lastError: { status: 503 },
  });
  expect(again.sent[0]?.eventId).toBe(sent[0]?.eventId);
});

test.each<[string, readonly HourCounts[], Partial<WebhookEndpoint>]>([
  ["no card waits", [{ hour: now, counts: { accepted: 3, waiting: 0 } }], {}],
  ["its endpoint does not want it", hours, { types: ["scorecard.delivered"] as readonly EventType[] }],
  ["its endpoint is disabled", hours, { disabled: { at: now, why: "by_vendor" } }],
])("a vendor gets no notice if %s", async (_, counted, more) => {
  expect((await noticed(counted, [endpoint("one", more)])).sent).toEqual([]);
});

test("a vendor's queue gets the notice from the feed, which it is told to read", async () => {
  const roleArn = "arn:aws:iam::123456789012:role/scorecard-events";
  const { sent, woken, fed } = await noticed(hours, [endpoint("queue", { roleArn })]);
  expect([sent, fed.length]).toEqual([[], 1]);
  expect(woken).toMatchObject([{ apiSet: green, endpointId: "queue" }]);
});
