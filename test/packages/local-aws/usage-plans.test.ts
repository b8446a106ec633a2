import { expect, test } from "vitest";
import { GatewayRefusalError } from "../../../packages/local-aws/api/gateway-refusal.ts";
import { createUsagePlans, type UsagePlan } from "../../../packages/local-aws/api/usage-plans.ts";

/** A key under a plan, and a clock. */
function metered(plan: UsagePlan) {
  const clock = { now: Date.UTC(2026, 4, 4, 12) };
  const usagePlans = createUsagePlans(() => clock.now);
  usagePlans.plans.set("plan", plan);
  const { id, value } = usagePlans.createKey("a vendor", "a-key-of-twenty-characters");
  usagePlans.addToPlan("plan", id);
  const ask = (key: string | undefined = value) => {
    try {
      usagePlans.count(key);
      return "taken";
    } catch (error) {
      return error instanceof GatewayRefusalError ? error.type : "failed";
    }
  };
  return { clock, usagePlans, id, ask };
}

const unlimited: UsagePlan = { throttle: undefined, quota: undefined };

test("as many requests at once are taken as the burst says, and then as many a second as the rate says", () => {
  const { clock, ask } = metered({ throttle: { ratePerSecond: 2, burst: 3 }, quota: undefined });
  expect([ask(), ask(), ask(), ask()]).toEqual(["taken", "taken", "taken", "THROTTLED"]);
  clock.now += 500;
  expect([ask(), ask()]).toEqual(["taken", "THROTTLED"]);
  clock.now += 60_000;
  expect([ask(), ask(), ask(), ask()]).toEqual(["taken", "taken", "taken", "THROTTLED"]);
});

test("a quota is used up for the day, and requests that were throttled do not count", () => {
  const { clock, ask } = metered({ throttle: { ratePerSecond: 1, burst: 1 }, quota: { limit: 2 } });
  expect([ask(), ask()]).toEqual(["taken", "THROTTLED"]);
  clock.now += 1000;
  expect(ask()).toBe("taken");
  clock.now += 1000;
  expect(ask()).toBe("QUOTA_EXCEEDED");
  clock.now += 12 * 3_600_000;
  expect(ask()).toBe("taken");
});

test("a caller without a key of a plan is refused", () => {
  const { usagePlans, id, ask } = metered(unlimited);
  const loose = usagePlans.createKey("of no plan", "another-key-of-twenty-characters");
  expect([ask(), ask("nobody's"), ask(loose.value)]).toEqual(["taken", "INVALID_API_KEY", "INVALID_API_KEY"]);
  expect(usagePlans.addToPlan("no plan", loose.id)).toBe(false);
  expect([usagePlans.deleteKey(id), usagePlans.deleteKey(id), ask()]).toEqual([
    true,
    false,
    "INVALID_API_KEY",
  ]);
});

test("each key has its own bucket", () => {
  const { usagePlans, ask } = metered({ throttle: { ratePerSecond: 1, burst: 1 }, quota: undefined });
  const other = usagePlans.createKey("another vendor", "another-key-of-twenty-characters");
  usagePlans.addToPlan("plan", other.id);
  expect([ask(), ask(), ask(other.value)]).toEqual(["taken", "THROTTLED", "taken"]);
});
