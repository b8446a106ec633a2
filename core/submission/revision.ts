import { hash } from "node:crypto";
import type { CardHistory, CardRecord } from "../store/scorecards.ts";
import { isFinal } from "../tracking/state.ts";

/** What a card that a vendor sent is to what is stored of it. */
export type Plan =
  /** Never seen: stored and sent. */
  | { readonly kind: "new"; readonly revision: string }
  /** Seen, and nothing changes. */
  | { readonly kind: "repeat" }
  /** Seen, but its delivery was given up: it is sent on again. */
  | { readonly kind: "revive"; readonly revision: string }
  /** Other content: replaces what is stored and goes after what may be under way. */
  | {
      readonly kind: "correction";
      readonly revision: string;
      readonly corrects: string;
      readonly mayBeUnderWay: boolean;
    };

/**
 * The revision that follows another: chained, so that content which comes back after a correction (5 strokes, 4,
 * 5 again) is not taken for the one delivered first. The same correction sent twice at once gets one revision.
 */
export function nextRevision(previous: string, contentHash: string): string {
  return hash("sha256", `${previous} ${contentHash}`, "base64url");
}

/** Whether a post of the stored revision may be under way: it has no outcome that says otherwise. */
export function mayBeUnderWay({ card, delivery }: CardHistory): boolean {
  return !(delivery !== undefined && delivery.revision === card?.revision && isFinal(delivery.state));
}

/** Decides by the stored items alone what a submitted card is. */
export function planCard(contentHash: string, history: CardHistory<CardRecord> | undefined): Plan {
  const stored = history?.card;
  if (stored === undefined) return { kind: "new", revision: contentHash };
  if (stored.contentHash !== contentHash || stored.withdraws !== undefined) {
    return {
      kind: "correction",
      revision: nextRevision(stored.revision, contentHash),
      corrects: stored.revision,
      mayBeUnderWay: mayBeUnderWay(history ?? {}),
    };
  }
  const givenUp = history?.delivery?.revision === stored.revision && history.delivery.state === "undelivered";
  return givenUp ? { kind: "revive", revision: stored.revision } : { kind: "repeat" };
}
