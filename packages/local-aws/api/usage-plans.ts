import { randomUUID } from "node:crypto";
import { GatewayRefusalError } from "./gateway-refusal.ts";

/** The limits of a usage plan; undefined for no limit. */
export interface UsagePlan {
  readonly throttle: { readonly ratePerSecond: number; readonly burst: number } | undefined;
  /** Requests in a day of UTC. */
  readonly quota: { readonly limit: number } | undefined;
}

/** An API key, whose requests are counted. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

/** The usage plans of a run and their API keys. */
export interface UsagePlans {
  readonly plans: Map<string, UsagePlan>;
  readonly keys: ReadonlyMap<string, ApiKey>;
  createKey(name: string, value: string): ApiKey;
  /** False if there is no such key. */
  deleteKey(keyId: string): boolean;
  /** False if there is no such plan or key. */
  addToPlan(planId: string, keyId: string): boolean;
  /**
   * Counts a request.
   *
   * @throws GatewayRefusalError INVALID_API_KEY if no plan has the key; THROTTLED or QUOTA_EXCEEDED over its limits
   */
  count(value: string | undefined): void;
  /** The requests used and left today under a plan, by the id of the key. */
  usage(planId: string): Readonly<Record<string, readonly [used: number, left: number]>>;
}

interface Meter {
  readonly planId: string;
  /** Requests left in the token bucket. */
  tokens: number;
  filledAt: number;
  day: number;
  used: number;
}

const toDay = (milliseconds: number) => Math.floor(milliseconds / 86_400_000);

/**
 * Usage plans as in API Gateway: a token bucket and a quota for each key.
 *
 * @param now milliseconds since 1970
 */
export function createUsagePlans(now: () => number): UsagePlans {
  const plans = new Map<string, UsagePlan>();
  const keys = new Map<string, ApiKey>();
  /** By key id. */
  const meters = new Map<string, Meter>();

  return {
    plans,
    keys,
    usage(planId) {
      const quota = plans.get(planId)?.quota;
      const own = [...meters].filter(([, meter]) => meter.planId === planId);
      const counts = own.map(([keyId, { used, day }]) => {
        const current = day === toDay(now()) ? used : 0;
        return [keyId, [current, (quota?.limit ?? 0) - current] as const];
      });
      return Object.fromEntries(counts);
    },
    createKey(name, value) {
      const key = { id: randomUUID().replaceAll("-", "").slice(0, 10), name, value };
      keys.set(key.id, key);
      return key;
    },
    deleteKey(keyId) {
      meters.delete(keyId);
      return keys.delete(keyId);
    },
    addToPlan(planId, keyId) {
      const plan = plans.get(planId);
      if (plan === undefined || !keys.has(keyId)) return false;
      const tokens = plan.throttle?.burst ?? 0;
      meters.set(keyId, { planId, tokens, filledAt: now(), day: 0, used: 0 });
      return true;
    },
    count(value) {
      const key = [...keys.values()].find((one) => one.value === value);
      const meter = meters.get(key?.id ?? "");
      const plan = plans.get(meter?.planId ?? "");
      if (meter === undefined || plan === undefined) throw new GatewayRefusalError("INVALID_API_KEY");
      const { throttle, quota } = plan;
      const today = toDay(now());
      if (today !== meter.day) meter.used = 0;
      meter.day = today;
      if (quota !== undefined && meter.used >= quota.limit) throw new GatewayRefusalError("QUOTA_EXCEEDED");
      if (throttle !== undefined) {
        const refill = ((now() - meter.filledAt) / 1000) * throttle.ratePerSecond;
        meter.tokens = Math.min(throttle.burst, meter.tokens + refill);
        meter.filledAt = now();
        if (meter.tokens < 1) throw new GatewayRefusalError("THROTTLED");
        meter.tokens -= 1;
      }
      meter.used += 1;
    },
  };
}
