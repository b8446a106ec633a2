import { erasedHash, type StoredCard } from "../life/card.ts";
import { isFinal, isResendable, State } from "../life/states.ts";
import { isKnownToBeThere, postsOf, repostAt } from "./posts.ts";
import type { WakeUpCard } from "./queue.ts";
import type { Due } from "./run.ts";
import { clockDifference, notStored, type PostTiming, recording } from "./timing.ts";

export const nameOf = ({ card }: Pick<Due, "card">): string => card.externalId;
export const wakeUpOf = ({ wakeUp }: Pick<Due, "wakeUp">): WakeUpCard => wakeUp;
export const isSuspect = ({ card }: Pick<Due, "card">): boolean => card.suspicion !== undefined;

/** What to do with a card that a wake-up names. */
export type DeliveryDecision =
  | { readonly action: "drop" }
  | { readonly action: "post" }
  /** The card has its outcome, and is posted once more, since the exchange may have another content. */
  | { readonly action: "repost" }
  /** A run that died may have posted the version of the wake-up, which is not posted now: note on the card that the exchange may have it. */
  | { readonly action: "noteMissedPost" }
  /** The request that withdrew the card did not finish: no post can be under way any more, so decide what became of it. */
  | { readonly action: "concludeWithdrawal" }
  /** The version is not stored yet, and may be soon: send the same wake-up again. */
  | { readonly action: "reread"; readonly inMilliseconds: number }
  /** Send another wake-up, with this mark. */
  | { readonly action: "wakeAgain"; readonly inMilliseconds: number; readonly mark: WakeUpCard["mark"] };

/**
 * Decides what to do with a card that a wake-up names.
 *
 * @param card as it is stored; undefined if it is not
 */
export function decide(
  card: StoredCard | undefined,
  wakeUp: WakeUpCard,
  now: number,
  { storedBefore, readToPostEnd, lateFinish }: Omit<PostTiming, "post">,
): DeliveryDecision {
  if (card === undefined || card.version < wakeUp.version) {
    return reread(wakeUp, now);
  }
  // The stored version has a wake-up of its own.
  if (card.version > wakeUp.version) {
    return noteOrDrop(card, wakeUp);
  }
  const { mark } = wakeUp;
  if (card.state === State.withdrawing) {
    const wait = card.since + readToPostEnd + recording + clockDifference - now;
    return wait > 0 ? { action: "wakeAgain", inMilliseconds: wait, mark } : { action: "concludeWithdrawal" };
  }
  const { acceptedAt, wokenAt = 0 } = card;
  // Until its next attempt the card waits for all other runs.
  const isClaimed = wakeUp.claim !== undefined && wakeUp.madeAt === wokenAt;
  if (isFinal(card.state)) {
    const isOwed = mark === "repost" && wakeUp.madeAt >= wokenAt;
    const repost = isOwed ? repostAt(card, lateFinish) : undefined;
    if (repost !== undefined && repost > now && !isClaimed)
      return { action: "wakeAgain", inMilliseconds: repost - now, mark };
    if (repost !== undefined) return { action: "repost" };
    return isResendable(card.state) ? noteOrDrop(card, wakeUp) : { action: "drop" };
  }
  // What is left of an erased card would be taken for the card.
  if (card.contentHash === erasedHash) return { action: "drop" };
  // The card was woken up again or claimed since; the wake-up of that does the rest, so duplicates of this one end here.
  if (wakeUp.madeAt < wokenAt) return noteOrDrop(card, wakeUp);
  // Another submission stored the version first, and sent a wake-up of its own: with both, two runs could post it at once. A newer
  // wake-up may come before the change that makes it count.
  const times = [wakeUp.madeAt, ...(wakeUp.alsoMadeAt ?? [])];
  if (mark === "inserted" && !times.includes(card.wokenAt ?? acceptedAt)) {
    const isNewer = wakeUp.madeAt > Math.max(acceptedAt, wokenAt);
    return isNewer ? reread(wakeUp, now) : { action: "drop" };
  }
  const wait = (card.nextAttemptAt ?? 0) - now;
  if (wait > 0 && !isClaimed) return { action: "wakeAgain", inMilliseconds: wait, mark };
  if (card.mustWait && mark !== "stored") {
    return { action: "wakeAgain", inMilliseconds: storedBefore, mark: "stored" };
  }
  return { action: "post" };
}

/**
 * Whether a card must be claimed before it is posted: a run that died may have posted it, or it is posted by itself at intervals that
 * grow. While the breaker is open only the run posts that has claimed the probe, so a claim only notes what is not known yet: an outage
 * costs few writes. A claim is as old at most as the read that a post relies on.
 *
 * @param isPaused whether the breaker is open
 */
export function mustClaim(
  { wakeUp, card, isRepost }: Due,
  isPaused: boolean,
  now: number,
  { post, readToPostEnd }: PostTiming,
): boolean {
  if (wakeUp.claim !== undefined) return now + post > wakeUp.claim.at + readToPostEnd;
  if (isPaused) return !isRepost && hasMissedPost(card, wakeUp);
  return card.nextAttemptAt !== undefined || (wakeUp.maybePosted === true && !isRepost);
}

/** The version that a wake-up names, or the change by which it counts, is not stored yet. */
function reread({ madeAt }: WakeUpCard, now: number): DeliveryDecision {
  const age = now - madeAt;
  if (age > notStored.until) return { action: "drop" };
  const wait = Math.min(notStored.longest, Math.max(0, age) + notStored.shortest);
  return { action: "reread", inMilliseconds: wait };
}

const noteOrDrop = (card: StoredCard, wakeUp: WakeUpCard): DeliveryDecision =>
  hasMissedPost(card, wakeUp) ? { action: "noteMissedPost" } : { action: "drop" };

/** Whether the exchange may have the wake-up's version by the post of a run that died, and the card does not say so yet. */
export const hasMissedPost = (card: StoredCard, { version, maybePosted }: WakeUpCard): boolean =>
  maybePosted === true && card.atExchange < version && !isKnownToBeThere(postsOf(card), version);
