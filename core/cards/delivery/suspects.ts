import type { ApiSet } from "../../accounts/account.ts";
import type { StoredCard } from "../life/card.ts";
import type { Outage } from "./breaker.ts";
import type { FailedAlone } from "./fault-search.ts";
import { firstPostAt, retryWait } from "./posts.ts";
import type { CardResult } from "./run.ts";
import { probe } from "./timing.ts";
import { evidenceSince, judge, type SeenPost } from "./verdict.ts";

/** Posts of suspected cards must leave time for the others, even if there are many, or the exchange hangs at them. */
const ofSpent = 2;
/** A card waits no longer because posts of suspected cards take long, in milliseconds. */
const maxSpent = 5 * 60_000;

/** How long the exchange asks to wait, in milliseconds. */
export const askedWait = ({ retryAfterSeconds = 0 }: Pick<Outage, "retryAfterSeconds">): number =>
  Math.min(probe.maxRetryAfter, retryAfterSeconds * 1000);

/**
 * The longest wait before the next attempt of a card that failed alone, in milliseconds.
 *
 * @param now milliseconds since 1970, UTC
 * @param spent milliseconds that posts of suspected cards have taken since the card's last attempt
 */
export function waitOf(
  { card, failure, ...outage }: Omit<FailedAlone<StoredCard>, "milliseconds">,
  now: number,
  spent = 0,
): number {
  // What was never sent may be posted as often as one likes.
  const own = failure.phase === "before" ? 0 : retryWait(now - (firstPostAt(card) ?? now));
  return Math.max(askedWait(outage), own, Math.min(maxSpent, spent * ofSpent));
}

/** What the failure of a suspect means. @param seen what posts have shown, by vendor @param now milliseconds since 1970, UTC */
export function resultOfSuspect(
  alone: FailedAlone<StoredCard>,
  seen: ReadonlyMap<ApiSet, readonly SeenPost[]>,
  now: number,
): CardResult {
  const { card, failure, milliseconds } = alone;
  const { suspicion, since, apiSet, nextAttemptAt } = card;
  const evidence = evidenceSince(seen, apiSet, since);
  const judged = judge(suspicion, failure, evidence, now - since);
  const isClaimed = nextAttemptAt !== undefined;
  if (judged.kind === "unwitnessed" && suspicion !== undefined)
    return { kind: "outage", failure, wait: isClaimed ? askedWait(alone) : waitOf(alone, now, milliseconds) };
  // Whoever judges a card that is not suspected yet has seen a witness, if only by another clock.
  const verdict = judged.kind === "unwitnessed" ? { kind: "suspected" as const, suspicion: 0 } : judged;
  return { kind: "failed", failure, verdict, wait: waitOf(alone, now, milliseconds * evidence.failed) };
}
