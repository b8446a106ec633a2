import { hash } from "node:crypto";
import { correctionTimes } from "../delivery/correction-times.ts";
import type { CardHistory, CardRecord } from "../store/scorecard-table.ts";
import { isFinal } from "../tracking/state.ts";

/** How a submitted card relates to what is stored under its name. */
export type Plan<Card extends CardRecord = CardRecord> =
  /** Never seen: stored and sent. */
  | { readonly kind: "new"; readonly revision: string }
  /** Seen, and nothing changes. */
  | { readonly kind: "repeat"; readonly stored: Card }
  /** Seen, but its delivery was given up: it is sent on again. */
  | { readonly kind: "revive"; readonly revision: string }
  /** Other content: replaces what is stored and goes after what may be under way. */
  | {
      readonly kind: "correction";
      readonly revision: string;
      readonly corrects: string;
    };

/**
 * The revision that follows another: chained, so that content which comes back after a correction (5 strokes, 4,
 * 5 again) is not taken for the one delivered first. The same correction sent twice at once gets one revision.
 */
export function nextRevision(previous: string, contentHash: string): string {
  return hash("sha256", `${previous} ${contentHash}`, "base64url");
}

/** The outcome that the exchange itself gave the stored revision, or the one whose withdrawal came too late. */
function finalOutcome({ card, delivery }: CardHistory) {
  const applies = delivery !== undefined && delivery.revision === (card?.withdraws ?? card?.revision);
  return applies && isFinal(delivery.state) ? delivery : undefined;
}

/** Decides by the stored items alone what a submitted card is. */
export function planCard<Card extends CardRecord>(
  contentHash: string,
  history: CardHistory<Card> | undefined,
): Plan<Card> {
  const stored = history?.card;
  if (stored === undefined) return { kind: "new", revision: contentHash };
  const withdrawn = stored.withdraws !== undefined && finalOutcome(history ?? {}) === undefined;
  if (stored.contentHash !== contentHash || withdrawn) {
    const revision = nextRevision(stored.revision, contentHash);
    return { kind: "correction", revision, corrects: stored.revision };
  }
  const givenUp = history?.delivery?.revision === stored.revision && history.delivery.state === "undelivered";
  return givenUp ? { kind: "revive", revision: stored.revision } : { kind: "repeat", stored };
}

/**
 * How long a correction stays out of sight, so that no post of what it corrects can end after it is delivered.
 *
 * Where that has its outcome already, a post can only be under way if its run looked before the outcome was recorded. The
 * record may come as long after the outcome as a run has for delivering, and such a run has as long from its look.
 *
 * @param now milliseconds since 1970
 * @returns whole seconds
 */
export function correctionDelay(history: CardHistory | undefined, now: number, delaySeconds: number): number {
  const outcome = finalOutcome(history ?? {});
  if (outcome === undefined) return delaySeconds;
  const { deliveringMilliseconds } = correctionTimes(delaySeconds);
  const left = outcome.since + 2 * deliveringMilliseconds - now;
  return Math.min(delaySeconds, Math.max(0, Math.ceil(left / 1000)));
}
