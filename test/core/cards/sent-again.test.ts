import { setImmediate as immediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type ReceivedMessage, readMessage } from "../../../core/cards/delivery/queue.ts";
import { wokenAgainAfter } from "../../../core/cards/delivery/timing.ts";
import { RefusalError } from "../../../core/golf/refusal.ts";
import { echo, hour, minute, names, second } from "./delivery-world.ts";
import { drivenDelivery } from "./driven-delivery.ts";

const all = names(100);

/** As many turns of the event loop as anything in memory takes. */
async function settled() {
  for (let turn = 0; turn < 20; turn++) await immediate();
}

/** A delivery whose exchange takes its time, so that runs which are started together have all read their cards before a post ends. */
function slowDelivery() {
  const made = drivenDelivery(async (ids) => {
    await settled();
    return echo(ids);
  });
  const { queue, run, taken } = made;
  return {
    ...made,
    /** Hands each of these batches over to a run of its own, all at once. */
    async runAtOnce(...batches: readonly (readonly ReceivedMessage[])[]) {
      expect(batches.every(({ length }) => length > 0)).toBe(true);
      await Promise.all(batches.map((batch) => run(batch)));
    },
    /** All messages that can be received, by when their wake-ups were made. */
    byAge() {
      const received = queue.take(1000);
      const madeAt = ({ body }: ReceivedMessage) => readMessage(body)?.cards[0]?.madeAt ?? 0;
      return [...Map.groupBy(received, madeAt)]
        .sort(([one], [other]) => one - other)
        .map(([, batch]) => batch);
    },
    /** How often the exchange took each card. */
    counts: () => all.map((name) => taken.get(name)?.length ?? 0),
  };
}

const once = all.map(() => 1);

/** Submits cards, and the same once more before the first submission has stored any. */
async function submittedTwice({
  cards,
  clock,
  submitTogether,
}: Pick<ReturnType<typeof slowDelivery>, "cards" | "clock" | "submitTogether">) {
  const storing = Promise.withResolvers<void>();
  cards.hooks.beforeWrite = () => storing.promise;
  const killed = submitTogether(all);
  await settled();
  clock.now += second;
  const resumed = submitTogether(all);
  await settled();
  storing.resolve();
  await Promise.all([killed, resumed]);
}

test("cards that are submitted again while the first submission is under way are posted once, though two runs work at once", async () => {
  const delivery = slowDelivery();
  await submittedTwice(delivery);
  await delivery.runAtOnce(...delivery.byAge());
  expect(delivery.counts()).toEqual(once);
});

test("a correction that is submitted twice at once is posted like one that is submitted once", async () => {
  const delivery = slowDelivery();
  const { submit, cards, clock, pass, byAge, runAtOnce, taken } = delivery;
  await submit("417", "five");
  await pass(hour);
  const storing = Promise.withResolvers<void>();
  cards.hooks.beforeWrite = () => storing.promise;
  const first = submit("417", "four");
  await settled();
  clock.now += second;
  const again = submit("417", "four");
  await settled();
  storing.resolve();
  await Promise.all([first, again]);
  await runAtOnce(...byAge());
  expect([taken.get("417"), cards.of("417")?.version]).toEqual([["five", "four"], 2]);
});

/** Submits cards that nobody delivers, and again when they are overdue. */
async function submittedLater(delivery: ReturnType<typeof slowDelivery>) {
  await delivery.submitTogether(all);
  delivery.clock.now += wokenAgainAfter + second;
}

test("cards of a backlog that are submitted again are posted once, though their old and new messages are received at once", async () => {
  const delivery = slowDelivery();
  const { clock, submitTogether, byAge, runAtOnce, counts } = delivery;
  await submittedLater(delivery);
  await submitTogether(all);
  clock.now += minute;
  const [old = [], ...newer] = byAge();
  await runAtOnce(old, ...newer);
  expect(counts()).toEqual(once);
});

test("cards that are submitted again while their post is under way are posted once", async () => {
  const delivery = slowDelivery();
  const { clock, submitTogether, byAge, run, runAtOnce, counts, queue } = delivery;
  await submittedLater(delivery);
  const [old = []] = byAge();
  const posting = runAtOnce(old);
  await immediate();
  await submitTogether(all);
  // Its wake-ups come when a post that began before must have ended.
  expect(queue.take(1000)).toEqual([]);
  await posting;
  clock.now += minute;
  await run(queue.take(1000));
  expect(counts()).toEqual(once);
});

test("cards whose wake-ups are lost are delivered when they are submitted again", async () => {
  const delivery = slowDelivery();
  const { clock, submitTogether, byAge, pass, queue, counts } = delivery;
  await submittedLater(delivery);
  for (const { receiptHandle } of queue.take(1000)) queue.remove(receiptHandle);
  await submitTogether(all);
  clock.now += second;
  expect(byAge()).toEqual([]);
  await pass(hour);
  expect(counts()).toEqual(once);
});

test("a vendor that submits the same again and again does not put off its cards", async () => {
  const delivery = slowDelivery();
  const { submitTogether, pass, queue, counts } = delivery;
  await submittedLater(delivery);
  for (const { receiptHandle } of queue.take(1000)) queue.remove(receiptHandle);
  for (let times = 0; times < 60; times++) {
    await submitTogether(all);
    await pass(second);
  }
  expect(counts()).toEqual(once);
});

test("if the table refuses that cards are woken up again, their old messages still count", async () => {
  const delivery = slowDelivery();
  const { cards, clock, submitTogether, byAge, runAtOnce, counts } = delivery;
  await submittedLater(delivery);
  cards.hooks.beforeWrite = () => Promise.reject(new Error("throttled"));
  await expect(submitTogether(all)).rejects.toThrow(RefusalError);
  cards.hooks.beforeWrite = async () => undefined;
  clock.now += minute;
  await runAtOnce(...byAge());
  expect(counts()).toEqual(once);
});
