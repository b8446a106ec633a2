import { describe, expect, test } from "vitest";
import { importAtFour } from "../../bench/surge/arrivals.ts";
import { deliveryModel } from "../../bench/surge/scenarios.ts";
import { simulateDelivery } from "../../bench/surge/simulate-delivery.ts";

const model = deliveryModel(true);
const longest = (waits: Float64Array | undefined) => Math.max(...(waits ?? []));

describe("the simulated delivery", () => {
  test("of a single card takes the window, the invocation's own time and the exchange's", () => {
    const day = simulateDelivery([{ vendor: "one", at: Float64Array.of(100) }], model);
    expect(day.waits.get("one")?.[0]).toBeCloseTo(model.batchWindow + 0.02 + 0.3);
    expect(day).toMatchObject({ invocations: 1, posts: 1, peakConcurrency: 1 });
  });

  test("delivers every card, posting no more a second than the exchange takes", () => {
    const at = new Float64Array(5_000).fill(10);
    const day = simulateDelivery([{ vendor: "flood", at }], { ...model, exchangePerSecond: 2 });
    const posts = 5_000 / model.postSize;
    expect(day.posts).toBe(posts);
    expect(day.endedAt).toBeGreaterThanOrEqual(10 + posts / 2 - 1);
    expect([...(day.waits.get("flood") ?? [])].every((wait) => wait > 0)).toBe(true);
  });

  test("fills a post of an invocation with a full batch from the queue, at the price of requests to it", () => {
    const at = new Float64Array(10).fill(10);
    const play = (changes: Partial<typeof model>) =>
      simulateDelivery([{ vendor: "flood", at }], { ...model, ...changes });
    const [full, partial] = [play({}), play({ batchSize: 11 })];
    expect(full).toMatchObject({ posts: 1, receives: 1, emptyReceives: 4 });
    expect(partial).toMatchObject({ posts: 1, receives: 1, emptyReceives: 0 });
    expect(longest(full.waits.get("flood"))).toBeCloseTo(0.012 + 0.02 + 0.3);
    expect(longest(partial.waits.get("flood"))).toBeCloseTo(0.02 + 0.3);

    const twice = simulateDelivery([{ vendor: "flood", at: new Float64Array(32).fill(10) }], model);
    expect(twice).toMatchObject({ invocations: 1, posts: 1, receives: 4, emptyReceives: 1 });
    // It deletes what it received itself.
    expect(twice.busySeconds).toBeCloseTo(0.012 + 0.02 + 0.3 + 0.012);
  });

  test("serves a vendor last that has 30 cards under way and more than a tenth of all", () => {
    // Runs of 30 leave the flood's next cards to one that comes later; runs of 29 make nobody noisy.
    const flood = { vendor: "flood", at: new Float64Array(300).fill(10) };
    const arrivals = [flood, { vendor: "late", at: Float64Array.of(10.1) }];
    const waitOf = (batchSize: number) =>
      longest(
        simulateDelivery(arrivals, {
          ...model,
          batchSize,
          drainTo: 0,
          maximumConcurrency: 1,
        }).waits.get("late"),
      );
    expect(waitOf(29)).toBeGreaterThan(3);
    expect(waitOf(31)).toBeLessThan(1);
  });

  test("of a vendor's flood holds the others up, unless queues are fair", () => {
    const arrivals = importAtFour(4, 40_000);
    const waitsOf = (fair: boolean) => simulateDelivery(arrivals, { ...model, fair }).waits;
    const [fair, plain] = [waitsOf(true), waitsOf(false)];
    expect(longest(fair.get("vendor 2"))).toBeLessThan(3);
    expect(longest(plain.get("vendor 2"))).toBeGreaterThan(15);
  });
});
