import { expect, test, vi } from "vitest";
import { TableBatchError } from "../../../core/aws/batch.ts";
import { hour, minute, second } from "../../durations.ts";
import { start, storedCard } from "../memory/stored-card.ts";
import { echo, names, status, timedOut, wakeUp } from "./delivery-world.ts";
import { drivenDelivery } from "./driven-delivery.ts";

// A run waits a moment for what may be stored soon, which is real time; an hour of refusals has hundreds of runs.
vi.mock("node:timers/promises", async (load) => ({
  ...(await load<object>()),
  setTimeout: async () => undefined,
}));

test.each([
  ["takes them", undefined],
  ["answers 422", status(422)],
  ["does not answer", timedOut],
] as const)(
  "if the table refuses writes for an hour, a card is posted three times at most, while the exchange %s",
  async (_, answer) => {
    const posts = new Map<string, number>();
    const driven = drivenDelivery((ids) => {
      for (const id of ids) posts.set(id, (posts.get(id) ?? 0) + 1);
      return driven.clock.now < start + hour ? (answer ?? echo(ids)) : echo(ids);
    });
    const { cards, clock, queue, pass, states } = driven;
    const all = names(60);
    cards.put(...all.map((id) => storedCard(id)));
    await queue.send(all.map((id) => wakeUp(id)));
    cards.hooks.beforeWrite = async () => {
      if (clock.now < start + hour) throw new TableBatchError("scorecards");
    };
    await pass(hour - minute);
    // Two messages name the cards, and each try sends one of each.
    expect(queue.counts.sent).toBeGreaterThan(60);
    expect(queue.counts.sent).toBeLessThanOrEqual(2 * 140);
    expect(Math.max(...posts.values())).toBeLessThanOrEqual(3);
    await pass(30 * minute);
    expect(new Set(states(...all))).toEqual(new Set(["delivered"]));
    expect(cards.of("card-1")?.posts?.map(({ answer }) => answer)).toContain("yes");
  },
);

test.each(["reads", "writes"] as const)(
  "if the table refuses the %s of one card for an hour, its neighbours are recorded at most 15 seconds later than without",
  async (which) => {
    const driven = drivenDelivery();
    const { cards, clock, queue, pass, states, taken } = driven;
    const all = names(60);
    const others = all.filter((id) => id !== "card-7");
    cards.put(...all.map((id) => storedCard(id)));
    cards.refused[which].add("card-7");
    driven.later(hour, () => cards.refused[which].clear());
    await queue.send(all.map((id) => wakeUp(id)));
    await pass(15 * second);
    expect(new Set(states(...others))).toEqual(new Set(["delivered"]));
    await pass(hour + 10 * minute);
    expect(states("card-7")).toEqual(["delivered"]);
    expect(queue.counts.maxReceives).toBe(1);
    // Each wait is an eighth of the wake-up's age, so a minute of refusals delays the card by seconds.
    expect(queue.counts.sent).toBeGreaterThanOrEqual(40);
    expect(queue.counts.sent).toBeLessThanOrEqual(140);
    expect(taken.get("card-7")?.length).toBeLessThanOrEqual(2);
    expect(clock.now).toBeGreaterThan(start + hour);
  },
);
