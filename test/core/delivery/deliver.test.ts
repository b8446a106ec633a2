import { describe, expect, test } from "vitest";
import type { PostResult } from "../../../core/union/exchange.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import {
  echo,
  green,
  key,
  queued,
  received,
  red,
  settings,
  start,
  status,
  stored,
  world,
} from "./delivery-world.ts";

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

  // Of the fifteen seconds for which a look holds, a post may take ten and its record one.
  test.each([4_001, 25_000])(
    "that comes in while the post before takes %i ms keeps the stale card from being posted",
    async (milliseconds) => {
      const slow = world(
        (ids) => {
          slow.clock.now += milliseconds;
          void slow.cards.table.putCards([stored(queued("2", { revision: "second" }))]);
          return echo(ids);
        },
        { settings: { ...settings, postSize: 1 } },
      );
      await slow.cards.table.putCards(["1", "2"].map((id) => stored(queued(id))));
      await slow.run(["1", "2"].map((id) => received(queued(id))));
      expect(slow.posts.map(({ ids }) => ids)).toEqual([["1"]]);
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

test("a vendor whose post takes long does not delay another's", async () => {
  const other = Promise.withResolvers<void>();
  const { cards, run } = world(echo, {
    post: async (apiSet, _, array) => {
      if (apiSet === green) other.resolve();
      else await other.promise;
      return echo(array.map(({ externalId }) => externalId));
    },
  });
  const both = [queued("slow", { apiSet: red }), queued("quick")];
  await cards.table.putCards(both.map((card) => stored(card)));
  expect(await run(both.map((card) => received(card)))).toEqual([]);
});

test("a message that can neither be read nor put aside stays in the queue", async () => {
  const { run } = world(echo, { sendToDeadLetters: () => Promise.reject(new Error("refused")) });
  expect(await run([{ ...received(queued("1")), body: "{" }])).toEqual(["green-1-first"]);
});

test.each([
  [13_000, 0],
  [13_001, 1],
])(
  "with %i ms left of a run %i posts begin: one may take ten seconds, and its record three",
  async (left, begun) => {
    const { cards, posts, deliver } = world();
    await cards.table.putCards([stored(queued("1"))]);
    await deliver([received(queued("1"))], () => left);
    expect(posts).toHaveLength(begun);
  },
);
