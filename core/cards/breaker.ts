import type { DeliveryFailure } from "./card.ts";
import type { Outage } from "./classify-response.ts";
import { type PostTiming, probe } from "./timing.ts";

/**
 * A vendor's circuit breaker: one item that all runs share. While it is open, only probes are posted for the vendor, one array at
 * a time. Times in milliseconds since 1970, UTC.
 */
export interface Breaker {
  /** Counts the changes; each is a compare-and-set by this. */
  readonly version: number;
  /** Undefined while it is closed. */
  readonly open?: OpenBreaker | undefined;
  /** When it closed last; absent if it never was open, or is. */
  readonly closedAt?: number | undefined;
}

/** Since when and why nothing can be delivered for a vendor. */
export interface OpenBreaker {
  readonly since: number;
  readonly failure: DeliveryFailure;
  /** When the next probe may be claimed. */
  readonly nextProbeAt: number;
  /** Whether a probe is under way; if its run dies, another one claims it at `nextProbeAt`. */
  readonly probing: boolean;
}

/** What a run may do for a vendor now: post, claim the next probe, or wait. */
export type BreakerPermission =
  | { readonly kind: "post" }
  | { readonly kind: "probe"; readonly claimed: OpenBreaker }
  | { readonly kind: "wait"; readonly milliseconds: number };

/** Whether a run may post for the vendor. */
export function permissionOf(
  { open }: Breaker,
  now: number,
  { readToPostEnd }: PostTiming,
): BreakerPermission {
  if (open === undefined) return { kind: "post" };
  const wait = open.nextProbeAt - now;
  if (wait > 0) return { kind: "wait", milliseconds: open.probing ? Math.min(wait, probe.shortest) : wait };
  return { kind: "probe", claimed: { ...open, probing: true, nextProbeAt: now + readToPostEnd } };
}

/** The wait before the next attempt of something that has failed for so long. */
export const probeWait = (milliseconds: number): number =>
  Math.max(probe.shortest, Math.min(probe.longest, milliseconds * probe.share));

/** The breaker after an outage: it opens, or stays open until the next probe. */
export function openedBy(
  { failure, retryAfterSeconds = 0 }: Outage,
  before: Breaker,
  now: number,
): OpenBreaker {
  const since = before.open?.since ?? now;
  const wait = Math.max(probeWait(now - since), Math.min(probe.longestRetryAfter, retryAfterSeconds * 1000));
  return { since, failure, nextProbeAt: now + wait, probing: false };
}
