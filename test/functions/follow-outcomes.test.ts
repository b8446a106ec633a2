import { Metrics } from "@aws-lambda-powertools/metrics";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Context } from "aws-lambda";
import { beforeEach, expect, test, vi } from "vitest";
import type { ApiSet } from "../../core/accounts/account.ts";
import type { Item } from "../../core/aws/batch.ts";
import { packText } from "../../core/aws/packed-json.ts";
import { activityReader } from "../../core/views/activity-table.ts";
import { beginningOfFeed } from "../../core/webhooks/endpoint.ts";
import { feedReader } from "../../core/webhooks/feed-table.ts";
import { provideEngine, tables } from "../core/aws/engine.ts";

vi.stubEnv("ACTIVITY_TABLE", "activity");
vi.stubEnv("WEBHOOK_TABLE", "webhooks");
vi.stubEnv("WEBHOOK_QUEUE_URL", "https://queue.example/webhooks");
vi.stubEnv("ACTIVITY_RETENTION_DAYS", "400");
vi.stubEnv("TIME_ZONE", "Europe/Copenhagen");
/** A table of activity on this machine. Requests for the other table are not answered. */
const engine = await provideEngine(tables.activity);
const send = DynamoDBClient.prototype.send as (this: DynamoDBClient, command: unknown) => Promise<unknown>;
/** Writes and reads of activity. */
const requests: { readonly name: string; readonly text: string }[] = [];
/** Whether DynamoDB refuses a request. */
let refuses: (text: string, name: string) => boolean | Promise<boolean> = () => false;
vi.spyOn(DynamoDBClient.prototype, "send").mockImplementation(async (command: unknown) => {
  const { name } = (command as object).constructor;
  const text = JSON.stringify((command as { input: object }).input);
  if (text.includes('"webhooks"')) return {};
  requests.push({ name, text });
  if (await refuses(text, name)) throw new Error("throttled");
  return send.call(engine.client, command);
});
const measured = vi.spyOn(Metrics.prototype, "addMetric");
const { handler } = await import("../../functions/follow-outcomes/handler.ts");
const reader = activityReader("activity", engine.client);

let places = 0;
beforeEach(() => {
  refuses = () => false;
  requests.length = 0;
  vi.useRealTimers();
});

/** When the cards were accepted and delivered. */
const at = Date.UTC(2026, 5, 1);

/** A card's item in the table. */
const item = (given: Item = {}): Item => ({
  id: { S: "green#417" },
  version: { N: "1" },
  state: { S: "delivered" },
  since: { N: String(at) },
  attempts: { N: "1" },
  content: { B: packText('{"Player":{"FullName":"Karen Player"}}') },
  ...given,
});

/** An item as the table's stream has it: binary values as Base64. */
const streamed = (item: Item) =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value.B === undefined ? value : { B: Buffer.from(value.B).toString("base64") },
    ]),
  );

/** A change of an item: what it is now, and what it was, if it was there. */
type Change = readonly [now: Item, before?: Item];

const context = { getRemainingTimeInMillis: () => 30_000 } as Context;

/** A run of a shard; each change has a position of its own in the stream. */
const run = async (
  shardId: string,
  changes: readonly Change[],
  { state, isLast = false }: { readonly state?: object | undefined; readonly isLast?: boolean } = {},
) => {
  const Records = changes.map(([now, before]) => ({
    dynamodb: {
      SequenceNumber: String(++places),
      NewImage: streamed(now),
      ...(before !== undefined && { OldImage: streamed(before) }),
    },
  }));
  const event = { shardId, Records, ...(state && { state }), isFinalInvokeForWindow: isLast };
  const response = (await handler(event, context)) as {
    readonly state: { readonly late?: readonly object[] };
  };
  // No record is ever handed back.
  expect(Object.keys(response)).toEqual(["state"]);
  return JSON.parse(JSON.stringify(response.state)) as typeof response.state;
};

/** A vendor and a shard of a test's own. */
const own = () => ({ apiSet: `vendor${++places}` as ApiSet, shardId: `shardId-${places}` });
const accepted = (apiSet: ApiSet, id: string): Change => [
  item({ id: { S: `${apiSet}#${id}` }, state: { S: "queued" }, acceptedAt: { N: String(at) } }),
];
const totals = async (apiSet: ApiSet) => {
  const hours = await reader.hours(apiSet, at - 86_400_000, at + 86_400_000);
  return hours.reduce((sum, { counts }) => sum + (counts.accepted ?? 0), 0);
};
const listed = async (apiSet: ApiSet) => {
  const { externalIds } = await reader.cards(apiSet, { from: "2026-05-31", to: "2026-06-02" }, 100);
  return externalIds;
};
const throttle = (apiSet: ApiSet) => {
  refuses = (text) => text.includes(`"apiSet":{"S":"${apiSet}"}`);
};
/** Past the pause of work that failed. */
const later = (milliseconds = 120_000) =>
  vi.useFakeTimers({ now: Date.now() + milliseconds, toFake: ["Date"] });

