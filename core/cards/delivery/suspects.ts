import type { ApiSet } from "../../accounts/account.ts";
import type { StoredCard } from "../life/card.ts";
import type { FailedAlone } from "./fault-search.ts";
import { firstPostAt, retryWait } from "./posts.ts";
import type { CardResult } from "./run.ts";
import { probe } from "./timing.ts";
import { evidenceSince, judge, type SeenPost } from "./verdict.ts";

/** Posts of suspected cards must leave time for the others, even if there are many, or the exchange hangs at them. */
const ofSpent = 2;
/** Without a witness a card waits longer by this factor: SQS delays no message by more than a quarter of an hour. */
const withoutWitness = 4 / 3;
/** A card waits no longer because posts of suspected cards take long, in milliseconds. */
const maxSpent = 5 * 60_000;

/**
 * The longest wait before the next attempt of a card that failed alone, in milliseconds.
 *
 * @param now milliseconds since 1970, UTC
 * @param spent milliseconds that posts of suspected cards have taken since the card's last attempt
 */
export function waitOf(
  { card, failure, retryAfterSeconds = 0 }: Omit<FailedAlone<StoredCard>, "milliseconds">,
  now: number,
  spent = 0,
): number {
  const asked = Math.min(probe.maxRetryAfter, retryAfterSeconds * 1000);
  // What was never sent may be posted as often as one likes.
  const own = failure.phase === "before" ? 0 : retryWait(now - (firstPostAt(card) ?? now));
  return Math.max(asked, own, Math.min(maxSpent, spent * ofSpent));
}

/** What the failure of a suspect means. @param seen what posts have shown, by vendor @param now milliseconds since 1970, UTC */
export function resultOfSuspect(
  alone: FailedAlone<StoredCard>,
  seen: ReadonlyMap<ApiSet, readonly SeenPost[]>,
  now: number,
): CardResult {
  const { card, failure, milliseconds } = alone;
  const { suspicion, since, apiSet } = card;
  const evidence = evidenceSince(seen, apiSet, since);
  const judged = judge(suspicion, failure, evidence, now - since);
  if (judged.kind === "unwitnessed" && suspicion !== undefined)
    return { kind: "outage", failure, isAlone: true };
  // Whoever judges a card that is not suspected yet has seen a witness, if only by another clock.
  const verdict = judged.kind === "unwitnessed" ? { kind: "suspected" as const, suspicion: 0 } : judged;
  return { kind: "failed", failure, verdict, wait: waitOf(alone, now, milliseconds * evidence.failed) };
}

/** How long all suspects wait if nothing went through beside one, in milliseconds: nothing is written, so the first post counts. */
export const waitWithoutWitness = (alone: FailedAlone<StoredCard>, now: number): number =>
  waitOf(alone, now, alone.milliseconds) * withoutWitness;
