import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import type { Item } from "../../../core/aws/batch.ts";
import { packJson } from "../../../core/aws/packed-json.ts";
import { happened } from "../../../core/cards/life/happened.ts";
import { beginningOfFeed, type FeedPlace } from "../../../core/webhooks/endpoint.ts";
import { type FeedEntry, feedEntries, type WebhookEvent } from "../../../core/webhooks/event.ts";
import { feedReader, feedWriter } from "../../../core/webhooks/feed-table.ts";
import { day } from "../../durations.ts";
import { provideEngine, tables } from "../aws/engine.ts";
import { storedCard } from "../memory/stored-card.ts";
import { entryOf, feedsInMemory, vendor } from "./feed-world.ts";

const start = Date.UTC(2026, 6, 4);
const now = () => start;
const noPause = async () => undefined;

function world() {
  const table = feedsInMemory();
  const writer = (at = now) => feedWriter("activity", table.client(), 400, at, noPause);
  return { ...table, writer, reader: (at = now) => feedReader("activity", table.client(), at) };
}

/** All of a feed, page by page. */
async function allOf(reader: ReturnType<typeof feedReader>, limit = 100, from: FeedPlace = beginningOfFeed) {
  const events: WebhookEvent[] = [];
  for (let place = from; ; ) {
    const page = await reader.page(vendor, place, limit);
    if (page === undefined) throw new Error("The feed does not have the place.");
    events.push(...page.events);
    expect(page.events.length).toBeLessThanOrEqual(limit);
    place = page.next;
    if (!page.more) return { events, place };
  }
}
const ids = (events: readonly WebhookEvent[]) => events.map(({ id }) => id);
const some = (from: number, count: number, card = "card") =>
  Array.from({ length: count }, (_, n) => entryOf(from + n, `${card}-${from + n}`, 1));
const idsOf = (entries: readonly FeedEntry[]) => ids(entries.map(({ event }) => event));

test("a feed that has nothing yet is an empty page, from which events that come later are read", async () => {
  const { reader, writer } = world();
  const page = await reader().page(vendor, beginningOfFeed, 100);
  expect(page).toEqual({ events: [], places: [], next: beginningOfFeed, more: false });
  expect(await reader().end(vendor)).toEqual(beginningOfFeed);
  await writer().append(vendor, "shard", some(1, 3));
  expect(ids((await allOf(reader())).events)).toEqual(idsOf(some(1, 3)));
});

test.each([1, 7, 100, 1000])(
  "pages of %i events have each event once, in order, whatever items they are in",
  async (limit) => {
    const { reader, writer } = world();
    const entries = some(1, 500);
    const left = [...entries];
    const write = writer();
    for (const count of [1, 1, 248, 249, 1]) await write.append(vendor, "shard", left.splice(0, count));
    const { events, place } = await allOf(reader(), limit);
    expect(ids(events)).toEqual(idsOf(entries));
    expect(await reader().end(vendor)).toEqual(place);
  },
);

test("events of one change stay together in an item, so that none is taken for one that was added", async () => {
  const { reader, writer } = world();
  const entries = [
    ...some(1, 199),
    entryOf(200, "last", 1),
    entryOf(200, "last", 2),
    entryOf(201, "next", 1),
  ];
  await writer().append(vendor, "shard", entries);
  await writer().append(vendor, "shard", entries);
  expect(ids((await allOf(reader())).events)).toEqual(idsOf(entries));
});

test("an item costs one write, and a read only for an environment that does not know the feed", async () => {
  const table = feedsInMemory();
  const requests: string[] = [];
  const client = table.client((carryOut, name) => {
    requests.push(name);
    return carryOut();
  });
  const write = feedWriter("activity", client, 400, now, noPause);
  await write.append(vendor, "shard", some(1, 5));
  await write.append(vendor, "shard", some(6, 5));
  // The first event of a vendor makes the feed, and the first one of a shard asks for its position.
  expect(requests.splice(0)).toEqual([
    "QueryCommand",
    "PutItemCommand",
    "QueryCommand",
    "QueryCommand",
    "PutItemCommand",
    "PutItemCommand",
  ]);
  await feedWriter("activity", client, 400, now, noPause).append(vendor, "shard", some(11, 5));
  expect(requests).toEqual(["QueryCommand", "PutItemCommand"]);
});