test("a run of the most changes writes lists that fit an item, however long its ExternalIDs are, and counts each card", async () => {
  const { apiSet, shardId } = own();
  const long = (place: number) => `${place}-${"ø".repeat(500)}`;
  const changes = Array.from({ length: 1_000 }, (_, place) => accepted(apiSet, long(place)));
  expect(await run(shardId, changes)).toMatchObject({ late: [] });
  const [first, ...others] = await listed(apiSet);
  expect([first, others.length, await totals(apiSet)]).toEqual([long(0), 99, 1_000]);
});

test("the end of a tumbling window in which nothing failed writes nothing", async () => {
  const { shardId } = own();
  expect(await run(shardId, [], { state: { late: [] }, isLast: true })).toEqual({});
  expect(requests).toEqual([]);
});

test("only the first run of a window reads what the one before has left", async () => {
  const { shardId } = own();
  const state = await run(shardId, []);
  expect(requests.map(({ name }) => name)).toEqual(["QueryCommand"]);
  await run(shardId, [], { state });
  expect(requests).toHaveLength(1);
});

test("a vendor that is throttled over the end of a window has each change counted and listed once, in the end", async () => {
  const { apiSet, shardId } = own();
  const other = own().apiSet;
  throttle(apiSet);
  let state = await run(shardId, [accepted(apiSet, "1"), accepted(other, "1")]);
  expect(await run(shardId, [accepted(apiSet, "2")], { state, isLast: true })).toEqual({});
  later();
  state = await run(shardId, [accepted(apiSet, "3"), accepted(other, "2")]);
  expect([await totals(other), await totals(apiSet)]).toEqual([2, 0]);
  await run(shardId, [], { state, isLast: true });
  refuses = () => false;
  later();
  state = await run(shardId, [accepted(apiSet, "4")]);
  expect([await totals(apiSet), await listed(apiSet)]).toEqual([4, ["1", "2", "3", "4"]]);
  await run(shardId, [], { state, isLast: true });
  requests.length = 0;
  expect((await run(shardId, [])).late).toEqual([]);
  expect(requests.map(({ name }) => name)).toEqual(["QueryCommand"]);
});

test("runs that die before their response, at whichever request, lose no change and count none twice", async () => {
  for (let dies = 1; dies <= 12; dies++) {
    const { apiSet, shardId } = own();
    throttle(apiSet);
    const first = await run(shardId, [accepted(apiSet, "1")]);
    /** As Lambda does it: a run that fails is repeated with the same event. From some request on nothing answers. */
    const untilItSucceeds = async (isFixed: boolean, options: Parameters<typeof run>[2]) => {
      let left = dies;
      refuses = (text) => {
        if (left-- <= 1) return true;
        return !isFixed && text.includes(`"apiSet":{"S":"${apiSet}"}`);
      };
      const before = places;
      const changes = [accepted(apiSet, isFixed ? "3" : "2")];
      await run(shardId, changes, options).catch(() => undefined);
      places = before;
      if (isFixed) refuses = () => false;
      else throttle(apiSet);
      return run(shardId, changes, options);
    };
    await untilItSucceeds(false, { state: first, isLast: true });
    later();
    const state = await untilItSucceeds(true, {});
    later();
    await run(shardId, [accepted(apiSet, "4")], { state, isLast: true });
    expect([dies, await totals(apiSet), await listed(apiSet)]).toEqual([dies, 4, ["1", "2", "3", "4"]]);
  }
});

const feedOf = async (apiSet: ApiSet) => {
  const page = await feedReader("activity", engine.client, Date.now).page(apiSet, beginningOfFeed, 100);
  return page?.events.map(({ type, data }) => `${data.cards?.[0]?.version} ${type.split(".")[1]}`);
};
/** A change of a vendor's card to an outcome. */
const outcomeOf = (apiSet: ApiSet, version: number, state = "delivered"): Change => [
  item({ id: { S: `${apiSet}#417` }, version: { N: String(version) }, state: { S: state } }),
];

