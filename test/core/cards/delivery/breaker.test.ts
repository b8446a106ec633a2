import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../../core/accounts/account.ts";
import {
  type Breaker,
  createVendorBreaker,
  type OpenBreaker,
  openedBy,
  waitFor,
} from "../../../../core/cards/delivery/breaker.ts";
import { postTiming } from "../../../../core/cards/delivery/timing.ts";
import { hour, minute, second } from "../../../durations.ts";
import { green, start } from "../../memory/stored-card.ts";

const failure = { phase: "after", status: 503, message: "busy" } as const;
const timing = postTiming(10);
const closed: Breaker = { version: 4 };
const opened = (given: Partial<OpenBreaker> = {}): Breaker => ({
  version: 5,
  open: { since: start, failure, nextProbeAt: start + minute, ...given },
});

test("a run posts while the breaker is closed", () => {
  expect(waitFor(closed, start)).toBe(0);
});

test.each([
  ["waits for the next probe", {}, start, minute],
  ["looks again after two seconds while a probe is under way", { probing: "417" }, start, 2 * second],
  [
    "looks again when the probe's time is up, if that is sooner",
    { probing: "417" },
    start + minute - 500,
    500,
  ],
])("a run that finds the breaker open %s", (_, open, now, wait) => {
  expect(waitFor(opened(open), now)).toBe(wait);
});

test.each([
  ["when its time has come", undefined],
  ["when the run that had it has died", "416"],
])("a run claims the next probe %s, for a card, and for as long as a post can last", async (_, probing) => {
  const now = start + minute;
  const read = opened({ probing });
  expect(waitFor(read, now)).toBe(0);
  const writeBreaker = async (_: ApiSet, before: Breaker, open?: OpenBreaker) => ({ ...before, open });
  const table = { writeBreaker, tryRead: async () => ({ breaker: read }) };
  const breaker = createVendorBreaker(green, read, { table, timing, now: () => now, paused: new Set() });
  expect(await breaker.claim("417", false)).toBe(true);
  expect(breaker.current().open).toEqual({
    since: start,
    failure,
    probing: "417",
    nextProbeAt: now + timing.readToPostEnd,
  });
});

test.each([
  ["2 seconds when it opens", 0, undefined, 2 * second],
  ["2 seconds until an eighth of its time is more", 8 * second, undefined, 2 * second],
  ["an eighth of the time since it opened", 40 * second, undefined, 5 * second],
  ["five minutes at most", 46 * hour, undefined, 5 * minute],
  ["as long as Retry-After says, if that is longer", 40 * second, 60, minute],
  ["an eighth of its time all the same, if Retry-After is shorter", 40 * second, 3, 5 * second],
  ["more than five minutes if Retry-After says so", 46 * hour, 1800, 30 * minute],
  ["an hour at most, whatever Retry-After says", 0, 86_400, hour],
] as const)("the wait for the next probe is %s", (_, openFor, retryAfterSeconds, wait) => {
  const before = openFor === 0 ? closed : opened();
  const now = start + openFor;
  const open = openedBy({ failure, retryAfterSeconds }, before, now);
  expect(open).toMatchObject({ since: start, failure, nextProbeAt: now + wait });
});

test.each([
  [900, undefined],
  [901, 901 * second + 5 * minute],
  [3600, hour + 5 * minute],
])(
  "after a Retry-After of %i seconds all cards have come back at a time that is known, if messages cannot be delayed for as long",
  (retryAfterSeconds, backAfter) => {
    const { allBackAt } = openedBy({ failure, retryAfterSeconds }, closed, start);
    expect(allBackAt).toBe(backAfter && start + backAfter);
  },
);

test("a breaker that stays open has the latest failure, and keeps the time it opened", () => {
  const latest = { phase: "during", message: "late" } as const;
  expect(openedBy({ failure: latest }, opened({ probing: "417" }), start + hour)).toEqual({
    since: start,
    failure: latest,
    nextProbeAt: start + hour + 5 * minute,
  });
});

test("however long an outage is, the first probe after it comes within a quarter of its length, two seconds and five minutes at most", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50 * hour }), (length) => {
      let breaker: Breaker = { version: 1, open: openedBy({ failure }, closed, start) };
      let now = start;
      while (now < start + length) {
        now = breaker.open?.nextProbeAt ?? Number.NaN;
        if (now < start + length) breaker = { version: 1, open: openedBy({ failure }, breaker, now) };
      }
      expect(now - (start + length)).toBeLessThanOrEqual(
        Math.max(2 * second, Math.min(5 * minute, length / 4)),
      );
    }),
    { numRuns: 50 },
  );
});
