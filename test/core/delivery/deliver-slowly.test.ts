import { describe, expect, test } from "vitest";
import type { QueuedCard } from "../../../core/delivery/message.ts";
import { chunks } from "../../../core/store/chunks.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import { echo, key, queued, received, receivedTogether, status, stored, world } from "./delivery-world.ts";

const runMilliseconds = 30_000;
const bad = "25";

/** Fifty cards in messages of ten, one of them bad, in front of an exchange that takes so long for each post. */
async function slowExchange(refusal: number, seconds: number, inParcels: boolean) {
  const taken = new Map<string, number>();
  const { cards, clock, deliver } = world((ids) => {
    clock.now += seconds * 1000;
    if (ids.includes(bad)) return status(refusal);
    for (const id of ids) taken.set(id, (taken.get(id) ?? 0) + 1);
    return echo(ids);
  });
  const names = Array.from({ length: 50 }, (_, n) => String(n));
  const messages = chunks(names, 10).map((some, n) => {
    const parcel = inParcels ? { id: `parcel-${n}`, revision: "first" } : undefined;
    const all = some.map((name) => queued(name, { parcel: parcel?.id })) as [QueuedCard, ...QueuedCard[]];
    return { all, parcel, messageId: `message-${n}` };
  });
  for (const { all, parcel } of messages) {
    await cards.table.putCards(all.map((card) => stored(card, { parcel })));
  }
  const isDelivered = (name: string) => cards.of(key(name)).delivery?.state === "delivered";
  let left = messages;
  return {
    good: names.filter((name) => name !== bad),
    taken,
    isDelivered,
    stateOfBad: () => cards.of(key(bad)).delivery?.state,
    /** One run over the messages that are left, five minutes after the last one. */
    async run() {
      clock.now += 300_000;
      const began = clock.now;
      const batch = left.map(({ all, messageId }) =>
        receivedTogether(all, { messageId, receiptHandle: messageId }),
      );
      const kept = new Set(await deliver(batch, () => runMilliseconds - (clock.now - began)));
      left = left.filter(({ messageId }) => kept.has(messageId));
    },
  };
}

describe.each([422, 500])("a bad card among fifty, that the exchange answers with %i", (refusal) => {
  test.each([
    [0.1, false],
    [1.5, false],
    [3, false],
    [8, false],
    [0.1, true],
    [1.5, true],
    [3, true],
    [8, true],
  ])(
    "after %f seconds: the others are delivered, each by one post (in parcels: %s)",
    async (seconds, inParcels) => {
      const { good, taken, isDelivered, stateOfBad, run } = await slowExchange(refusal, seconds, inParcels);
      for (let runs = 0; runs < 15 && !good.every(isDelivered); runs++) await run();
      expect(good.filter((name) => !isDelivered(name))).toEqual([]);
      expect([...new Set(taken.values())]).toEqual([1]);
      expect(stateOfBad()).toBe(refusal === 422 ? "rejected" : "retrying");
    },
  );
});

test("what an array came to so far is recorded, though the table cannot be asked while a bad card is looked for", async () => {
  const ids = ["1", "2", "3", "bad"];
  const { cards, clock, run } = world((some) => {
    // So long that the next half is looked up again.
    clock.now += 5000;
    return some.includes("bad") ? status(422) : echo(some);
  });
  await cards.table.putCards(ids.map((id) => stored(queued(id))));
  const { readRecords } = cards.table;
  cards.table.readRecords = async (keys) => {
    if (keys.some(({ externalId }) => externalId === "bad") && keys.length < ids.length)
      throw new Error("busy");
    return readRecords(keys);
  };
  expect(await run(ids.map((id) => received(queued(id))))).toContain("green-bad-first");
  expect(cards.of(key("1")).delivery?.state).toBe("delivered");
  expect(cards.of(key("2")).delivery?.state).toBe("delivered");
});

test("an outcome that comes late does not undo that of other content, which was sent at the same time", async () => {
  const cards = scorecardsInMemory();
  const first = queued("1");
  const second = queued("1", { revision: "second" });
  const quick = world(echo, { cards: cards.table });
  const slow = world(echo, {
    cards: cards.table,
    post: async (_apiSet, _account, array) => {
      await cards.table.putCards([stored(second)]);
      await quick.run([received(second)]);
      slow.clock.now += 5000;
      return echo(array.map(({ externalId }) => externalId));
    },
  });
  await cards.table.putCards([stored(first)]);
  expect(await slow.run([received(first)])).toEqual([]);
  expect(cards.of(key("1")).delivery).toMatchObject({ revision: "second", state: "delivered" });
});

test("a delivery that took long is recorded also where the table cannot be asked for another look", async () => {
  const { cards, clock, run } = world((ids) => {
    clock.now += 5000;
    cards.table.readRecords = async () => {
      throw new Error("busy");
    };
    return echo(ids);
  });
  await cards.table.putCards([stored(queued("1"))]);
  expect(await run([received(queued("1"))])).toEqual([]);
  expect(cards.of(key("1")).delivery?.state).toBe("delivered");
});

test("a message that SQS hands over twice in one batch is delivered once, and kept by its latest receipt", async () => {
  const { cards, posts, postponed, run } = world(() => status(503));
  await cards.table.putCards([stored(queued("1"))]);
  await run([
    received(queued("1"), { receives: 2, receiptHandle: "latest" }),
    received(queued("1"), { receives: 1, receiptHandle: "earlier" }),
  ]);
  expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
  expect(postponed.map(({ receiptHandle }) => receiptHandle)).toEqual(["latest"]);
});