test("outcomes are in the vendor's feed in the order of the changes, whatever their types", async () => {
  const { apiSet, shardId } = own();
  const states = ["undelivered", "delivered", "undelivered", "withdrawn"];
  await run(
    shardId,
    states.map((state, place) => outcomeOf(apiSet, place + 1, state)),
  );
  expect(await feedOf(apiSet)).toEqual(["1 undelivered", "2 delivered", "3 undelivered", "4 withdrawn"]);
});

test("events that the table refused are in the feed later, once each, and before those that came after them", async () => {
  const { apiSet, shardId } = own();
  refuses = (text) => text.includes(`${apiSet}#feed`);
  let state = await run(shardId, [outcomeOf(apiSet, 1)]);
  state = await run(shardId, [outcomeOf(apiSet, 2)], { state });
  await run(shardId, [], { state, isLast: true });
  refuses = () => false;
  later();
  state = await run(shardId, [outcomeOf(apiSet, 3)]);
  await run(shardId, [outcomeOf(apiSet, 4)], { state });
  expect(await feedOf(apiSet)).toEqual([1, 2, 3, 4].map((version) => `${version} delivered`));
});

test("a run that is repeated adds nothing to the feed twice", async () => {
  const { apiSet, shardId } = own();
  const before = places;
  await run(shardId, [outcomeOf(apiSet, 1), outcomeOf(apiSet, 2)]);
  places = before;
  await run(shardId, [outcomeOf(apiSet, 1)]);
  await run(shardId, [outcomeOf(apiSet, 2), outcomeOf(apiSet, 3)]);
  expect(await feedOf(apiSet)).toEqual([1, 2, 3].map((version) => `${version} delivered`));
});

test("events of a shard's successor wait until those are in the feed that the older shard has left", async () => {
  const { apiSet, shardId } = own();
  const other = own().apiSet;
  const [older, successor] = [`${shardId}-a`, `${shardId}-b`];
  refuses = (text) => text.includes(`${apiSet}#feed`);
  const left = await run(older, [outcomeOf(apiSet, 1)]);
  await run(older, [], { state: left, isLast: true });
  refuses = () => false;
  let state = await run(successor, [outcomeOf(apiSet, 2), outcomeOf(other, 1)]);
  later();
  state = await run(successor, [], { state });
  expect([await feedOf(apiSet), await feedOf(other)]).toEqual([[], ["1 delivered"]]);
  await run(successor, [], { state, isLast: true });
  later(21 * 60_000);
  // Both have left work: the schedule does the older one's first.
  await handler({ resume: true }, context);
  later(61_000);
  await run(successor, [outcomeOf(apiSet, 3)]);
  expect(await feedOf(apiSet)).toEqual([1, 2, 3].map((version) => `${version} delivered`));
});

test("a schedule does what a shard without further runs has left, and leaves what a shard with runs has", async () => {
  const { apiSet, shardId } = own();
  throttle(apiSet);
  const state = await run(shardId, [accepted(apiSet, "1")]);
  await run(shardId, [], { state, isLast: true });
  refuses = () => false;
  later(19 * 60_000);
  await handler({ resume: true }, context);
  expect(await totals(apiSet)).toBe(0);
  later(2 * 60_000);
  measured.mockClear();
  await handler({ resume: true }, context);
  const ages = measured.mock.calls.map(([name, , age]) => [name, Math.round(age / 60)]);
  expect(ages).toContainEqual(["OutcomesLateAge", 21]);
  expect([await totals(apiSet), await listed(apiSet)]).toEqual([1, ["1"]]);
  requests.length = 0;
  await handler({ resume: true }, context);
  expect(requests.filter(({ text }) => text.includes(apiSet))).toEqual([]);
});

test("a schedule that is at the work of a shard which begins again removes nothing that the shard has added", async () => {
  const { apiSet, shardId } = own();
  throttle(apiSet);
  let state = await run(shardId, [accepted(apiSet, "1")]);
  await run(shardId, [], { state, isLast: true });
  later(21 * 60_000);
  let hasBegun = false;
  refuses = async (text, name) => {
    if (hasBegun || name !== "QueryCommand" || !/late:\w/.test(text)) return false;
    hasBegun = true;
    // The schedule's run has read the lists. Now the shard has another change, which fails, and its window ends.
    throttle(apiSet);
    state = await run(shardId, [accepted(apiSet, "2")]);
    await run(shardId, [], { state, isLast: true });
    return false;
  };
  await handler({ resume: true }, context);
  expect(hasBegun).toBe(true);
  refuses = () => false;
  later();
  await run(shardId, []);
  expect([await totals(apiSet), await listed(apiSet)]).toEqual([2, ["1", "2"]]);
});
