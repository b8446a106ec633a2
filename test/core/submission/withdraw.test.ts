import { setTimeout as delay } from "node:timers/promises";
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
const correctionDelaySeconds = 0.6;
const deliveringMilliseconds = 300;

const stored = (given: Partial<StoredCard> = {}): StoredCard => ({
  ...key,
  revision: "five",
  contentHash: "five",
  acceptedAt: Date.now() - 60_000,
  content: contentOf({ ID: "an-id" }),
  ...given,
});
const record = (given: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  ...key,
  revision: "five",
  state: "delivered",
  attempts: 1,
  aloneFailures: 0,
  since: Date.now() - 30_000,
  ...given,
});

/** Withdraws from a table in memory; resolves to the status it is answered and how long that took. */
async function world(card?: StoredCard, delivery?: DeliveryRecord) {
  const cards = scorecardsInMemory();
  if (card !== undefined) await cards.table.putCards([card]);
  if (delivery !== undefined) await cards.table.putDeliveries([delivery]);
  const withdraw = createWithdrawal({ cards: cards.table, now: () => new Date(), correctionDelaySeconds });
  const answer = async () => {
    const startedAt = performance.now();
    const status = await withdraw(green, "417").then(
      () => 204,
      (error: unknown) => (error instanceof ProblemError ? error.problem.status : 500),
    );
    return { status, milliseconds: performance.now() - startedAt };
  };
  const state = () => cardStatus("417", cards.of(key)).state;
  return { cards, answer, state };
}

test("a card that nobody sent cannot be withdrawn", async () => {
  const { answer } = await world();
  expect((await answer()).status).toBe(404);
});

test.each(["delivered", "rejected"] as const)(
  "a card that is %s cannot be withdrawn any more",
  async (state) => {
    const { answer, state: now } = await world(stored(), record({ state }));
    expect((await answer()).status).toBe(409);
    expect(now()).toBe(state);
  },
);

test("a card that waits for a later attempt is withdrawn at once", async () => {
  const { answer, state } = await world(
    stored(),
    record({ state: "retrying", nextAttemptAt: Date.now() + 60_000 }),
  );
  const { status, milliseconds } = await answer();
  expect([status, state()]).toEqual([204, "withdrawn"]);
  expect(milliseconds).toBeLessThan(deliveringMilliseconds);
});

describe("a post may be under way", () => {
  test.each<[string, () => DeliveryRecord | undefined]>([
    ["when nothing has been tried yet", () => undefined],
    [
      "when the last attempt was just now",
      () => record({ state: "retrying", since: Date.now(), nextAttemptAt: Date.now() + 60_000 }),
    ],
    ["when the next attempt is due", () => record({ state: "retrying", nextAttemptAt: Date.now() })],
    [
      "when only what the card corrects has an outcome",
      () => record({ revision: "six", state: "retrying", nextAttemptAt: Date.now() + 60_000 }),
    ],
  ])("%s: the withdrawal waits until none can be", async (_, delivery) => {
    const { answer, state } = await world(stored(), delivery());
    const { status, milliseconds } = await answer();
    expect([status, state()]).toEqual([204, "withdrawn"]);
    expect(milliseconds).toBeGreaterThanOrEqual(deliveringMilliseconds - 50);
  });

  test("and comes to an outcome: the withdrawal is refused", async () => {
    const { cards, answer, state } = await world(stored());
    const withdrawing = answer();
    await delay(50);
    await cards.table.putDeliveries([record({ since: Date.now() })]);
    expect((await withdrawing).status).toBe(409);
    expect(state()).toBe("delivered");
  });

  test("for as long again as a record of the last attempt may have taken", async () => {
    const since = Date.now() - deliveringMilliseconds - 100;
    const { answer } = await world(
      stored(),
      record({ state: "retrying", since, nextAttemptAt: Date.now() + 60_000 }),
    );
    const { status, milliseconds } = await answer();
    expect(status).toBe(204);
    expect(milliseconds).toBeGreaterThanOrEqual(deliveringMilliseconds - 150);
  });

  test("and the card comes in with other content: the withdrawal is refused, and that stands", async () => {
    const { cards, answer, state } = await world(stored());
    const withdrawing = answer();
    await delay(50);
    await cards.table.putCards([stored({ revision: "four", contentHash: "four" })]);
    expect((await withdrawing).status).toBe(409);
    expect(state()).toBe("queued");
  });

  test("also when it is asked for a second time", async () => {
    const { answer } = await world(stored());
    const [first, second] = await Promise.all([answer(), delay(50).then(answer)]);
    expect([first.status, second.status]).toEqual([204, 204]);
    expect(second.milliseconds).toBeGreaterThanOrEqual(deliveringMilliseconds - 50);
  });
});

test("a table that refuses is an answer 503, and the withdrawal may be asked for again", async () => {
  const { cards, answer } = await world(
    stored(),
    record({ state: "retrying", nextAttemptAt: Date.now() + 60_000 }),
  );
  cards.refuse(1);
  expect((await answer()).status).toBe(503);
  expect((await answer()).status).toBe(204);
});
