import { describe, expect, test } from "vitest";
import { type QueuedCard, readMessage } from "../../../core/delivery/message.ts";
import { chunks } from "../../../core/store/chunks.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import {
  echo,
  hours,
  key,
  queued,
  receivedTogether,
  start,
  status,
  stored,
  world,
} from "./delivery-world.ts";

describe("cards that came in one message", () => {
  const together = ["1", "2", "3"].map((id) => queued(id)) as [QueuedCard, ...QueuedCard[]];
  const [first] = together;

  test("are delivered in one post, each with its own outcome, and the message is done", async () => {
    const { cards, posts, run } = world();
    await cards.table.putCards(together.map((card) => stored(card)));
    expect(await run([receivedTogether(together)])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1", "2", "3"] }]);
    for (const id of ["1", "2", "3"]) expect(cards.of(key(id)).delivery?.state).toBe("delivered");
  });

  test("are not posted again with the one that keeps their message in the queue", async () => {
    let broken = true;
    const { cards, posts, clock, run } = world((ids) =>
      echo(ids.filter((externalId) => !(broken && externalId === "2"))),
    );
    await cards.table.putCards(together.map((card) => stored(card)));
    expect(await run([receivedTogether(together)])).toEqual(["together"]);
    broken = false;
    clock.now += 10_000;
    expect(await run([receivedTogether(together, { receives: 2 })])).toEqual([]);
    expect(posts.map(({ ids }) => ids)).toEqual([["1", "2", "3"], ["2"]]);
    expect(cards.of(key("2")).delivery).toMatchObject({ state: "delivered", attempts: 2 });
  });

  test("and fail together are tried again together", async () => {
    const chances = [0.1, 0.9, 0.5, 0.3];
    const failing = world(() => status(503), { random: () => chances.pop() ?? 0 });
    await failing.cards.table.putCards(together.map((card) => stored(card)));
    expect(await failing.run([receivedTogether(together, { receives: 8 })])).toEqual(["together"]);
    const attempts = together.map((card) => failing.cards.of(card).delivery?.nextAttemptAt ?? 0);
    expect(new Set(attempts).size).toBe(1);
    expect(failing.postponed.map(({ seconds }) => start + seconds * 1000)).toEqual([attempts[0]]);
  });

  test("come back for the first that is due, and the others keep to their own time", async () => {
    const { cards, posts, postponed, clock, run } = world(() => status(503));
    await cards.table.putCards([stored(first)]);
    expect(await run([receivedTogether(together, { receives: 6 })])).toEqual(["together"]);
    expect(postponed.at(-1)?.seconds).toBe(2);
    await cards.table.putCards(together.slice(1).map((card) => stored(card)));
    clock.now += 2_000;
    expect(await run([receivedTogether(together, { receives: 7 })])).toEqual(["together"]);
    expect(posts.map(({ ids }) => ids)).toEqual([["1"], ["2", "3"]]);
    expect(postponed.at(-1)?.seconds).toBe(30);
  });

  test("are given up one by one: only what was not delivered is put aside", async () => {
    const { cards, dead, clock, run } = world((ids) => echo(ids.filter((id) => id !== "2")));
    await cards.table.putCards(together.map((card) => stored(card)));
    clock.now += 48 * hours;
    expect(await run([receivedTogether(together)])).toEqual([]);
    expect(dead.map(readMessage)).toEqual([[queued("2")]]);
    expect(together.map((card) => cards.of(card).delivery?.state)).toEqual([
      "delivered",
      "undelivered",
      "delivered",
    ]);
  });

  test("and were corrected since are left to their corrections, one by one", async () => {
    const { cards, posts, clock, run } = world();
    await cards.table.putCards(together.map((card) => stored(card)));
    await cards.table.putCards([stored(queued("3", { revision: "second" }))]);
    clock.now += 31_000;
    expect(await run([receivedTogether(together)])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1", "2"] }]);
  });

  test("beyond what a run has time for are there at once for the next", async () => {
    const { cards, posts, postponed, deliver } = world();
    await cards.table.putCards(together.map((card) => stored(card)));
    expect(await deliver([receivedTogether(together)], () => 5_000)).toEqual(["together"]);
    expect(posts).toEqual([]);
    expect(postponed).toEqual([{ receiptHandle: "r-together", seconds: 0 }]);
  });
});

test("a vendor's many cards are looked at as they are posted, not before", async () => {
  const looked: number[] = [];
  const cards = scorecardsInMemory();
  const { posts, run } = world(
    (ids) => {
      looked.push(0);
      return echo(ids);
    },
    {
      cards: {
        ...cards.table,
        readRecords: (keys) => {
          looked.push(keys.length);
          return cards.table.readRecords(keys);
        },
      },
    },
  );
  const all = Array.from({ length: 120 }, (_, n) => queued(`${n}`));
  await cards.table.putCards(all.map((card) => stored(card)));
  const messages = chunks(all, 10).map((some, n) =>
    receivedTogether(some as [QueuedCard, ...QueuedCard[]], { messageId: `${n}` }),
  );
  expect(await run(messages)).toEqual([]);
  expect(posts.map(({ ids }) => ids.length)).toEqual([50, 50, 20]);
  expect(looked).toEqual([50, 0, 50, 0, 20, 0]);
});
