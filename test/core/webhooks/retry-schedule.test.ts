import fc from "fast-check";
import { expect, test } from "vitest";
import { nextAttempt } from "../../../core/webhooks/post-to-endpoint.ts";
import { hour } from "../../durations.ts";

const firstAt = Date.UTC(2026, 10, 23);

/** Random numbers as Math.random draws them. */
const random = () => fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** When an event is posted that always fails, each attempt taking as long as it is told. */
function attempts(randoms: readonly number[], attemptMilliseconds = 0): number[] {
  const times: number[] = [];
  let now = firstAt;
  for (;;) {
    const next = nextAttempt(times.length, firstAt, now, randoms[times.length] ?? 0);
    if (next === undefined) return times;
    times.push(next);
    now = next + attemptMilliseconds;
  }
}

test("an event whose endpoint never takes it is posted ten times, as Standard Webhooks recommend", () => {
  const sinceFirst = attempts([]).map((time) => new Date(time - firstAt).toISOString().slice(8, 19));
  expect(sinceFirst).toEqual([
    "01T00:00:00",
    "01T00:00:05",
    "01T00:05:05",
    "01T00:35:05",
    "01T02:35:05",
    "01T07:35:05",
    "01T17:35:05",
    "02T07:35:05",
    "03T03:35:05",
    "04T03:35:05",
  ]);
});

test("whatever the jitter, an event is posted ten times and given up within three to four days", () => {
  fc.assert(
    fc.property(fc.array(random(), { minLength: 10, maxLength: 10 }), (randoms) => {
      const times = attempts(randoms, 10_000);
      expect(times).toHaveLength(10);
      const last = (times.at(-1) ?? 0) - firstAt;
      expect(last).toBeGreaterThan(72 * hour);
      expect(last).toBeLessThan(96 * hour);
    }),
  );
});

test("the first attempt is made at once", () => {
  fc.assert(
    fc.property(fc.nat({ max: 71 * hour }), random(), (late, drawn) => {
      expect(nextAttempt(0, firstAt, firstAt + late, drawn)).toBe(firstAt + late);
    }),
  );
});

test("three days after its first attempt an event is given up, however few attempts there were", () => {
  fc.assert(
    fc.property(fc.nat({ max: 20 }), fc.nat(), random(), (failed, late, drawn) => {
      expect(nextAttempt(failed, firstAt, firstAt + 72 * hour + late, drawn)).toBeUndefined();
    }),
  );
});

test("a moment before three days have passed there is one more attempt", () => {
  expect(nextAttempt(1, firstAt, firstAt + 72 * hour - 1, 0)).toBe(firstAt + 72 * hour - 1 + 5_000);
});

test("after ten failed attempts an event is given up, however little time has passed", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 1_000 }), random(), (failed, drawn) => {
      expect(nextAttempt(failed, firstAt, firstAt, drawn)).toBeUndefined();
    }),
  );
});
