import { expect, test } from "vitest";
import { TableBatchError } from "../../../core/aws/batch.ts";
import { start, storedCard } from "../memory/stored-card.ts";
import { echo, hour, minute, names, status, timedOut, wakeUp } from "./delivery-world.ts";
import { drivenDelivery } from "./driven-delivery.ts";

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
    expect(queue.counts.maxReceives).toBeGreaterThan(10);
    expect(Math.max(...posts.values())).toBeLessThanOrEqual(3);
    await pass(30 * minute);
    expect(new Set(states(...all))).toEqual(new Set(["delivered"]));
    expect(cards.of("card-1")?.posts?.map(({ answer }) => answer)).toContain("yes");
  },
);
