import type { DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { type CardUpdate, happenings } from "../../../core/cards/life/happened.ts";
import { added, type Counts, type ListedCount, sumOfRefusals } from "../../../core/views/activity-counts.ts";
import {
  activityReader,
  activityWriter,
  type ListPlace,
  refusalCounter,
} from "../../../core/views/activity-table.ts";
import { hourSteps } from "../../../core/views/hours.ts";
import { listedCards } from "../../../core/views/listed-cards.ts";
import { hour } from "../../durations.ts";
import { proofSize } from "../../proofs/proof-seed.ts";
import { provideEngine, tables } from "../aws/engine.ts";
import { green, red, start, storedCard } from "../memory/stored-card.ts";

const { TableName } = tables.activity;
const hourOf = (instant: number) => instant - (instant % hour);
const day = "2026-06-01";
const days = { from: day, to: day };

const engine = await provideEngine(tables.activity);
const writer = activityWriter(TableName, engine.client, 400);
const reader = activityReader(TableName, engine.client);

/** The sum of a vendor's hours. */
async function totals(apiSet: ApiSet): Promise<Counts> {
  const hours = await reader.hours(apiSet, start - 48 * hour, start + 48 * hour);
  return hours.reduce<Counts>((sum, { counts }) => added(sum, counts), {});
}

/** All cards of a vendor's day, page by page. */
async function listed(apiSet: ApiSet, limit = 7, counted?: ListedCount): Promise<string[]> {
  const found: string[] = [];
  for (let after: ListPlace | undefined; ; ) {
    const { externalIds, next } = await reader.cards(apiSet, { ...days, counted }, limit, after);
    expect(externalIds.length).toBeLessThanOrEqual(limit);
    found.push(...externalIds);
    if (next === undefined) return found;
    after = next;
  }
}

let vendors = 0;
const newVendor = () => `vendor-${++vendors}` as ApiSet;

/** New cards of two vendors and their deliveries, in the order in which a shard has them. */
function shardOf(names: readonly string[], of: readonly ApiSet[]): CardUpdate[] {
  const cards = names.map(
    (name, index): StoredCard => ({ ...storedCard(name), apiSet: of[index % of.length] ?? green }),
  );
  const updates = cards.flatMap((card): Omit<CardUpdate, "sequenceNumber">[] => [
    { card, before: undefined },
    { card: { ...card, state: "delivered", since: start + hour }, before: card },
  ]);
  return updates.map((update, index) => ({ ...update, sequenceNumber: String(999_990 + index) }));
}

/** How an invocation with a batch ends. */
type End = "taken" | "answer lost" | "died before counting" | "refused in the middle";
const ends: readonly End[] = ["taken", "answer lost", "died before counting", "refused in the middle"];
const batches = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom(...ends)), {
  minLength: 4,
  maxLength: 30,
});

/** Hands a shard over in batches as Lambda does: one that was not taken comes again, with others or fewer after it. */
async function follow(shardId: string, updates: readonly CardUpdate[], plan: readonly [number, End][]) {
  let position = 0;
  for (let attempt = 0; position < updates.length; attempt++) {
    const [size, end] = attempt < plan.length ? (plan[attempt] ?? [9, "taken"]) : ([9, "taken"] as const);
    const batch = updates.slice(position, position + size);
    const followed = happenings(
      end === "refused in the middle" ? batch.slice(0, Math.floor(size / 2)) : batch,
    );
    await writer.list(listedCards(followed, "UTC"), shardId);
    if (end === "died before counting") continue;
    await writer.count(hourSteps(followed, hourOf), shardId);
    if (end !== "answer lost") position += followed.length;
  }
}

test("counts and lists are exact though batches come again, in other sizes, from several shards", async () => {
  await fc.assert(
    fc.asyncProperty(batches, batches, fc.integer({ min: 1, max: 40 }), async (plan, otherPlan, cards) => {
      const [one, other] = [newVendor(), newVendor()];
      const names = (shard: string) => Array.from({ length: cards }, (_, place) => `${shard}-${place}`);
      const shards = [shardOf(names("a"), [one, other]), shardOf(names("b"), [one])] as const;
      await Promise.all([follow("shardId-1", shards[0], plan), follow("shardId-2", shards[1], otherPlan)]);
      for (const apiSet of [one, other]) {
        const own = shards
          .flat()
          .filter(({ card, before }) => card.apiSet === apiSet && before === undefined);
        const found = await listed(apiSet);
        expect(found.toSorted()).toEqual(own.map(({ card }) => card.externalId).toSorted());
        const { accepted = 0, delivered = 0, waiting = 0 } = await totals(apiSet);
        expect([accepted, delivered, waiting]).toEqual([own.length, own.length, 0]);
      }
    }),
    { numRuns: 8 * proofSize },
  );
});

test("a vendor reads no hour, refusal or card of another", async () => {
  const [one, other] = [newVendor(), newVendor()];
  await follow("shardId-1", shardOf(["a"], [one]), []);
  await refusalCounter(TableName, engine.client, 400)(
    one,
    start,
    { cards: 1, byFault: [{ code: "required", cards: 1, examples: [] }] },
    "r",
  );
  expect(await totals(other)).toEqual({});
  expect(await listed(other)).toEqual([]);
  expect(await reader.refusals(other, start, start + hour)).toEqual([]);
  const { next } = await reader.cards(one, days, 1);
  expect(next).toBeUndefined();
});

