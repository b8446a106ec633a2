import { describe, expect, test } from "vitest";
import { writeMessage } from "../../../core/delivery/message.ts";
import { CredentialsUnavailable } from "../../../core/union/account.ts";
import { echo, hours, key, queued, received, red, start, status, stored, world } from "./delivery-world.ts";

describe("when the exchange fails", () => {
  test("every card comes back later and the vendor sees why", async () => {
    const { cards, postponed, run } = world(() => status(503));
    await cards.table.putCards([stored(queued("1"))]);
    expect(await run([received(queued("1"), { receives: 4 })])).toEqual(["green-1-first"]);
    expect(postponed).toEqual([{ receiptHandle: "r-green-1-first", seconds: 8 }]);
    const { delivery } = cards.of(key("1"));
    expect(delivery).toMatchObject({
      state: "retrying",
      attempts: 1,
      failure: { stage: "after", status: 503 },
    });
    expect(delivery?.nextAttemptAt).toBe(start + 8000);
  });

  test("a card whose turn does not come is not told what another's post came to", async () => {
    const { cards, run } = world(() => status(503));
    const many = Array.from({ length: 51 }, (_, n) => queued(`${n}`));
    await cards.table.putCards(many.map((card) => stored(card)));
    await run(many.map((card) => received(card)));
    expect(cards.of(key("0")).delivery).toMatchObject({ attempts: 1, failure: { stage: "after" } });
    expect(cards.of(key("50")).delivery).toMatchObject({
      state: "retrying",
      attempts: 0,
      failure: { stage: "before", message: expect.stringMatching(/^Not posted: .* status 503\.$/) },
    });
  });

  test.each([
    ["did not answer", { stage: "during", message: "late" } as const, { stage: "during", message: "late" }],
    ["left it out of its echo", echo([]), { stage: "after", message: expect.stringContaining("echo") }],
  ])(
    "a card that the exchange may have, since it %s, stays so until the exchange has seen it again",
    async (_, doubtful, failure) => {
      const unconnected = { stage: "before", message: "No connection." } as const;
      const answers = [doubtful, unconnected, unconnected, status(503)];
      const { cards, clock, run } = world(() => answers.shift() ?? status(200));
      await cards.table.putCards([stored(queued("1"))]);
      for (const attempts of [1, 2, 3]) {
        await run([received(queued("1"))]);
        expect(cards.of(key("1")).delivery).toMatchObject({ state: "retrying", attempts, failure });
        clock.now += 600_000;
      }
      await run([received(queued("1"))]);
      expect(cards.of(key("1")).delivery?.failure).toMatchObject({ stage: "after", status: 503 });
    },
  );

  test("no card waits longer than the cap", async () => {
    const { cards, postponed, run } = world(() => status(503), { random: () => 0.999 });
    await cards.table.putCards([stored(queued("1"))]);
    await run([received(queued("1"), { receives: 500 })]);
    expect(postponed[0]?.seconds).toBe(300);
  });

  test("Retry-After is respected, for later batches too", async () => {
    const { cards, posts, postponed, clock, run } = world(() => status(429, 120));
    await cards.table.putCards([stored(queued("1")), stored(queued("2"))]);
    await run([received(queued("1"))]);
    expect(postponed.at(-1)?.seconds).toBe(120);
    clock.now += 60_000;
    expect(await run([received(queued("2"))])).toEqual(["green-2-first"]);
    expect(postponed.at(-1)?.seconds).toBe(60);
    expect(posts).toHaveLength(1);
  });

  test("one vendor's refused credentials do not delay another's cards", async () => {
    const { cards, posts, run } = world((ids, apiSet) => (apiSet === "red" ? status(401) : echo(ids)));
    const reds = Array.from({ length: 60 }, (_, n) => queued(`r${n}`, { apiSet: red }));
    await cards.table.putCards([...reds, queued("1")].map((card) => stored(card)));
    const kept = await run([...reds, queued("1")].map((card) => received(card)));
    expect(kept).toHaveLength(60);
    expect(posts.filter(({ apiSet }) => apiSet === "red")).toHaveLength(1);
    expect(cards.of(key("1")).delivery?.state).toBe("delivered");
  });

  test("a vendor whose credentials cannot be had is tried again without a post", async () => {
    const { cards, posts, run } = world(echo, {
      account: async () => {
        throw new CredentialsUnavailable();
      },
    });
    await cards.table.putCards([stored(queued("1"))]);
    expect(await run([received(queued("1"))])).toEqual(["green-1-first"]);
    expect(posts).toEqual([]);
    expect(cards.of(key("1")).delivery).toMatchObject({
      state: "retrying",
      attempts: 0,
      failure: { stage: "before" },
    });
  });

  test("after two days a card is undelivered and its message put aside", async () => {
    const { cards, dead, clock, run } = world(() => status(503));
    await cards.table.putCards([stored(queued("1"))]);
    clock.now += 48 * hours;
    expect(await run([received(queued("1"))])).toEqual([]);
    expect(cards.of(key("1")).delivery?.state).toBe("undelivered");
    expect(dead).toEqual([writeMessage(queued("1"), [queued("1")])]);
  });

  test("a card that cannot be put aside stays in the queue", async () => {
    const { cards, clock, run } = world(() => status(503), {
      sendToDeadLetters: async () => {
        throw new Error("refused");
      },
    });
    await cards.table.putCards([stored(queued("1"))]);
    clock.now += 48 * hours;
    expect(await run([received(queued("1"))])).toEqual(["green-1-first"]);
    expect(cards.of(key("1")).delivery?.state).not.toBe("undelivered");
  });

  test("a card that alone keeps breaking the exchange while others go through is rejected in the end", async () => {
    const { cards, clock, run } = world((ids) => (ids.includes("bad") ? status(500) : echo(ids)));
    await cards.table.putCards([stored(queued("bad"))]);
    const states: (string | undefined)[] = [];
    for (let n = 1; n <= 8; n++) {
      clock.now += 60_000;
      await cards.table.putCards([stored(queued(`good-${n}`))]);
      await run([received(queued(`good-${n}`)), received(queued("bad"))]);
      states.push(cards.of(key("bad")).delivery?.state);
    }
    expect(states).toEqual([...Array(7).fill("retrying"), "rejected"]);
  });

  test("cards that have broken the exchange alone go by themselves and last, and stop no other", async () => {
    const bad = ["bad-1", "bad-2", "bad-3", "bad-4"];
    const { cards, posts, clock, run } = world((ids) =>
      ids.some((id) => bad.includes(id)) ? status(500) : echo(ids),
    );
    await cards.table.putCards([...bad, "good"].map((id) => stored(queued(id))));
    await cards.table.putDeliveries(
      bad.map((externalId) => ({
        ...key(externalId),
        revision: "first",
        state: "retrying",
        attempts: 1,
        aloneFailures: 1,
        since: start,
      })),
    );
    clock.now += 60_000;
    await run([...bad, "good"].map((id) => received(queued(id))));
    expect(cards.of(key("good")).delivery?.state).toBe("delivered");
    expect(posts.map(({ ids }) => ids)).toEqual([["good"], ["bad-1"], ["bad-2"], ["bad-3"]]);
  });

  test("a card that fails alone while nothing goes through is not rejected", async () => {
    const { cards, clock, run } = world(() => status(500));
    await cards.table.putCards([stored(queued("1"))]);
    for (let n = 0; n < 10; n++) {
      clock.now += 60_000;
      await run([received(queued("1"))]);
    }
    expect(cards.of(key("1")).delivery).toMatchObject({ state: "retrying", attempts: 10 });
  });
});

