import { expect, test } from "vitest";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { type CardHappening, happened } from "../../../core/cards/life/happened.ts";
import {
  bodyOf,
  eventsOfBreaker,
  eventsOfChange,
  groupEvents,
  replayedEvents,
} from "../../../core/webhooks/event.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";

const update = (card: StoredCard, before: StoredCard | undefined, sequenceNumber: string): CardHappening => ({
  card,
  before,
  sequenceNumber,
  events: happened(before, card),
});
const queued = (name: string) => storedCard(name);
const as = (card: StoredCard, given: Partial<StoredCard>): StoredCard => ({ ...card, ...given });

test.each(["delivered", "rejected", "undelivered", "withdrawn"] as const)(
  "a card that becomes %s is told with its status, its version and what it corrects",
  (state) => {
    const failure = { phase: "after", status: 422, message: "no such player" } as const;
    const corrects = { version: 0, changed: ["strokes"] } as const;
    const card = as(queued("1"), { state, attempts: 2, corrects, ...(state === "rejected" && { failure }) });
    const [event, ...others] = eventsOfChange(update(card, queued("1"), "7"), "shard");
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: `scorecard.${state}`,
      timestamp: new Date(start).toISOString(),
      data: { apiSet: "green", cards: [{ externalId: "1", version: 1, state, attempts: 2, corrects }] },
    });
    expect(JSON.stringify(event)).not.toContain(card.contentHash);
    expect(Object.keys(JSON.parse(event === undefined ? "" : bodyOf(event)))).toEqual([
      "type",
      "timestamp",
      "data",
    ]);
  },
);

test("a withdrawn card that turns out to be at the exchange, perhaps, is told once more, and says so", () => {
  const withdrawn = as(queued("1"), { version: 2, state: "withdrawn" });
  const found = as(withdrawn, { maybeAtExchange: 1 });
  const [event, ...others] = eventsOfChange(update(found, withdrawn, "8"), "shard");
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    type: "scorecard.withdrawn",
    data: { cards: [{ state: "withdrawn", maybeDelivered: true }] },
  });
  const again = as(found, { atExchange: 1 });
  expect(eventsOfChange(update(again, found, "9"), "shard")).toEqual([]);
});

test.each([true, false])(
  "whether a card is in the player's record (%s) is told once, with when that was found",
  (isRecorded) => {
    const delivered = as(queued("1"), { state: "delivered" });
    const checked = as(delivered, { record: { at: start + 60_000, isRecorded, differential: 246_000 } });
    const [event, ...others] = eventsOfChange(update(checked, delivered, "1"), "shard");
    expect(others).toEqual([]);
    const name = isRecorded ? "recorded" : "not_recorded";
    expect(event).toMatchObject({
      type: `scorecard.${name}`,
      timestamp: "2026-06-01T12:01:00.000Z",
      data: { cards: [{ state: "delivered", record: { state: name, differential: 246_000 } }] },
    });
    const later = as(checked, { maybeAtExchange: 1 });
    expect(eventsOfChange(update(later, checked, "2"), "shard")).toEqual([]);
  },
);

test("many cards share events of a hundred, and the same changes make the same IDs", () => {
  const updates = Array.from({ length: 250 }, (_, place) => {
    const before = queued(String(place));
    return update(as(before, { state: "delivered" }), before, String(place));
  });
  const grouped = () => groupEvents(updates.flatMap((one) => eventsOfChange(one, "shard")));
  const events = grouped();
  expect(events.map(({ data }) => data.cards?.length)).toEqual([100, 100, 50]);
  expect(new Set(events.map(({ id }) => id)).size).toBe(3);
  expect(grouped().map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  const cards = updates.map(({ card }) => card);
  const replayed = new Set(replayedEvents(cards, "again").map(({ id }) => id));
  expect(replayed.difference(new Set(replayedEvents(cards, "once more").map(({ id }) => id))).size).toBe(250);
});

test("a breaker that opens and one that closes is told, and a probe is not", () => {
  const failure = { phase: "after", status: 503, message: "The exchange answered 503." } as const;
  const open = { since: start, failure, nextProbeAt: start + 1 };
  const of = { apiSet: green, sequenceNumber: "1" };
  expect(eventsOfBreaker({ ...of, open, before: undefined }, "shard", start)).toMatchObject([
    {
      type: "delivery.paused",
      data: { paused: { since: new Date(start).toISOString(), lastError: { status: 503 } } },
    },
  ]);
  expect(eventsOfBreaker({ ...of, open: undefined, before: open }, "shard", start + 5)).toMatchObject([
    { type: "delivery.resumed", timestamp: new Date(start + 5).toISOString() },
  ]);
  const probed = { ...of, open, before: { ...open, probing: "417" } };
  expect(eventsOfBreaker(probed, "shard", start)).toEqual([]);
});
