import { expect, test } from "vitest";
import type { WakeUp } from "../../../core/cards/delivery/queue.ts";
import { erasedHash, type StoredCard } from "../../../core/cards/life/card.ts";
import { deliverNow } from "../../../core/cards/resend.ts";
import { RefusalError } from "../../../core/golf/refusal.ts";
import { problemOf } from "../../../functions/http/problem.ts";
import { hour, minute } from "../../durations.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";
import { settings } from "./delivery-world.ts";

const now = start + hour;

/** Asks for a card to be delivered now. */
function asking(given?: Partial<StoredCard>) {
  const cards = scorecardsInMemory();
  if (given !== undefined) cards.put(storedCard("417", given));
  const sent: WakeUp[] = [];
  const queue = { refuses: false };
  const answer = () =>
    deliverNow(green, "417", {
      table: cards.table,
      async send(wakeUps) {
        if (queue.refuses) throw new Error("refused");
        sent.push(...wakeUps);
      },
      now: () => new Date(now),
      timing: settings.timing,
    }).then(
      () => undefined,
      (error: unknown) => (error instanceof RefusalError ? problemOf(error).problem : error),
    );
  return { cards, sent, queue, answer };
}

test("a card that waits for its next attempt is tried at once", async () => {
  const { answer, cards, sent } = asking({ state: "retrying", attempts: 3, nextAttemptAt: now + minute });
  expect(await answer()).toBeUndefined();
  expect(cards.of("417")).toMatchObject({ state: "retrying", attempts: 3, nextAttemptAt: undefined });
  // When its last post was recorded is what a withdrawal relies on.
  expect(cards.of("417")?.since).toBe(storedCard("417").since);
  const wakeUp = { apiSet: green, externalId: "417", version: 1, madeAt: now, delaySeconds: 0 };
  expect(sent).toEqual([{ ...wakeUp, mark: "inserted" }]);
  // Its own wake-up, which comes later, is void.
  expect(cards.of("417")?.wokenAt).toBe(now);
});

test("a card that has not been tried is woken up once, however often that is asked for until its wake-up comes", async () => {
  const { answer, sent } = asking({});
  expect([await answer(), await answer()]).toEqual([undefined, undefined]);
  expect(sent).toHaveLength(1);
});

test.each(["undelivered", "rejected"] as const)(
  "a card that is %s is sent on with two more days",
  async (state) => {
    const { answer, cards, sent } = asking({ state, attempts: 700 });
    expect(await answer()).toBeUndefined();
    expect(cards.of("417")).toMatchObject({ state: "queued", version: 2, acceptedAt: now, attempts: 0 });
    expect(sent).toMatchObject([{ version: 2 }]);
  },
);

test.each(["delivered", "withdrawing", "withdrawn"] as const)(
  "a card that is %s has nothing to deliver, and the answer says what to do",
  async (state) => {
    const { answer, sent } = asking({ state });
    expect(await answer()).toMatchObject({
      status: 409,
      detail: expect.stringMatching(/Send a correction|Submit it again|Ask again/),
    });
    expect(sent).toEqual([]);
  },
);

test.each(["undelivered", "rejected"] as const)(
  "a card that is %s and of which a person was erased is not sent on: the exchange would take what is left",
  async (state) => {
    const { answer, sent } = asking({ state, contentHash: erasedHash });
    expect(await answer()).toMatchObject({ status: 409, detail: expect.stringContaining("Submit it again") });
    expect(sent).toEqual([]);
  },
);

test("a card that nobody sent is unknown", async () => {
  expect(await asking().answer()).toMatchObject({ status: 404 });
});

test("a card that changes while it is sent on is answered with 503", async () => {
  const { answer, cards } = asking({ state: "undelivered" });
  cards.hooks.beforeWrite = async () => cards.put(storedCard("417", { state: "queued", version: 2 }));
  expect(await answer()).toMatchObject({ status: 503 });
});

test("if the queue or the table refuses the answer is 503, and the card still has its own wake-up", async () => {
  const { answer, cards, queue } = asking({ state: "retrying", nextAttemptAt: now + minute });
  cards.refuse(1);
  expect(await answer()).toMatchObject({ status: 503 });
  queue.refuses = true;
  expect(await answer()).toMatchObject({ status: 503 });
  queue.refuses = false;
  expect(await answer()).toBeUndefined();
});
