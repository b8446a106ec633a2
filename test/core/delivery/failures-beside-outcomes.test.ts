import { expect, test } from "vitest";
import type { ScorecardTable } from "../../../core/store/scorecard-table.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import { key, queued, received, start, status, stored, world } from "./delivery-world.ts";

const card = queued("417");

test("the failure of a card that was sent again meanwhile is nobody's: it is not recorded, and its message comes back", async () => {
  const { cards, run } = world(() => {
    void cards.table.putCards([stored(card, { acceptedAt: start + 1 })]);
    return status(503);
  });
  await cards.table.putCards([stored(card)]);
  const message = received(card);
  expect(await run([message])).toEqual([message.messageId]);
  expect(cards.written).toEqual([]);
});

test("the failure of a card that was corrected meanwhile is recorded: it is the earlier outcome of its correction", async () => {
  const { cards, run } = world(() => {
    void cards.table.putCards([stored(queued("417", { revision: "second", acceptedAt: start + 1 }))]);
    return status(422);
  });
  await cards.table.putCards([stored(card)]);
  expect(await run([received(card)])).toEqual([]);
  expect(cards.of(key("417")).delivery).toMatchObject({ revision: "first", state: "rejected" });
});

/** A delivery to an exchange that is away, by a table that cuts the first record off. */
function cutOff(meanwhile: (table: Omit<ScorecardTable, "inState">) => Promise<void>) {
  const cards = scorecardsInMemory();
  let cuts = 1;
  const delivery = world(() => status(503), {
    cards: {
      ...cards.table,
      async putDeliveries(deliveries, signal) {
        if (cuts-- > 0) {
          await meanwhile(cards.table);
          throw new DOMException("The time is up.", "TimeoutError");
        }
        await cards.table.putDeliveries(deliveries, signal);
      },
    },
  });
  return { ...delivery, cards };
}

test("a card whose record was cut off is not tried again before that can no longer be carried out", async () => {
  const { cards, postponed, run } = cutOff(async () => undefined);
  await cards.table.putCards([stored(card)]);
  const message = received(card);
  expect(await run([message])).toEqual([message.messageId]);
  expect(postponed).toEqual([{ receiptHandle: message.receiptHandle, seconds: 5 }]);
  expect(cards.of(key("417")).delivery).toMatchObject({ state: "retrying", nextAttemptAt: start + 5000 });
});

test("nor is its message done with where another run has delivered it by then: that record may be undone", async () => {
  const { apiSet, externalId, revision } = card;
  const { cards, postponed, run } = cutOff((table) =>
    table.putDeliveries([
      { apiSet, externalId, revision, state: "delivered", attempts: 1, aloneFailures: 0, since: start },
    ]),
  );
  await cards.table.putCards([stored(card)]);
  const message = received(card);
  expect(await run([message])).toEqual([message.messageId]);
  expect(postponed.map(({ seconds }) => seconds)).toEqual([5]);
  expect(cards.of(key("417")).delivery?.state).toBe("delivered");
});
