import fc from "fast-check";
import { expect, test } from "vitest";
import { retryDelaySeconds } from "../../../core/delivery/backoff.ts";

const cap = 300;
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test("a wait is whole seconds, at least one and never over the cap", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), fraction, (receives, random) => {
      const seconds = retryDelaySeconds(receives, cap, random);
      expect(Number.isInteger(seconds)).toBe(true);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(cap);
    }),
  );
});

test("the longest wait doubles from attempt to attempt until it reaches the cap", () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((receives) =>
    retryDelaySeconds(receives, cap, 0.9999999),
  );
  expect(longest).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
});

test("two days of attempts are fewer than the queue hands a message over", () => {
  const random = () => 0.5;
  let seconds = 0;
  let receives = 0;
  while (seconds < 2 * 86_400) seconds += retryDelaySeconds(++receives, cap, random());
  expect(receives).toBeLessThan(1000 * 0.9);
});
