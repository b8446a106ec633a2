import { describe, expect, test } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import { correctionTimes } from "../../../core/delivery/correction-times.ts";
import { createDelivery, type DeliveryParts } from "../../../core/delivery/deliver.ts";
import { type CardMessage, writeMessage } from "../../../core/delivery/message.ts";
import type { Postponement } from "../../../core/delivery/queue.ts";
import type { ReceivedMessage } from "../../../core/delivery/sort-messages.ts";
import { contentOf } from "../../../core/store/card-content.ts";
import type { StoredCard } from "../../../core/store/scorecard-table.ts";
import { CredentialsUnavailable } from "../../../core/union/account.ts";
import type { PostResult } from "../../../core/union/exchange.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";

const green = "green" as ApiSet;
const red = "red" as ApiSet;
const start = Date.UTC(2026, 5, 1, 12);
const hours = 3_600_000;

/** A delivery with a table in memory, a clock that is set by hand, and an exchange that answers by a rule. */
function world(
  exchange: (ids: readonly string[], apiSet: string) => PostResult = echo,
  given: Partial<DeliveryParts> = {},
) {
  const cards = scorecardsInMemory();
  const posts: { apiSet: string; ids: string[] }[] = [];
  const postponed: Postponement[] = [];
  const dead: string[] = [];
  const clock = { now: start };
  const deliver = createDelivery({
    settings: {
      postSize: 50,
      parallelPosts: 4,
      postTimeoutMilliseconds: 10_000,
      giveUpMilliseconds: 48 * hours,
      backoffCapSeconds: 300,
      correction: correctionTimes(30),
    },
    cards: cards.table,
    account: async (apiSet) => ({ username: apiSet, password: "", apiSet, token: "" }),
    forgetAccount: () => undefined,
    post: async (account, array) => {
      const ids = array.map(({ externalId }) => externalId);
      posts.push({ apiSet: account.apiSet, ids });
      return exchange(ids, account.apiSet);
    },
    postpone: async (all) => {
      postponed.push(...all);
    },
    sendToDeadLetters: async (bodies) => {
      dead.push(...bodies);
    },
    now: () => new Date(clock.now),
    random: () => 0.5,
    log: () => undefined,
    ...given,
  });
  const run = (messages: readonly ReceivedMessage[]) => deliver(messages, () => 60_000);
  return { cards, posts, postponed, dead, clock, run };
}

function echo(ids: readonly string[]): PostResult {
  return { stage: "after", status: 200, words: "", echoed: new Set(ids) };
}