/** The bytes of an item, as DynamoDB counts them. */
const bytesOf = (item: Item) =>
  Object.entries(item).reduce((sum, [name, { S = "", N = "", B = new Uint8Array() }]) => {
    const digits = N === "" ? 0 : Math.ceil(N.length / 2) + 1;
    return sum + name.length + Buffer.byteLength(S) + B.byteLength + digits;
  }, 0);

/** An event of a card with two warnings, as the stream's follower makes it. */
const warnedEntry = (shardId: string, sequenceNumber: string): FeedEntry => {
  const card = storedCard(`card-${sequenceNumber}`, {
    state: "delivered",
    attempts: 1,
    laterWarnings: [{ code: "round_seen" }, { code: "handicap_differs" }],
  });
  const update = { card, before: undefined, sequenceNumber, events: happened(undefined, card) };
  const [entry] = feedEntries({ updates: [update], breakers: [], shardId }, start);
  return { ...(entry as FeedEntry), sequenceNumber };
};

test.each([
  [1, 1, 15],
  [4, 1, 15],
  [16, 1, 15],
  [60, 1, 15],
  [4, 4, 1],
  [60, 8, 1],
])(
  "an event of %i partitions, from %i environments, is an item of at most 1 KB and two write units after %i days of shards that end every four hours",
  async (partitions, environments, days) => {
    const table = feedsInMemory();
    const written: number[] = [];
    const client = table.client((carryOut, name, input) => {
      if (name === "PutItemCommand") written.push(bytesOf((input as { readonly Item: Item }).Item));
      return carryOut();
    });
    let time = start;
    const writers = Array.from({ length: environments }, () =>
      feedWriter("activity", client, 400, () => time, noPause),
    );
    let sequence = 0;
    let appends = 0;
    const generations = days * 6;
    for (let generation = 0; generation < generations; generation++) {
      const isLast = generation === generations - 1;
      if (isLast) written.splice(0);
      for (let event = 0; event < (isLast ? 3 : 1); event++) {
        for (let partition = 0; partition < partitions; partition++) {
          // It is split every four hours: another name.
          const id = `shardId-${String(generation * partitions + partition).padStart(20, "0")}-f55eea83`;
          sequence += 1;
          time += (4 * 3_600_000) / partitions / (isLast ? 3 : 1);
          await writers[sequence % environments]?.append(vendor, id, [
            isLast
              ? warnedEntry(id, `4916000000000${String(sequence).padStart(26, "0")}`)
              : entryOf(sequence, "card", 1),
          ]);
          if (isLast) appends += 1;
        }
      }
    }
    expect(Math.max(...written)).toBeLessThanOrEqual(1024);
    expect(written.length / appends).toBeLessThanOrEqual(2);
    if (partitions <= 3) expect(written.length / appends).toBeLessThan(1.5);
  },
);

test("a position that the table writes late does not replace a later one", async () => {
  const table = feedsInMemory();
  const late: (() => unknown)[] = [];
  const client = table.client((carryOut, _, input) => {
    const { Item: item } = input as { readonly Item?: Item };
    if (item?.position === undefined || late.length > 0) return carryOut();
    late.push(carryOut);
    throw new Error("no answer");
  });
  const write = feedWriter("activity", client, 400, now, noPause);
  /** Others write, so that the item has no position of the shard any more. */
  const crowd = async (from: number) => {
    for (let other = from; other < from + 5; other++)
      await write.append(vendor, `other-${other}`, some(1, 1, `other-${other}`)).catch(() => undefined);
  };
  await write.append(vendor, "shard", some(1, 1));
  await crowd(0);
  await write.append(vendor, "shard", some(2, 1));
  await crowd(10);
  expect(late[0]).toThrow("it is there");
  const { place } = await allOf(feedReader("activity", table.client(), now));
  await write.append(vendor, "shard", some(1, 3));
  const { events } = await allOf(feedReader("activity", table.client(), now), 100, place);
  expect(ids(events)).toEqual(idsOf(some(3, 1)));
});

test("a writer that always comes second gives up, and may be called again", async () => {
  const table = feedsInMemory();
  let number = 0;
  const other = feedWriter("activity", table.client(), 400, now, noPause);
  const client = table.client(async (carryOut, name) => {
    if (name === "PutItemCommand") await other.append(vendor, "other", [entryOf(++number, "other", number)]);
    return carryOut();
  });
  const write = feedWriter("activity", client, 400, now, noPause);
  await expect(write.append(vendor, "shard", some(1, 1))).rejects.toThrow(/Other writers/);
});

