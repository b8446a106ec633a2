import { expect, test } from "vitest";
import {
  createDraining,
  type DrainDependencies,
  type DrainEvent,
} from "../../../../core/cards/delivery/drain-queue.ts";
import { second } from "../../../durations.ts";
import { storedCard } from "../../memory/stored-card.ts";
import { type Exchange, names, refusing, settings, wakeUp, world } from "../delivery-world.ts";
import { queueInMemory } from "../queue-in-memory.ts";

const batchSize = 10;
const visibility = 60 * second;
/** Time that is never up. */
const noLimit = () => new AbortController().signal;

/** Deliveries that drain their queue, which has a wake-up for each of these cards. */
async function draining(cards: number, given: Partial<DrainDependencies> = {}, exchange?: Exchange) {
  const made = world(exchange);
  const queue = queueInMemory(made.clock);
  const drainEvents: DrainEvent[] = [];
  for (const id of names(cards)) {
    made.cards.put(storedCard(id));
    await queue.send([wakeUp(id)]);
  }
  const received: number[] = [];
  const dependencies: DrainDependencies = {
    settings: { batchSize, postSize: settings.postSize },
    async receive(most) {
      const messages = queue.take(most);
      received.push(messages.length);
      return messages;
    },
    async remove(handles) {
      for (const handle of handles) queue.remove(handle);
      return [];
    },
    timeLimit: noLimit,
    report: (event) => drainEvents.push(event),
    ...given,
  };
  const deliver = createDraining(made.run, dependencies);
  return {
    ...made,
    queue,
    drain: dependencies,
    drainEvents,
    /** How many messages each of the runs' own requests received. */
    received,
    deliver: (messages: Parameters<typeof deliver>[0]) => deliver(messages, () => 30 * second),
    /** Invokes a run, as the event source does. */
    invoke: () => queue.receive(batchSize, (messages) => deliver(messages, () => 30 * second)),
    delivered: () => names(cards).filter((id) => made.cards.of(id)?.state === "delivered").length,
  };
}

test("a run that is given a full batch fills its array from the queue", async () => {
  const { invoke, arrays, queue, received } = await draining(120);
  await invoke();
  expect(arrays()).toEqual([names(50)]);
  expect(received).toEqual([10, 10, 10, 10]);
  expect(queue.bodies()).toHaveLength(70);
});

test("a run that is given less than a full batch receives nothing", async () => {
  const { invoke, arrays, received } = await draining(9);
  await invoke();
  expect(arrays()).toEqual([names(9)]);
  expect(received).toEqual([]);
});

test("a run whose batch names a full array already receives nothing", async () => {
  const { deliver, cards, received, queue } = await draining(0);
  for (const id of names(60)) cards.put(storedCard(id));
  await queue.send(names(60).map((id) => wakeUp(id)));
  for (const id of names(batchSize)) await queue.send([wakeUp(id)]);
  await queue.receive(batchSize, deliver);
  expect(received).toEqual([]);
});

test("a run does not receive what would overfill its array if each message names a card", async () => {
  const { deliver, received, queue, cards } = await draining(0);
  for (const id of names(80)) cards.put(storedCard(id));
  const wakeUps = names(80).map((id) => wakeUp(id));
  await queue.send(wakeUps.slice(0, 24));
  for (const one of wakeUps.slice(24)) await queue.send([one]);
  await queue.receive(batchSize, deliver);
  // The batch names 33 cards, so 17 are wanted.
  expect(received).toEqual([10, 7]);
});

test("a run says which of its given messages failed, and no other", async () => {
  const { deliver, queue } = await draining(30);
  const unreadable = { messageId: "foreign", body: "{}", receives: 1 };
  for (let count = 0; count < 3; count++) queue.put("{}");
  await queue.receive(batchSize - 1, async (messages) => {
    const failed = await deliver([...messages, unreadable]);
    expect(failed).toEqual(["foreign"]);
    return failed;
  });
  // What it received itself and cannot read comes back, too.
  expect(queue.bodies()).toEqual(["{}", "{}", "{}"]);
  expect(queue.nextAt()).toBeGreaterThan(0);
});

test("cards of a run that is killed between its own receive and the post arrive when they come back", async () => {
  const { invoke, drain, queue, clock, arrays, delivered } = await draining(50);
  const killed = new Error("killed");
  const work = createDraining(() => Promise.reject(killed), drain);
  await expect(queue.receive(batchSize, (messages) => work(messages, () => 0))).rejects.toThrow(killed);
  expect(queue.bodies()).toHaveLength(50);
  expect(queue.nextAt()).toBe(clock.now + visibility);

  clock.now += visibility;
  await invoke();
  expect(arrays()).toEqual([names(50)]);
  expect(delivered()).toBe(50);
  expect(queue.bodies()).toEqual([]);
});

test.each<[string, DrainDependencies["remove"], DrainEvent]>([
  ["is refused", async (handles) => handles, { kind: "notRemoved", messages: 40 }],
  [
    "gets no answer",
    () => Promise.reject(new Error("no answer")),
    { kind: "notRemoved", messages: 40, error: new Error("no answer") },
  ],
])(
  "if the deletion of what a run received %s, it comes back and nothing is posted twice",
  async (_, remove, event) => {
    const { invoke, queue, clock, arrays, drainEvents } = await draining(50, { remove });
    await invoke();
    expect(drainEvents).toEqual([event]);
    expect(queue.bodies()).toHaveLength(40);
    clock.now += visibility;
    await invoke();
    expect(arrays()).toEqual([names(50)]);
  },
);

test("a run whose own receives are throttled delivers what it was given", async () => {
  const throttled = new Error("RequestThrottled");
  const { invoke, arrays, queue, drainEvents } = await draining(50, {
    receive: () => Promise.reject(throttled),
  });
  await invoke();
  expect(arrays()).toEqual([names(batchSize)]);
  expect(queue.bodies()).toHaveLength(40);
  expect(drainEvents).toEqual([{ kind: "notDrained", error: throttled }]);
});

test("a run posts what it has after a second if a receive does not end, and what that took from the queue comes back", async () => {
  const limits: number[] = [];
  const tooSlow = new Error("too slow");
  const { invoke, arrays, drainEvents, queue } = await draining(50, {
    timeLimit(milliseconds) {
      limits.push(milliseconds);
      const limit = new AbortController();
      setImmediate(() => limit.abort(tooSlow));
      return limit.signal;
    },
    receive(most, signal) {
      const messages = queue.take(most);
      if (queue.counts.received < 50) return Promise.resolve(messages);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  await invoke();
  expect([limits, arrays()]).toEqual([[second], [names(40)]]);
  expect(drainEvents).toEqual([{ kind: "notDrained", error: tooSlow }]);
  expect(queue.bodies()).toHaveLength(10);
});

test.each([
  [2, [10, 10, 10, 10]],
  [3, []],
])(
  "a run that is given a message for the %d. time receives %j: a message that crashes runs must not take more with it",
  async (receives, expected) => {
    const { queue, deliver, received } = await draining(50);
    await queue.receive(batchSize, ([first, ...others]) =>
      deliver(first === undefined ? [] : [{ ...first, receives }, ...others]),
    );
    expect(received).toEqual(expected);
  },
);

test("a card that a dead run may have posted is delivered if the run that receives it itself is answered 409", async () => {
  const { invoke, queue, clock, delivered } = await draining(20, {}, refusing(409, "card-19"));
  queue.take(20);
  clock.now += visibility;
  await invoke();
  expect(delivered()).toBe(20);
});
