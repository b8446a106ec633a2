import { describe, expect, test } from "vitest";
import type { PostResult } from "../../../core/union/exchange.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import { echo, key, queued, received, settings, start, status, stored, world } from "./delivery-world.ts";

describe("a card that was accepted", () => {
  test("is posted, and its delivery recorded", async () => {
    const { cards, posts, run } = world();
    await cards.table.putCards([stored(queued("1"))]);
    expect(await run([received(queued("1"))])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
    expect(cards.of(key("1")).delivery).toMatchObject({ state: "delivered", attempts: 1, revision: "first" });
  });

  test("is not posted again once its outcome is recorded", async () => {
    const { cards, posts, run } = world();
    await cards.table.putCards([stored(queued("1"))]);
    await run([received(queued("1"))]);
    expect(await run([received(queued("1"), { messageId: "twin" })])).toEqual([]);
    expect(posts).toHaveLength(1);
  });

  test("of a submission that was sent twice at once is not lost with the one whose message came first", async () => {
    let broken = true;
    const { cards, posts, clock, run } = world((ids) => (broken ? status(503) : echo(ids)));
    const [first, second] = [queued("1"), queued("1", { acceptedAt: start + 5 })];
    const messages = [received(first), received(second, { messageId: "second" })];
    await cards.table.putCards([stored(first)]);
    expect((await run(messages)).toSorted()).toEqual([messages[0]?.messageId, "second"].toSorted());
    await cards.table.putCards([stored(second)]);
    broken = false;
    clock.now += 31_000;
    expect(await run(messages)).toEqual([]);
    expect(posts).toHaveLength(2);
    expect(cards.of(key("1")).delivery?.state).toBe("delivered");
  });

  test("is posted once though its message comes twice in one batch", async () => {
    const { cards, posts, run } = world();
    await cards.table.putCards([stored(queued("1"))]);
    const twin = received(queued("1"), { messageId: "twin" });
    expect(await run([received(queued("1")), twin])).toEqual(["twin"]);
    expect(await run([twin])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
  });

  test("is posted once though its message comes again at the end of a large batch", async () => {
    const { cards, posts, run } = world();
    const all = Array.from({ length: 50 }, (_, n) => queued(String(n)));
    await cards.table.putCards(all.map((card) => stored(card)));
    const twin = received(queued("0"), { messageId: "twin" });
    expect(await run([...all.map((card) => received(card)), twin])).toEqual([]);
    expect(posts.map(({ ids }) => ids.length)).toEqual([50]);
  });

  test("stays in the queue when its outcome cannot be recorded", async () => {
    const { cards, run } = world(echo, { random: () => 0 });
    await cards.table.putCards([stored(queued("1"))]);
    const failing = world(echo, {
      cards: {
        ...cards.table,
        putDeliveries: async () => {
          throw new Error("throttled");
        },
      },
    });
    expect(await failing.run([received(queued("1"))])).toEqual(["green-1-first"]);
    expect(await run([received(queued("1"))])).toEqual([]);
  });
});

describe("a card that is not what is stored", () => {
  test("is dropped when a correction has superseded it", async () => {
    const { cards, posts, clock, run } = world();
    await cards.table.putCards([stored(queued("1", { revision: "second" }))]);
    clock.now += 31_000;
    expect(await run([received(queued("1"))])).toEqual([]);
    expect(posts).toEqual([]);
  });

  test("waits while it may still be stored after another that was sent at the same time", async () => {
    const { cards, posts, postponed, clock, run } = world();
    await cards.table.putCards([stored(queued("1", { revision: "other" }))]);
    expect(await run([received(queued("1"))])).toEqual(["green-1-first"]);
    expect(postponed[0]?.seconds).toBe(30);
    await cards.table.putCards([stored(queued("1"))]);
    clock.now += 30_000;
    expect(await run([received(queued("1"))])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
  });

  test("whose submission was sent again goes out with the later message only", async () => {
    const { cards, posts, clock, run } = world();
    await cards.table.putCards([stored(queued("1", { acceptedAt: start + 1000 }))]);
    expect(await run([received(queued("1"))])).toEqual(["green-1-first"]);
    const later = received(queued("1", { acceptedAt: start + 1000 }), { messageId: "later" });
    expect(await run([later])).toEqual([]);
    clock.now += 31_000;
    expect(await run([received(queued("1"))])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
  });

  test("is not posted before its next attempt, though its message comes early", async () => {
    const { cards, posts, postponed, clock, run } = world(() => status(503));
    await cards.table.putCards([stored(queued("1"))]);
    await run([received(queued("1"), { receives: 6 })]);
    clock.now += 12_000;
    expect(await run([received(queued("1"), { messageId: "twin" })])).toEqual(["twin"]);
    expect(postponed.at(-1)).toEqual({ receiptHandle: "r-green-1-first", seconds: 20 });
    expect(posts).toHaveLength(1);
  });

  test("waits while its submission is still being stored, then is dropped", async () => {
    const { postponed, posts, clock, run } = world();
    expect(await run([received(queued("1"))])).toEqual(["green-1-first"]);
    expect(postponed).toEqual([{ receiptHandle: "r-green-1-first", seconds: 2 }]);
    clock.now += 31_000;
    expect(await run([received(queued("1"))])).toEqual([]);
    expect(posts).toEqual([]);
  });

  test("waits while the card it corrects is still the stored one", async () => {
    const { cards, posts, run } = world();
    await cards.table.putCards([stored(queued("1"))]);
    const correction = queued("1", { revision: "second", corrects: "first" });
    expect(await run([received(correction)])).toEqual(["green-1-second"]);
    await cards.table.putCards([stored(correction)]);
    expect(await run([received(correction)])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
  });

  test("is dropped when the vendor has withdrawn it", async () => {
    const { cards, posts, clock, run } = world();
    clock.now += 31_000;
    await cards.table.putCards([stored(queued("1", { revision: "tombstone" }), { withdraws: "first" })]);
    expect(await run([received(queued("1"))])).toEqual([]);
    expect(posts).toEqual([]);
  });

  test("that cannot even be read is put aside, and the others are delivered", async () => {
    const { cards, dead, posts, run } = world();
    await cards.table.putCards([stored(queued("1"))]);
    const broken = { ...received(queued("2")), body: "{" };
    expect(await run([broken, received(queued("1"))])).toEqual([]);
    expect(dead).toEqual(["{"]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
  });
});

describe("a correction", () => {
  test("keeps the outcome of what it corrects", async () => {
    const { cards, run } = world();
    await cards.table.putCards([stored(queued("1"))]);
    await run([received(queued("1"))]);
    const correction = queued("1", { revision: "second", corrects: "first" });
    await cards.table.putCards([stored(correction)]);
    await run([received(correction)]);
    expect(cards.of(key("1")).delivery).toMatchObject({
      state: "delivered",
      revision: "second",
      attempts: 1,
      earlier: [{ state: "delivered", revision: "first" }],
    });
  });

  test.each([
    ["slow", 25_000, 0],
    ["no slower than usual after a slow one", 10_000, 1000],
  ])(
    "that comes in while earlier posts drag on keeps the stale card from being posted, the post before being %s",
    async (_, first, second) => {
      const took = [first, second];
      const slow = world((ids) => {
        slow.clock.now += took.shift() ?? 0;
        return echo(ids);
      });
      const all = Array.from({ length: 101 }, (_, n) => queued(String(n)));
      await slow.cards.table.putCards(all.map((card) => stored(card)));
      const running = slow.run(all.map((card) => received(card)));
      await slow.cards.table.putCards([stored(queued("100", { revision: "second" }))]);
      await running;
      expect(slow.posts.flatMap(({ ids }) => ids)).not.toContain("100");
    },
  );

  test("of which the original's outcome comes too late is not undone by it: no record begins", async () => {
    const { cards, clock, run } = world((ids) => {
      clock.now += 15_000;
      return echo(ids);
    });
    await cards.table.putCards([stored(queued("1"))]);
    expect(await run([received(queued("1"))])).toEqual(["green-1-first"]);
    expect(cards.written).toEqual([]);
  });

  test("nor by a record that takes too long: it is broken off", async () => {
    const cards = scorecardsInMemory();
    const { run } = world(echo, {
      settings: { ...settings, correction: { storingMilliseconds: 20, deliveringMilliseconds: 20 } },
      cards: {
        ...cards.table,
        putDeliveries: async (_, signal) => {
          await new Promise((resolve) => signal?.addEventListener("abort", resolve));
          signal?.throwIfAborted();
        },
      },
    });
    await cards.table.putCards([stored(queued("1"))]);
    expect(await run([received(queued("1"))])).toEqual(["green-1-first"]);
  });
});

describe("two messages of one card in two runs at once", () => {
  test("leave it delivered, though the second post failed", async () => {
    const answers: PostResult[] = [];
    const { cards, postponed, run } = world(() => answers.shift() ?? status(503));
    await cards.table.putCards([stored(queued("1"))]);
    const slow = Promise.withResolvers<void>();
    const other = world(() => status(503), {
      cards: {
        ...cards.table,
        readRecords: async (keys) => {
          const histories = await cards.table.readRecords(keys);
          if (cards.of(key("1")).delivery === undefined) await slow.promise;
          return histories;
        },
      },
    });
    const second = other.run([received(queued("1"), { messageId: "twin" })]);
    answers.push(echo(["1"]));
    await run([received(queued("1"))]);
    slow.resolve();
    expect(await second).toEqual([]);
    expect(cards.of(key("1")).delivery?.state).toBe("delivered");
    expect(postponed).toEqual([]);
  });
});