test("a place that the feed has lost, or never had, is told, so that nobody goes on with a gap", async () => {
  const { reader, writer, items } = world();
  const write = writer();
  for (const from of [1, 3, 5]) await write.append(vendor, "shard", some(from, 2));
  const [, first = 0, second = 0, third = 0] = [...items.keys()].map((key) => Number(key.split(" ")[1]));
  expect(await reader().page(vendor, { item: third + 1, events: 0 }, 100)).toBeUndefined();
  expect(await reader().page(vendor, { item: third, events: 3 }, 100)).toBeUndefined();
  expect(await reader().page(vendor, { item: first - 1, events: 0 }, 100)).toBeUndefined();
  items.delete(`green#feed ${String(second).padStart(16, "0")}`);
  expect(await reader().page(vendor, { item: second, events: 1 }, 100)).toBeUndefined();
  const page = await reader().page(vendor, { item: first, events: 1 }, 100);
  expect([ids(page?.events ?? []), page?.more]).toEqual([idsOf(some(2, 1)), true]);
  expect(await reader().page(vendor, page?.next ?? beginningOfFeed, 100)).toBeUndefined();
});

test("events that have expired are gone, whether the table has removed them yet or not", async () => {
  const { reader, writer, items } = world();
  await writer().append(vendor, "shard", some(1, 2));
  const place = await reader().end(vendor);
  await writer(() => start + 10 * day).append(vendor, "shard", some(3, 2));
  const later = reader(() => start + 401 * day);
  expect(ids((await allOf(later)).events)).toEqual(idsOf(some(3, 2)));
  expect(await later.page(vendor, place, 100)).toBeUndefined();
  items.clear();
  // A feed that begins anew has greater numbers, so that an old cursor is not taken for one of its own.
  await writer(() => start + 900 * day).append(vendor, "shard", some(9, 1));
  const anew = reader(() => start + 900 * day);
  expect(await anew.page(vendor, place, 100)).toBeUndefined();
  expect(ids((await allOf(anew)).events)).toEqual(idsOf(some(9, 1)));
});

test("an event that a person was erased from is left out, and cursors stay where they are", async () => {
  const { reader, writer, items } = world();
  await writer().append(vendor, "shard", some(1, 3));
  const [, [key = "", item = {}] = []] = items;
  const page = await reader().page(vendor, beginningOfFeed, 2);
  items.set(key, { ...item, events: { B: packJson([null, ...some(2, 2).map(({ event }) => event)]) } });
  expect(ids((await allOf(reader())).events)).toEqual(idsOf(some(2, 2)));
  expect(ids((await allOf(reader(), 100, page?.next)).events)).toEqual(idsOf(some(3, 1)));
});

test("each vendor's feed has its own events only", async () => {
  const { reader, writer } = world();
  const red = "red" as ApiSet;
  await writer().append(vendor, "shard", some(1, 2));
  await writer().append(red, "shard", [entryOf(3, "of-red", 1, red)]);
  expect(ids((await allOf(reader())).events)).toEqual(idsOf(some(1, 2)));
  expect(ids((await reader().page(red, beginningOfFeed, 100))?.events ?? [])).toEqual(["evt_of-red_1"]);
  // Vendors' feeds have the same numbers here: a cursor of one names no event of another.
  const place = await reader().end(vendor);
  const page = await reader().page(red, place, 100);
  expect(JSON.stringify(page ?? {})).not.toContain("green");
});

/**
 * Shards with changes of cards, environments that die at work, a table that refuses requests, loses answers and carries requests out
 * late, and a consumer that is killed at random: a day of that.
 */
