import { describe, expect, test } from "vitest";
import { type QueuedCard, readMessage } from "../../../core/delivery/message.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import {
  echo,
  green,
  hours,
  key,
  queued,
  receivedTogether,
  start,
  status,
  stored,
  world,
} from "./delivery-world.ts";

const parcel = "first";
const inParcel = ["1", "2", "3"].map((id) => queued(id, { parcel })) as [QueuedCard, ...QueuedCard[]];
const storedInParcel = (card: QueuedCard, id = parcel) =>
  stored(card, { parcel: { id, revision: card.revision } });
const message = receivedTogether(inParcel);
const states = (cards: ReturnType<typeof scorecardsInMemory>) =>
  inParcel.map((card) => cards.of(card).delivery?.state);

/** A delivery that finds the cards of a parcel stored. */
async function withParcel(...given: Parameters<typeof world>) {
  const made = world(...given);
  await made.cards.table.putCards(inParcel.map((card) => storedInParcel(card)));
  return made;
}

describe("new cards that came in one message", () => {
  test("and were delivered at once share one record", async () => {
    const { cards, run } = await withParcel();
    expect(await run([message])).toEqual([]);
    expect(cards.written).toEqual([]);
    expect([...cards.parcels.values()]).toEqual([
      {
        apiSet: green,
        parcel,
        cards: inParcel.map(({ externalId, revision }) => ({ externalId, revision })),
        since: start,
      },
    ]);
    expect(cards.opened.size).toBe(0);
    expect(cards.of(key("2")).delivery).toMatchObject({ state: "delivered", attempts: 1, since: start });
  });

  test("are not posted again when their message comes a second time", async () => {
    const { posts, run } = await withParcel();
    await run([message]);
    expect(await run([{ ...message, messageId: "again" }])).toEqual([]);
    expect(posts).toHaveLength(1);
  });

  test("have records of their own as soon as one of them was not delivered", async () => {
    let broken = true;
    const { cards, posts, clock, run } = await withParcel((ids) =>
      echo(ids.filter((id) => !(broken && id === "2"))),
    );
    expect(await run([message])).toEqual(["together"]);
    expect(cards.parcels.size).toBe(0);
    expect(states(cards)).toEqual(["delivered", "retrying", "delivered"]);
    broken = false;
    clock.now += 10_000;
    expect(await run([{ ...message, receives: 2 }])).toEqual([]);
    expect(posts.map(({ ids }) => ids)).toEqual([["1", "2", "3"], ["2"]]);
    expect(states(cards)).toEqual(["delivered", "delivered", "delivered"]);
    expect(cards.of(key("2")).delivery).toMatchObject({ attempts: 2 });
  });

  test("have records of their own where one post did not take all of them", async () => {
    const settings = {
      postSize: 2,
      parallelPosts: 4,
      postTimeoutMilliseconds: 10_000,
      giveUpMilliseconds: 48 * hours,
      backoffCapSeconds: 300,
      correction: { storingMilliseconds: 15_000, deliveringMilliseconds: 15_000 },
    };
    const { cards, run } = await withParcel(echo, { settings });
    expect(await run([message])).toEqual([]);
    expect(cards.parcels.size).toBe(0);
    expect(states(cards)).toEqual(["delivered", "delivered", "delivered"]);
  });

  test("have none before it is written that they have", async () => {
    const cards = scorecardsInMemory();
    await cards.table.putCards(inParcel.map((card) => storedInParcel(card)));
    const steps: string[] = [];
    const refusing = { times: 1 };
    const { run } = world((ids) => echo(ids.slice(1)), {
      cards: {
        ...cards.table,
        async openParcels(parcels, at, signal) {
          steps.push(`open ${parcels.length}`);
          if (refusing.times-- > 0) throw new Error("refused");
          await cards.table.openParcels(parcels, at, signal);
        },
        async putDeliveries(deliveries, signal) {
          steps.push(`record ${deliveries.length}`);
          await cards.table.putDeliveries(deliveries, signal);
        },
      },
    });
    expect(await run([message])).toEqual(["together"]);
    for (const [place, step] of steps.entries()) {
      if (step.startsWith("record")) expect(steps.slice(0, place)).toContain("open 1");
    }
    expect(steps.filter((step) => step.startsWith("open")).length).toBeGreaterThan(1);
    expect(await run([{ ...message, receives: 2 }])).toEqual(["together"]);
    expect(states(cards)).not.toContain(undefined);
  });

  test("and were corrected since are left to their corrections; the others have records of their own", async () => {
    const { cards, posts, clock, run } = await withParcel();
    const correction = queued("3", { revision: "second", corrects: "first" });
    await cards.table.putCards([stored(correction, { parcel: { id: parcel, revision: "first" } })]);
    clock.now += 31_000;
    expect(await run([message])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1", "2"] }]);
    expect(states(cards)).toEqual(["delivered", "delivered", undefined]);
  });

  test("are told to be corrected after their delivery by the record of the correction", async () => {
    const { cards, clock, run } = await withParcel();
    await run([message]);
    const correction = queued("3", { revision: "second", corrects: "first", acceptedAt: start + 1000 });
    await cards.table.putCards([stored(correction, { parcel: { id: parcel, revision: "first" } })]);
    clock.now += 60_000;
    expect(await run([receivedTogether([correction], { messageId: "correction" })])).toEqual([]);
    expect(cards.of(key("3")).delivery).toMatchObject({
      revision: "second",
      state: "delivered",
      earlier: [{ revision: "first", state: "delivered", at: start }],
    });
    expect(await run([{ ...message, messageId: "again" }])).toEqual([]);
    expect(cards.of(key("3")).delivery).toMatchObject({ revision: "second" });
  });

  test("are delivered by the parcel in which they were stored last, even if stored in the same millisecond", async () => {
    const { cards, posts, clock, run } = await withParcel();
    await cards.table.putCards([storedInParcel(queued("3"), "another")]);
    expect(await run([message])).toEqual(["together"]);
    clock.now += 31_000;
    expect(await run([{ ...message, receives: 2 }])).toEqual([]);
    expect(posts).toEqual([{ apiSet: "green", ids: ["1", "2"] }]);
    expect(states(cards)).toEqual(["delivered", "delivered", undefined]);
  });

  test("are given up one by one, and do not go to the dead letters as a parcel", async () => {
    const { cards, dead, clock, run } = await withParcel(() => status(503));
    clock.now += 48 * hours;
    expect(await run([message])).toEqual([]);
    expect(states(cards)).toEqual(["undelivered", "undelivered", "undelivered"]);
    expect(dead.map(readMessage)).toEqual(["1", "2", "3"].map((id) => [queued(id)]));
  });

  test("come back where their record cannot be written, and are posted once more", async () => {
    const { cards, posts, run } = await withParcel((ids) => {
      if (posts.length === 1) cards.refuse(1);
      return echo(ids);
    });
    expect(await run([message])).toEqual(["together"]);
    expect(states(cards)).toEqual([undefined, undefined, undefined]);
    expect(await run([{ ...message, receives: 2 }])).toEqual([]);
    expect(posts).toHaveLength(2);
    expect(states(cards)).toEqual(["delivered", "delivered", "delivered"]);
  });
});