test("a day lists its own cards, and not those of the day before or after", async () => {
  const apiSet = newVendor();
  const card = (name: string, acceptedAt: number, sequenceNumber: string): CardUpdate => ({
    card: { ...storedCard(name), apiSet, acceptedAt, since: acceptedAt },
    before: undefined,
    sequenceNumber,
  });
  const midnight = Date.parse(day);
  const updates = [
    card("yesterday", midnight - 1, "1"),
    card("first", midnight, "2"),
    card("last", midnight + 24 * hour - 1, "3"),
    card("tomorrow", midnight + 24 * hour, "4"),
  ];
  await writer.list(listedCards(happenings(updates), "UTC"), "shardId-1");
  expect(await listed(apiSet)).toEqual(["first", "last"]);
  // A place of another query: its list is of a day before, or of one after.
  const from = async (item: string) => (await reader.cards(apiSet, days, 7, { item, cards: 1 })).externalIds;
  expect(await from(`2000-01-01#${"0".repeat(40)}#s`)).toEqual(["first", "last"]);
  expect(await from(`2100-01-01#${"0".repeat(40)}#s`)).toEqual([]);
  // At midnight in UTC it is two o'clock in Copenhagen.
  const copenhagen = newVendor();
  const moved = updates.map(({ card: one, ...update }) => ({
    ...update,
    card: { ...one, apiSet: copenhagen },
  }));
  await writer.list(listedCards(happenings(moved), "Europe/Copenhagen"), "shardId-1");
  expect(await listed(copenhagen)).toEqual(["yesterday", "first"]);
});

test("cards that were counted on a day are listed page by page, whenever they were accepted", async () => {
  const apiSet = newVendor();
  const acceptedAt = start - 240 * hour;
  const updates = ["1", "2", "3"].map((name): CardUpdate => {
    const before = { ...storedCard(name), apiSet, acceptedAt, since: acceptedAt };
    return { card: { ...before, state: "rejected", since: start }, before, sequenceNumber: name };
  });
  const list = (batch: readonly CardUpdate[]) =>
    writer.list(listedCards(happenings(batch), "UTC"), "shardId-1");
  for (const batch of [updates.slice(0, 2), updates.slice(2)]) await list(batch);
  expect(await listed(apiSet, 1, "rejected")).toEqual(["1", "2", "3"]);
  // A late answer takes an outcome back, perhaps in the same batch.
  const takeBack = (update: CardUpdate, sequenceNumber: string): CardUpdate => {
    const card: StoredCard = { ...update.card, state: "delivered", since: start + 24 * hour };
    return { card, before: update.card, sequenceNumber };
  };
  const [one, two, three] = updates as [CardUpdate, CardUpdate, CardUpdate];
  const other = { ...three.card, externalId: "4" };
  const fourth = { card: other, before: { ...other, state: "queued" as const }, sequenceNumber: "5" };
  await list([takeBack(two, "4"), fourth, takeBack(fourth, "6")]);
  await list([takeBack(one, "7")]);
  expect(await listed(apiSet, 1, "rejected")).toEqual(["3"]);
  expect(await listed(apiSet, 1, "undelivered")).toEqual([]);
  expect(await listed(apiSet)).toEqual([]);
});

test("refusals add up by fault with the newest examples, and one that is sent twice counts once", async () => {
  const count = refusalCounter(TableName, engine.client, 400);
  const example = (externalId: string) => ({ externalId, pointer: "/HCP", at: "2026-06-01T12:00:00.000Z" });
  const one = (cards: number, name: string) => ({
    cards,
    byFault: [{ code: "out_of_range", cards, examples: [example(name)] }],
  });
  await count(red, start, one(2, "1"), "request 1");
  await count(
    red,
    start,
    {
      cards: 3,
      byFault: [
        { code: "out_of_range", cards: 1, examples: [example("2")] },
        { code: "required", cards: 3, examples: [] },
      ],
    },
    "request 2",
  );
  await count(red, start, one(1, "2"), "request 2");
  const found = await reader.refusals(red, start, start + 1);
  expect(new Set(found.map((one) => one.hour))).toEqual(new Set([start]));
  expect(found.reduce((sum, { cards }) => sum + cards, 0)).toBe(5);
  const byFault = sumOfRefusals(found.flatMap((one) => one.byFault));
  expect(byFault.map(({ code, cards }) => [code, cards])).toEqual([
    ["out_of_range", 3],
    ["required", 3],
  ]);
  // Counts of two requests may be in one item, which has the example of the last.
  expect(byFault[0]?.examples).toContainEqual(example("2"));
  expect(await reader.refusals(red, start - hour, start)).toEqual([]);
});

test("hours end before the instant that is given", async () => {
  const apiSet = newVendor();
  await follow("shardId-1", shardOf(["a"], [apiSet]), []);
  const hours = async (from: number, before: number) =>
    (await reader.hours(apiSet, from, before)).map((one) => one.hour);
  expect(await hours(start, start + 2 * hour)).toEqual([start, start + hour]);
  expect(await hours(start, start + hour)).toEqual([start]);
  expect(await hours(start + hour, start + 24 * hour)).toEqual([start + hour]);
});

test("an hour whose counts are refused holds up none of the vendor's other hours, and is counted when it comes again", async () => {
  const apiSet = newVendor();
  const client = {
    async send(command: UpdateItemCommand) {
      if (command.input.Key?.at?.S?.endsWith("T09:00Z")) throw new Error("refused");
      return engine.client.send(command);
    },
  } as unknown as DynamoDBClient;
  const hours = Array.from({ length: 24 }, (_, n) => {
    return { apiSet, hour: start - n * hour, steps: [{ sequenceNumber: "1", counts: { accepted: 1 } }] };
  });
  await expect(activityWriter(TableName, client, 400).count(hours, "shard")).rejects.toThrow("refused");
  expect(await totals(apiSet)).toEqual({ accepted: 23 });
  await writer.count(hours, "shard");
  expect(await totals(apiSet)).toEqual({ accepted: 24 });
});
