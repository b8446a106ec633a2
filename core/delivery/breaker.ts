import type { DeliveryFailure } from "./card.ts";
import type { Outage } from "./classify-response.ts";
import { type PostTiming, probe } from "./timing.ts";

/**
 * A vendor's circuit breaker: one item that all runs share. While it is open nothing is posted for the vendor but a probe, one
 * array at a time. Times in milliseconds since 1970, UTC.
 */
export interface Breaker {
  /** Counts the changes: each is made only if nobody else has made one since. */
  readonly version: number;
  /** Undefined while it is closed. */
  readonly open?: OpenBreaker | undefined;
}

/** Why nothing goes through for a vendor, and until when. */
export interface OpenBreaker {
  readonly since: number;
  readonly failure: DeliveryFailure;
  /** When the next probe may be claimed. */
  readonly nextProbeAt: number;
  /** Whether a probe is under way; a run that died with one has its claim taken over at `nextProbeAt`. */
  readonly probing: boolean;
}

/** What a run may do for a vendor: post, claim the next probe, or wait. */
export type Permission =
  | { readonly kind: "post" }
  | { readonly kind: "probe"; readonly claimed: OpenBreaker }
  | { readonly kind: "wait"; readonly milliseconds: number };

/** What a run may do at this moment. */
export function permissionOf({ open }: Breaker, now: number, { readToPostEnd }: PostTiming): Permission {
  if (open === undefined) return { kind: "post" };
  const left = open.nextProbeAt - now;
  if (left > 0) return { kind: "wait", milliseconds: open.probing ? Math.min(left, probe.shortest) : left };
  return { kind: "probe", claimed: { ...open, probing: true, nextProbeAt: now + readToPostEnd } };
}

/** How long to wait before trying again what has failed for so long. */
export const probeWait = (milliseconds: number): number =>
  Math.max(probe.shortest, Math.min(probe.longest, milliseconds * probe.share));

/** The breaker after posts have shown an outage: it opens, or stays open until the next probe. */
export function openedBy(
  { failure, retryAfterSeconds = 0 }: Outage,
  before: Breaker,
  now: number,
): OpenBreaker {
  const since = before.open?.since ?? now;
  const wait = Math.max(probeWait(now - since), Math.min(probe.longestRetryAfter, retryAfterSeconds * 1000));
  return { since, failure, nextProbeAt: now + wait, probing: false };
}
