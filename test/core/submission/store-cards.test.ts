import { expect, test, vi } from "vitest";
import type { StoredCard } from "../../../core/store/scorecard-table.ts";
import { cardStore } from "../../../core/submission/store-cards.ts";
import { key, queued, start, stored } from "../delivery/delivery-world.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";

const card = (externalId: string, given: Partial<StoredCard> = {}) => stored(queued(externalId), given);
const correction = card("2", { revision: "second", acceptedAt: start + 500 });
const inTime = new AbortController().signal;

/** A table in memory, whose first puts do what they are told, and how often it was looked at. */
function world(...puts: ((signal: AbortSignal | undefined) => Promise<void>)[]) {
  const cards = scorecardsInMemory();
  const clock = { now: start };
  let looks = 0;
  const store = cardStore(
    {
      async readRecords(keys) {
        looks++;
        return cards.table.readRecords(keys);
      },
      async putCards(some, signal) {
        await puts.shift()?.(signal);
        await cards.table.putCards(some, signal);
      },
    },
    () => new Date(clock.now),
  );
  return { cards, clock, store, looks: () => looks };
}

test("cards that were looked up just now are stored without another look", async () => {
  const { cards, store, looks } = world();
  await store([card("1")], start, inTime);
  expect(cards.of(key("1")).card?.revision).toBe("first");
  expect(looks()).toBe(0);
});

test("a slow submission does not undo a correction that came after the same cards had been sent again", async () => {
  const { cards, clock, store } = world();
  await cards.table.putCards([card("1", { acceptedAt: start - 1 }), correction]);
  clock.now += 1001;
  await store([card("1"), card("2"), card("3")], start, inTime);
  expect(["1", "2", "3"].map((id) => cards.of(key(id)).card)).toEqual(
    [card("1"), correction, card("3")].map((one) =>
      expect.objectContaining({ revision: one.revision, acceptedAt: one.acceptedAt }),
    ),
  );
});

test("nor does one whose table takes too long: what is not stored soon is looked up again", async () => {
  const soon = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(soon.signal);
  const { cards, clock, store } = world(async (signal) => {
    await cards.table.putCards([correction]);
    clock.now += 2000;
    soon.abort(new DOMException("The time is up.", "TimeoutError"));
    signal?.throwIfAborted();
  });
  await store([card("2")], start, inTime);
  expect(cards.of(key("2")).card?.revision).toBe("second");
});

test("what the table refuses is refused, and nothing is asked for again when the submission's time is up", async () => {
  const refusing = world(() => Promise.reject(new Error("refused")));
  await expect(refusing.store([card("1")], start, inTime)).rejects.toThrow("refused");
  const late = world();
  await expect(late.store([card("1")], start, AbortSignal.abort(new Error("too late")))).rejects.toThrow(
    "too late",
  );
  expect(late.cards.of(key("1")).card).toBeUndefined();
});
