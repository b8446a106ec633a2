import { describe, expect, test } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import { ProblemError } from "../../../core/problem/problem.ts";
import { contentOf } from "../../../core/store/card-content.ts";
import type { DeliveryRecord, StoredCard } from "../../../core/store/scorecard-table.ts";
import { createWithdrawal } from "../../../core/submission/withdraw.ts";
import { cardStatus } from "../../../core/tracking/card-status.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";

const green = "green" as ApiSet;
const key = { apiSet: green, externalId: "417" };
const start = Date.UTC(2026, 5, 1, 12);
const minute = 60_000;

const stored = (given: Partial<StoredCard> = {}): StoredCard => ({
  ...key,
  revision: "five",
  contentHash: "five",
  acceptedAt: start - minute,
  content: contentOf({ ID: "an-id" }),
  ...given,
});
const record = (given: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  ...key,
  revision: "five",
  state: "delivered",
  attempts: 1,
  aloneFailures: 0,
  since: start - minute,
  ...given,
});
/** Tried a minute ago, and again in a minute. */
const planned = (given: Partial<DeliveryRecord> = {}) =>
  record({ state: "retrying", nextAttemptAt: start + minute, ...given });

/** Withdraws from a table in memory, with a clock that runs only while the withdrawal waits. */
async function world(card?: StoredCard, delivery?: DeliveryRecord, correctionDelaySeconds = 30) {
  const cards = scorecardsInMemory();
  if (card !== undefined) await cards.table.putCards([card]);
  if (delivery !== undefined) await cards.table.putDeliveries([delivery]);
  const clock = { now: start };
  const happening: (() => Promise<void>)[] = [];
  const withdraw = createWithdrawal({
    cards: cards.table,
    now: () => new Date(clock.now),
    wait: async (milliseconds) => {
      await happening.shift()?.();
      clock.now += milliseconds;
    },
    correctionDelaySeconds,
  });
  const answer = () =>
    withdraw(green, "417").then(
      () => 204,
      (error: unknown) => (error instanceof ProblemError ? error.problem.status : 500),
    );
  return {
    cards,
    clock,
    answer,
    /** Has this happen while the withdrawal waits. */
    meanwhile: (what: () => Promise<void>) => happening.push(what),
    waited: () => clock.now - start,
    state: () => cardStatus("417", cards.of(key)).state,
  };
}

test("a card that nobody sent cannot be withdrawn", async () => {
  const { answer } = await world();
  expect(await answer()).toBe(404);
});

test.each(["delivered", "rejected"] as const)(
  "a card that is %s cannot be withdrawn any more",
  async (state) => {
    const { answer, state: now } = await world(stored(), record({ state }));
    expect([await answer(), now()]).toEqual([409, state]);
  },
);

test("a card that waits for a later attempt is withdrawn at once", async () => {
  const { answer, state, waited } = await world(stored(), planned());
  expect([await answer(), state(), waited()]).toEqual([204, "withdrawn", 0]);
});

test("an outcome that was recorded while the withdrawal was being stored is found, where nothing is waited for, too", async () => {
  const { cards, answer, state } = await world(stored(), planned());
  const { putCards } = cards.table;
  cards.table.putCards = async (...given) => {
    await putCards(...given);
    await cards.table.putDeliveries([record({ since: start })]);
  };
  expect([await answer(), state()]).toEqual([409, "delivered"]);
});

describe("a post may be under way", () => {
  test.each<[string, DeliveryRecord | undefined, number]>([
    ["when nothing has been tried yet", undefined, 15_000],
    ["when the last attempt was just now", planned({ since: start }), 15_000],
    [
      "as long again as the record of the last attempt may have taken",
      planned({ since: start - 20_000 }),
      10_000,
    ],
    ["when the next attempt is due", planned({ nextAttemptAt: start }), 15_000],
    ["when only what the card corrects has an outcome", planned({ revision: "six" }), 15_000],
  ])("%s: the withdrawal waits until none can be", async (_, delivery, milliseconds) => {
    const { answer, state, waited } = await world(stored(), delivery);
    expect([await answer(), state(), waited()]).toEqual([204, "withdrawn", milliseconds]);
  });

  test("and comes to an outcome: the withdrawal is refused as soon as that is known", async () => {
    const { cards, answer, state, meanwhile, waited } = await world(stored());
    meanwhile(() => cards.table.putDeliveries([record({ since: start })]));
    expect([await answer(), state()]).toEqual([409, "delivered"]);
    expect(waited()).toBeLessThan(1000);
  });

  test("and the card comes in with other content: the withdrawal is refused, and that stands", async () => {
    const { cards, answer, state, meanwhile } = await world(stored());
    meanwhile(() => cards.table.putCards([stored({ revision: "four", contentHash: "four" })]));
    expect([await answer(), state()]).toEqual([409, "queued"]);
  });

  test("also when it is asked for a second time: from when it can have been stored last", async () => {
    const { cards, clock, answer, waited } = await world(stored());
    const first = await world(stored());
    await first.answer();
    const withdrawn = first.cards.of(key).card;
    if (withdrawn === undefined) throw new Error("There is no card.");
    await cards.table.putCards([withdrawn]);
    clock.now += 10_000;
    expect([await answer(), waited()]).toEqual([204, 30_000]);
  });

  test("for longer than API Gateway waits: the answer is 503, and the withdrawal stands", async () => {
    const { answer, state, waited } = await world(stored(), undefined, 100);
    expect([await answer(), state(), waited()]).toEqual([503, "withdrawn", 25_000]);
  });
});

test("a table that refuses is an answer 503, and the withdrawal may be asked for again", async () => {
  const { cards, answer } = await world(stored(), planned());
  cards.refuse(1);
  expect(await answer()).toBe(503);
  expect(await answer()).toBe(204);
});
