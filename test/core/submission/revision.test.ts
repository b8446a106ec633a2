import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import type { CardHistory, CardRecord, DeliveryRecord } from "../../../core/store/scorecard-table.ts";
import { correctionDelay, planCard } from "../../../core/submission/revision.ts";
import { deliveryStates } from "../../../core/tracking/state.ts";

const key = { apiSet: "green" as ApiSet, externalId: "417" };
const card = (given: Partial<CardRecord> = {}): CardRecord => ({
  ...key,
  revision: "five",
  contentHash: "five",
  acceptedAt: 0,
  ...given,
});
const delivery = (given: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  ...key,
  revision: "five",
  state: "delivered",
  attempts: 1,
  aloneFailures: 0,
  since: 0,
  ...given,
});

test("a card never seen is new", () => {
  expect(planCard("five", undefined)).toEqual({ kind: "new", revision: "five" });
});

test.each(["delivered", "rejected", "retrying"] as const)(
  "the same content again changes nothing once it is %s",
  (state) => {
    expect(planCard("five", { card: card(), delivery: delivery({ state }) }).kind).toBe("repeat");
  },
);

test("the same content again changes nothing while it is queued", () => {
  expect(planCard("five", { card: card() }).kind).toBe("repeat");
});

test("the same content again sends a given-up card on", () => {
  const history = { card: card(), delivery: delivery({ state: "undelivered" }) };
  expect(planCard("five", history)).toEqual({ kind: "revive", revision: "five" });
});

test("other content is a correction of what is stored", () => {
  expect(planCard("four", { card: card() })).toMatchObject({ kind: "correction", corrects: "five" });
});

const minute = 60_000;
test.each<[string, CardHistory, number]>([
  ["has no outcome waits its whole delay", { card: card() }, 30],
  [
    "is being tried again waits its whole delay",
    { card: card(), delivery: delivery({ state: "retrying" }) },
    30,
  ],
  ["was delivered long ago goes at once", { card: card(), delivery: delivery() }, 0],
  ["was refused long ago goes at once", { card: card(), delivery: delivery({ state: "rejected" }) }, 0],
  [
    "was delivered just now waits until a second post of it must have ended",
    { card: card(), delivery: delivery({ since: minute - 5000 }) },
    25,
  ],
  [
    "has the outcome of an earlier revision only waits",
    { card: card(), delivery: delivery({ revision: "six" }) },
    30,
  ],
  [
    "was withdrawn too late goes at once",
    { card: card({ revision: "tombstone", withdraws: "five" }), delivery: delivery() },
    0,
  ],
])("a correction of a card that %s", (_, history, seconds) => {
  expect(correctionDelay(history, minute, 30)).toBe(seconds);
});

test("content that was withdrawn too late changes nothing when it is sent again", () => {
  const history = { card: card({ revision: "tombstone", withdraws: "five" }), delivery: delivery() };
  expect(planCard("five", history).kind).toBe("repeat");
});

test("a withdrawn card sent again is a correction of its withdrawal", () => {
  const history = { card: card({ revision: "tombstone", withdraws: "five" }) };
  expect(planCard("five", history)).toMatchObject({ kind: "correction", corrects: "tombstone" });
});

test("the same correction sent twice at once gets one revision", () => {
  expect(planCard("four", { card: card() })).toEqual(planCard("four", { card: card() }));
});

test("however a card is corrected to and fro, no two revisions are ever the same", () => {
  const contents = fc.array(fc.constantFrom("five", "four", "six"), { minLength: 1, maxLength: 30 });
  const states = fc.option(fc.constantFrom(...deliveryStates), { nil: undefined });
  fc.assert(
    fc.property(contents, states, (sent, state) => {
      const revisions: string[] = [];
      let history: CardHistory = {};
      for (const contentHash of sent) {
        const plan = planCard(contentHash, history);
        if (plan.kind === "repeat" || plan.kind === "revive") continue;
        revisions.push(plan.revision);
        const record = card({ revision: plan.revision, contentHash });
        history =
          state === undefined
            ? { card: record }
            : { card: record, delivery: delivery({ revision: plan.revision, state }) };
      }
      expect(new Set(revisions).size).toBe(revisions.length);
    }),
  );
});