test("an outcome that cannot be held against what is stored is not recorded, a delivery is", async () => {
  const { cards, run } = world((ids) => (ids.includes("bad") ? status(422) : echo(ids)));
  const table = { ...cards.table };
  let looks = 0;
  const failing = world((ids) => (ids.includes("bad") ? status(422) : echo(ids)), {
    cards: {
      ...table,
      readRecords: async (keys) => {
        if (looks++ > 0) throw new Error("throttled");
        return table.readRecords(keys);
      },
    },
  });
  await cards.table.putCards([stored(queued("bad")), stored(queued("good"))]);
  const kept = await failing.run([received(queued("bad")), received(queued("good"))]);
  expect(kept).toContain("green-bad-first");
  expect(cards.of(key("good")).delivery?.state).toBe("delivered");
  await run([received(queued("bad"))]);
  expect(cards.of(key("bad")).delivery?.state).toBe("rejected");
});

test("when the table refuses every read, all messages come back later, each at a time of its own", async () => {
  const chances = [0.2, 0.6];
  const { cards, postponed, run } = world(echo, { random: () => chances.pop() ?? 0 });
  await cards.table.putCards([stored(queued("1")), stored(queued("2"))]);
  cards.refuse(1);
  const messages = ["1", "2"].map((id) => received(queued(id), { receives: 6 }));
  expect(await run(messages)).toEqual(["green-1-first", "green-2-first"]);
  expect(postponed.map(({ seconds }) => seconds)).toEqual([39, 13]);
});
