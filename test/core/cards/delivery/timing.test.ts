import fc from "fast-check";
import { expect, test } from "vitest";
import { delayOnGrid, maxReceives, postTiming } from "../../../../core/cards/delivery/timing.ts";

test("with ten seconds for a post, the times that follow from it are 15 and 20 seconds and five minutes", () => {
  expect(postTiming(10)).toEqual({
    post: 10_000,
    readToPostEnd: 15_000,
    storedBefore: 20_000,
    lateFinish: 300_000,
  });
});

test.each([
  [60, 60],
  [30, 120],
  [7, 515],
])(
  "with a visibility timeout of %i seconds a message is received %i times before it is a dead letter",
  (seconds, times) => {
    expect(maxReceives(seconds)).toBe(times);
  },
);

test("whatever the visibility timeout is, a message that cannot be read stays in the queue for an hour", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 43_200 }), (seconds) => {
      expect(maxReceives(seconds) * seconds).toBeGreaterThanOrEqual(3600);
    }),
  );
});

test.each([
  ["nothing without jitter", 0, 64],
  ["a quarter of the wait at most", 0.999, 80],
])("a wait of 64 seconds, on a grid of eight, grows by %s", (_, random, seconds) => {
  expect(delayOnGrid(64_000, 0, random)).toBe(seconds);
});