async function stormyDay(seed: number) {
  const random = seededRandom(seed, "feed");
  const table = feedsInMemory();
  const stragglers: (() => unknown)[] = [];
  const straggle = () => {
    const carryOut = stragglers.splice(random.whole(0, stragglers.length - 1), 1)[0];
    try {
      carryOut?.();
    } catch {
      // It came too late.
    }
  };
  const client = table.client(async (carryOut) => {
    for (let turns = random.whole(0, 3); turns > 0; turns--) await null;
    if (random.chance(0.1)) throw new Error("throttled");
    if (random.chance(0.1)) {
      stragglers.push(carryOut);
      throw new Error("no answer");
    }
    const answer = carryOut();
    if (random.chance(0.1)) throw new Error("the answer was lost");
    return answer;
  });
  const clock = () => start + random.whole(-5000, 5000);
  const made: FeedEntry[] = [];
  const versions = new Map<string, number>();

  /** A shard's runs, one after the other: what fails waits, and what comes later waits behind it. */
  async function shard(name: string) {
    let write = feedWriter("activity", client, 400, clock, noPause);
    let late: FeedEntry[] = [];
    for (
      let sequence = random.whole(1, 1e9), left = random.whole(1, 12);
      left > 0 || late.length > 0;
      left--
    ) {
      const batch = Array.from({ length: left > 0 ? random.whole(0, 4) : 0 }, () => {
        const card = `${name}-card-${random.whole(1, 3)}`;
        const version = (versions.get(card) ?? 0) + 1;
        versions.set(card, version);
        sequence += random.whole(1, 1000);
        return entryOf(sequence, card, version);
      });
      made.push(...batch);
      late.push(...batch);
      // A batch may come again, or only its first part: Lambda halves one whose run has died.
      const part = random.chance(0.2) ? late.slice(0, random.whole(0, late.length)) : late;
      try {
        await write.append(vendor, name, part);
        if (!random.chance(0.1)) late = late.slice(part.length);
      } catch {
        // It waits for the next run.
      }
      if (random.chance(0.3)) write = feedWriter("activity", client, 400, clock, noPause);
      if (random.chance(0.3) && stragglers.length > 0) straggle();
    }
  }

  const seen: WebhookEvent[] = [];
  let isOver = false;
  async function consumer() {
    let stored: FeedPlace = beginningOfFeed;
    for (let calm = 0; calm < 2; ) {
      let place = stored;
      // It lives until it is killed.
      for (let life = random.whole(1, 10); life > 0 && calm < 2; life--) {
        await null;
        const page = await feedReader("activity", client, now)
          .page(vendor, place, random.whole(1, 5))
          .catch(() => null);
        if (page === null) continue;
        if (page === undefined) throw new Error("A cursor that was given out is unknown.");
        seen.push(
          ...page.events.slice(0, random.chance(0.2) ? random.whole(0, page.events.length) : undefined),
        );
        if (random.chance(0.2)) break;
        // The last events were handed over, too: only then the cursor is stored.
        seen.push(...page.events);
        place = page.next;
        stored = place;
        calm = isOver && !page.more ? calm + 1 : 0;
      }
    }
  }
  const consuming = consumer();
  await Promise.all(Array.from({ length: random.whole(1, 6) }, (_, number) => `shard-${number}`).map(shard));
  while (stragglers.length > 0) straggle();
  isOver = true;
  await consuming;
  return { made, seen, table };
}

test("whatever fails, the feed has each event once, a consumer that is killed sees each, and a card's in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 1_000_000 }), async (seed) => {
      const { made, seen, table } = await stormyDay(seed);
      const { events } = await allOf(feedReader("activity", table.client(), now), 7);
      expect(ids(events).toSorted()).toEqual(idsOf(made).toSorted());
      expect(new Set(ids(seen))).toEqual(new Set(idsOf(made)));
      const cardOf = ({ data }: WebhookEvent) => data.cards?.[0]?.externalId ?? "";
      const versionOf = ({ data }: WebhookEvent) => data.cards?.[0]?.version ?? 0;
      for (const [, ofCard] of Map.groupBy(events, cardOf)) {
        expect(ofCard.map(versionOf)).toEqual(ofCard.map((_, place) => place + 1));
      }
      // What a consumer sees for the first time comes in the order of the feed.
      expect([...new Set(ids(seen))]).toEqual(ids(events));
    }),
    { numRuns: 80 },
  );
});

const engine = await provideEngine(tables.activity);

test("a table of DynamoDB's kind keeps a feed of several writers whole", async () => {
  const clock = () => Date.now();
  const write = () => feedWriter("activity", engine.client, 400, clock);
  const shards = ["shard-1", "shard-2", "shard-3"];
  const [one, two, three] = shards.map(() => write());
  await Promise.all(
    [one, two, three].map(async (writer, place) => {
      for (let batch = 0; batch < 10; batch++)
        await writer?.append(vendor, shards[place] ?? "", some(batch * 10 + 1, 10, `s${place}`));
    }),
  );
  const reader = feedReader("activity", engine.client, clock);
  const { events, place } = await allOf(reader, 40);
  expect(new Set(ids(events)).size).toBe(300);
  expect(events).toHaveLength(300);
  expect(await reader.end(vendor)).toEqual(place);
  for (const shard of [0, 1, 2]) {
    const own = ids(events).filter((id) => id.startsWith(`evt_s${shard}-`));
    expect(own).toEqual(idsOf(some(1, 100, `s${shard}`)));
  }
});