const status = (code: number, retryAfterSeconds?: number): PostResult => ({
  stage: "after",
  status: code,
  words: "",
  echoed: new Set(),
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

function message(externalId: string, given: Partial<CardMessage> = {}): CardMessage {
  return {
    apiSet: green,
    externalId,
    revision: "first",
    acceptedAt: start,
    content: contentOf({ ExternalID: externalId }),
    ...given,
  };
}

function received(card: CardMessage, given: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const messageId = `${card.apiSet}-${card.externalId}-${card.revision}`;
  const body = writeMessage(card);
  return { messageId, receiptHandle: `r-${messageId}`, body, sentAt: start, receives: 1, ...given };
}

function stored(card: CardMessage, given: Partial<StoredCard> = {}): StoredCard {
  const { apiSet, externalId, revision, acceptedAt } = card;
  return {
    apiSet,
    externalId,
    revision,
    contentHash: revision,
    acceptedAt,
    content: card.content,
    ...given,
  };
}

const key = (externalId: string, apiSet = green) => ({ apiSet, externalId });

describe("a card that was accepted", () => {
  test("is posted, and its delivery recorded", async () => {
    const { cards, posts, run } = world();
    await cards.table.putCards([stored(message("1"))]);
    expect(await run([received(message("1"))])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
    expect(cards.of(key("1")).delivery).toMatchObject({ state: "delivered", attempts: 1, revision: "first" });
  });

  test("is not posted again once its outcome is recorded", async () => {
    const { cards, posts, run } = world();
    await cards.table.putCards([stored(message("1"))]);
    await run([received(message("1"))]);
    expect(await run([received(message("1"), { messageId: "twin" })])).toEqual([]);
    expect(posts).toHaveLength(1);
  });

  test("is posted once though its message comes twice in one batch", async () => {
    const { cards, posts, run } = world();
    await cards.table.putCards([stored(message("1"))]);
    expect(await run([received(message("1")), received(message("1"), { messageId: "twin" })])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
  });

  test("stays in the queue when its outcome cannot be recorded", async () => {
    const { cards, run } = world(echo, { random: () => 0 });
    await cards.table.putCards([stored(message("1"))]);
    const failing = world(echo, {
      cards: {
        ...cards.table,
        putDeliveries: async () => {
          throw new Error("throttled");
        },
      },
    });
    expect(await failing.run([received(message("1"))])).toEqual(["green-1-first"]);
    expect(await run([received(message("1"))])).toEqual([]);
  });
});

describe("a card that is not what is stored", () => {
  test("is dropped when a correction has superseded it", async () => {
    const { cards, posts, clock, run } = world();
    await cards.table.putCards([stored(message("1", { revision: "second" }))]);
    clock.now += 31_000;
    expect(await run([received(message("1"))])).toEqual([]);
    expect(posts).toEqual([]);
  });

  test("waits while it may still be stored after another that was sent at the same time", async () => {
    const { cards, posts, postponed, clock, run } = world();
    await cards.table.putCards([stored(message("1", { revision: "other" }))]);
    expect(await run([received(message("1"))])).toEqual(["green-1-first"]);
    expect(postponed[0]?.seconds).toBe(30);
    await cards.table.putCards([stored(message("1"))]);
    clock.now += 30_000;
    expect(await run([received(message("1"))])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
  });

  test("whose submission was sent again goes out with the later message only", async () => {
    const { cards, posts, clock, run } = world();
    await cards.table.putCards([stored(message("1", { acceptedAt: start + 1000 }))]);
    expect(await run([received(message("1"))])).toEqual(["green-1-first"]);
    const later = received(message("1", { acceptedAt: start + 1000 }), { messageId: "later" });
    expect(await run([later])).toEqual([]);
    clock.now += 31_000;
    expect(await run([received(message("1"))])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
  });

  test("is not posted before its next attempt, though its message comes early", async () => {
    const { cards, posts, postponed, clock, run } = world(() => status(503));
    await cards.table.putCards([stored(message("1"))]);
    await run([received(message("1"), { receives: 6 })]);
    clock.now += 12_000;
    expect(await run([received(message("1"), { messageId: "twin" })])).toEqual(["twin"]);
    expect(postponed.at(-1)).toEqual({ receiptHandle: "r-green-1-first", seconds: 20 });
    expect(posts).toHaveLength(1);
  });

  test("waits while its submission is still being stored, then is dropped", async () => {
    const { postponed, posts, clock, run } = world();
    expect(await run([received(message("1"))])).toEqual(["green-1-first"]);
    expect(postponed).toEqual([{ receiptHandle: "r-green-1-first", seconds: 2 }]);
    clock.now += 31_000;
    expect(await run([received(message("1"))])).toEqual([]);
    expect(posts).toEqual([]);
  });

  test("waits while the card it corrects is still the stored one", async () => {
    const { cards, posts, run } = world();
    await cards.table.putCards([stored(message("1"))]);
    const correction = message("1", { revision: "second", corrects: "first" });
    expect(await run([received(correction)])).toEqual(["green-1-second"]);
    await cards.table.putCards([stored(correction)]);
    expect(await run([received(correction)])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
  });

  test("is dropped when the vendor has withdrawn it", async () => {
    const { cards, posts, clock, run } = world();
    clock.now += 31_000;
    await cards.table.putCards([stored(message("1", { revision: "tombstone" }), { withdraws: "first" })]);
    expect(await run([received(message("1"))])).toEqual([]);
    expect(posts).toEqual([]);
  });

  test("that cannot even be read is put aside, and the others are delivered", async () => {
    const { cards, dead, posts, run } = world();
    await cards.table.putCards([stored(message("1"))]);
    const broken = { ...received(message("2")), body: "{" };
    expect(await run([broken, received(message("1"))])).toEqual([]);
    expect(dead).toEqual(["{"]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1"] }]);
  });
});

describe("a correction", () => {
  test("keeps the outcome of what it corrects", async () => {
    const { cards, run } = world();
    await cards.table.putCards([stored(message("1"))]);
    await run([received(message("1"))]);
    const correction = message("1", { revision: "second", corrects: "first" });
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
      const all = Array.from({ length: 101 }, (_, n) => message(String(n)));
      await slow.cards.table.putCards(all.map((card) => stored(card)));
      const running = slow.run(all.map((card) => received(card)));
      await slow.cards.table.putCards([stored(message("100", { revision: "second" }))]);
      await running;
      expect(slow.posts.flatMap(({ ids }) => ids)).not.toContain("100");
    },
  );

  test("of which the original's outcome comes late is not undone by it", async () => {
    const cards = scorecardsInMemory();
    const signals: (AbortSignal | undefined)[] = [];
    const slow = world(
      (ids) => {
        slow.clock.now += 31_000;
        return echo(ids);
      },
      {
        cards: {
          ...cards.table,
          putDeliveries: async (_, signal) => {
            await new Promise((resolve) => signal?.addEventListener("abort", resolve));
            signals.push(signal);
            signal?.throwIfAborted();
          },
        },
      },
    );
    await cards.table.putCards([stored(message("1"))]);
    expect(await slow.run([received(message("1"))])).toEqual(["green-1-first"]);
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe("when the exchange fails", () => {
  test("every card comes back later and the vendor sees why", async () => {
    const { cards, postponed, run } = world(() => status(503));
    await cards.table.putCards([stored(message("1"))]);
    expect(await run([received(message("1"), { receives: 4 })])).toEqual(["green-1-first"]);
    expect(postponed).toEqual([{ receiptHandle: "r-green-1-first", seconds: 8 }]);
    const { delivery } = cards.of(key("1"));
    expect(delivery).toMatchObject({
      state: "retrying",
      attempts: 1,
      failure: { stage: "after", status: 503 },
    });
    expect(delivery?.nextAttemptAt).toBe(start + 8000);
  });

  test("no card waits longer than the cap", async () => {
    const { cards, postponed, run } = world(() => status(503), { random: () => 0.999 });
    await cards.table.putCards([stored(message("1"))]);
    await run([received(message("1"), { receives: 500 })]);
    expect(postponed[0]?.seconds).toBe(300);
  });

  test("Retry-After is respected, for later batches too", async () => {
    const { cards, posts, postponed, clock, run } = world(() => status(429, 120));
    await cards.table.putCards([stored(message("1")), stored(message("2"))]);
    await run([received(message("1"))]);
    expect(postponed.at(-1)?.seconds).toBe(120);
    clock.now += 60_000;
    expect(await run([received(message("2"))])).toEqual(["green-2-first"]);
    expect(postponed.at(-1)?.seconds).toBe(60);
    expect(posts).toHaveLength(1);
  });

  test("one vendor's refused credentials do not delay another's cards", async () => {
    const { cards, posts, run } = world((ids, apiSet) => (apiSet === "red" ? status(401) : echo(ids)));
    const reds = Array.from({ length: 60 }, (_, n) => message(`r${n}`, { apiSet: red }));
    await cards.table.putCards([...reds, message("1")].map((card) => stored(card)));
    const kept = await run([...reds, message("1")].map((card) => received(card)));
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
    await cards.table.putCards([stored(message("1"))]);
    expect(await run([received(message("1"))])).toEqual(["green-1-first"]);
    expect(posts).toEqual([]);
    expect(cards.of(key("1")).delivery).toMatchObject({
      state: "retrying",
      attempts: 0,
      failure: { stage: "before" },
    });
  });

  test("after two days a card is undelivered and its message put aside", async () => {
    const { cards, dead, clock, run } = world(() => status(503));
    await cards.table.putCards([stored(message("1"))]);
    clock.now += 48 * hours;
    expect(await run([received(message("1"))])).toEqual([]);
    expect(cards.of(key("1")).delivery?.state).toBe("undelivered");
    expect(dead).toEqual([writeMessage(message("1"))]);
  });

  test("a card that cannot be put aside stays in the queue", async () => {
    const { cards, clock, run } = world(() => status(503), {
      sendToDeadLetters: async () => {
        throw new Error("refused");
      },
    });
    await cards.table.putCards([stored(message("1"))]);
    clock.now += 48 * hours;
    expect(await run([received(message("1"))])).toEqual(["green-1-first"]);
    expect(cards.of(key("1")).delivery?.state).not.toBe("undelivered");
  });

  test("a card that alone keeps breaking the exchange while others go through is rejected in the end", async () => {
    const { cards, clock, run } = world((ids) => (ids.includes("bad") ? status(500) : echo(ids)));
    await cards.table.putCards([stored(message("bad"))]);
    const states: (string | undefined)[] = [];
    for (let n = 1; n <= 8; n++) {
      clock.now += 60_000;
      await cards.table.putCards([stored(message(`good-${n}`))]);
      await run([received(message(`good-${n}`)), received(message("bad"))]);
      states.push(cards.of(key("bad")).delivery?.state);
    }
    expect(states).toEqual([...Array(7).fill("retrying"), "rejected"]);
  });

  test("cards that have broken the exchange alone go by themselves and last, and stop no other", async () => {
    const bad = ["bad-1", "bad-2", "bad-3", "bad-4"];
    const { cards, posts, clock, run } = world((ids) =>
      ids.some((id) => bad.includes(id)) ? status(500) : echo(ids),
    );
    await cards.table.putCards([...bad, "good"].map((id) => stored(message(id))));
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
    await run([...bad, "good"].map((id) => received(message(id))));
    expect(cards.of(key("good")).delivery?.state).toBe("delivered");
    expect(posts.map(({ ids }) => ids)).toEqual([["good"], ["bad-1"], ["bad-2"], ["bad-3"]]);
  });

  test("a card that fails alone while nothing goes through is not rejected", async () => {
    const { cards, clock, run } = world(() => status(500));
    await cards.table.putCards([stored(message("1"))]);
    for (let n = 0; n < 10; n++) {
      clock.now += 60_000;
      await run([received(message("1"))]);
    }
    expect(cards.of(key("1")).delivery).toMatchObject({ state: "retrying", attempts: 10 });
  });
});

describe("two messages of one card in two runs at once", () => {
  test("leave it delivered, though the second post failed", async () => {
    const answers: PostResult[] = [];
    const { cards, postponed, run } = world(() => answers.shift() ?? status(503));
    await cards.table.putCards([stored(message("1"))]);
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
    const second = other.run([received(message("1"), { messageId: "twin" })]);
    answers.push(echo(["1"]));
    await run([received(message("1"))]);
    slow.resolve();
    expect(await second).toEqual([]);
    expect(cards.of(key("1")).delivery?.state).toBe("delivered");
    expect(postponed).toEqual([]);
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
  await cards.table.putCards([stored(message("bad")), stored(message("good"))]);
  const kept = await failing.run([received(message("bad")), received(message("good"))]);
  expect(kept).toContain("green-bad-first");
  expect(cards.of(key("good")).delivery?.state).toBe("delivered");
  await run([received(message("bad"))]);
  expect(cards.of(key("bad")).delivery?.state).toBe("rejected");
});

test("when the table refuses every read, all messages come back later", async () => {
  const { cards, postponed, run } = world();
  await cards.table.putCards([stored(message("1"))]);
  cards.refuse(1);
  expect(await run([received(message("1"))])).toEqual(["green-1-first"]);
  expect(postponed).toHaveLength(1);
});
