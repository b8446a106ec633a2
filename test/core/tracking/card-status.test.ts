import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import { contentOf } from "../../../core/store/card-content.ts";
import type { DeliveryRecord, StoredCard } from "../../../core/store/scorecard-table.ts";
import { cardStatus } from "../../../core/tracking/card-status.ts";

const key = { apiSet: "green" as ApiSet, externalId: "417" };
const noon = Date.UTC(2026, 5, 1, 12);
const card = (given: Partial<StoredCard> = {}): StoredCard => ({
  ...key,
  revision: "five",
  contentHash: "five",
  acceptedAt: noon,
  content: contentOf({ ID: "an-id" }),
  ...given,
});
const delivery = (given: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  ...key,
  revision: "five",
  state: "delivered",
  attempts: 1,
  aloneFailures: 0,
  since: noon + 1000,
  ...given,
});

test("a card that nobody sent is unknown", () => {
  expect(cardStatus("417", undefined)).toEqual({ externalId: "417", state: "unknown" });
});

test("an accepted card is queued, with its ID and the time it was accepted", () => {
  const status = { externalId: "417", id: "an-id", state: "queued", acceptedAt: "2026-06-01T12:00:00.000Z" };
  expect(cardStatus("417", { card: card() })).toMatchObject(status);
});

test("a retrying card says how often it was tried, what went wrong and when it is tried again", () => {
  const failure = { stage: "after", status: 503, message: "busy" } as const;
  const record = delivery({ state: "retrying", attempts: 3, failure, nextAttemptAt: noon + 60_000 });
  expect(cardStatus("417", { card: card(), delivery: record })).toMatchObject({
    state: "retrying",
    attempts: 3,
    lastError: failure,
    nextAttemptAt: "2026-06-01T12:01:00.000Z",
  });
});

test("a correction of a delivered card is queued, with the earlier outcome beside it", () => {
  const history = { card: card({ revision: "four" }), delivery: delivery() };
  expect(cardStatus("417", history)).toMatchObject({
    state: "queued",
    earlier: [{ state: "delivered", at: "2026-06-01T12:00:01.000Z" }],
  });
});

test("a card withdrawn in time is withdrawn", () => {
  const withdrawn = card({ revision: "tombstone", withdraws: "five" });
  expect(cardStatus("417", { card: withdrawn }).state).toBe("withdrawn");
  expect(cardStatus("417", { card: withdrawn, delivery: delivery({ state: "retrying" }) }).state).toBe(
    "withdrawn",
  );
});

test("a card withdrawn too late is what the exchange made of it", () => {
  const withdrawn = card({ revision: "tombstone", withdraws: "five" });
  expect(cardStatus("417", { card: withdrawn, delivery: delivery() }).state).toBe("delivered");
});
