import type { CardResult } from "./bisect.ts";
import {
  type CardChange,
  type CardKey,
  type DeliveryFailure,
  isFinal,
  openStates,
  type StoredCard,
  withFailedPost,
} from "./card.ts";
import { backoff } from "./timing.ts";

/**
 * A card whose own posts got 500 this often is rejected. An exchange that fails three times in ten by chance rejects one good
 * card in 15,000 at worst, and a bad one is known in minutes.
 */
const serverErrorsLimit = 8;

/** What a record depends on besides card and result. Times in milliseconds since 1970, UTC. */
export interface RecordContext {
  readonly now: number;
  readonly giveUpMilliseconds: number;
  /** Whether the vendor's breaker was open before the post: then an outage is recorded there alone. */
  readonly wasOpen: boolean;
  /** From 0 to below 1. */
  readonly random: number;
}

/** What a result changes on the card. */
export type CardUpdate = Omit<CardChange, keyof CardKey>;

const notEchoed: DeliveryFailure = { phase: "after", message: "The exchange's echo did not hold the card." };

/** Whether the exchange may have taken a card by a post with this result. */
function maybeTaken(result: CardResult): boolean {
  if (result.kind !== "outage") return ["notEchoed", "serverError", "maybePosted"].includes(result.kind);
  const { phase, status = 0 } = result.failure;
  // 503 means that nothing was done; 502 and 504 come from a gateway that got no response of the exchange.
  return result.maybePosted || phase === "during" || (status >= 500 && status !== 503);
}

/** A refusal with 409 means that the exchange has the card, if it may have taken an earlier post. */
export function resultOf(result: CardResult, card: StoredCard): CardResult {
  if (result.kind !== "rejected" || result.failure.status !== 409) return result;
  const isTaken = result.maybePosted || card.maybeAtExchange === card.version;
  return isTaken ? { kind: "delivered" } : result;
}

/** The update after a post that relied on this snapshot of the card; undefined if there is nothing new. */
export function recordOf(
  card: StoredCard,
  result: CardResult,
  context: RecordContext,
): CardUpdate | undefined {
  const update = outcomeOf(card, result, context);
  const failure = update?.set.failure;
  if (update === undefined || failure === undefined) return update;
  return { ...update, set: { ...update.set, failed: withFailedPost(card, failure, context.now) } };
}

function outcomeOf(card: StoredCard, result: CardResult, context: RecordContext): CardUpdate | undefined {
  const { now, wasOpen } = context;
  const { version } = card;
  const expects = { version, states: openStates };
  const attempted = { since: now, attempts: card.attempts + 1, nextAttemptAt: undefined };
  const isMaybeTaken = maybeTaken(result);
  const taken = isMaybeTaken || card.maybeAtExchange === version ? { maybeAtExchange: version } : {};
  switch (result.kind) {
    case "delivered":
      return { expects, set: { ...attempted, state: "delivered", atExchange: version, failure: undefined } };
    case "rejected": {
      const { failure } = result;
      // If another run has recorded since that the exchange may have the card, the 409 was about that run's post.
      const unchanged = failure.status === 409 ? { maybeAtExchange: card.maybeAtExchange } : {};
      return { expects: { ...expects, ...unchanged }, set: { ...attempted, state: "rejected", failure } };
    }
    case "notEchoed":
    case "serverError":
      return { expects, set: { ...attempted, ...taken, ...failedByItself(card, result, context) } };
    case "outage": {
      const failed = { ...attempted, ...taken, failure: result.failure };
      if (isOver(card, context)) return { expects, set: { ...failed, state: "undelivered" } };
      // An outage is nothing new if the breaker is open, or the card fails by itself as well.
      if (!wasOpen && card.serverErrors === 0) return { expects, set: { ...failed, state: "retrying" } };
    }
  }
  return isMaybeTaken && card.maybeAtExchange < version ? { expects, set: taken } : undefined;
}

const isOver = ({ acceptedAt }: StoredCard, { now, giveUpMilliseconds }: RecordContext) =>
  now - acceptedAt >= giveUpMilliseconds;

function failedByItself(
  card: StoredCard,
  result: Extract<CardResult, { readonly kind: "notEchoed" | "serverError" }>,
  context: RecordContext,
): CardUpdate["set"] {
  const isServerError = result.kind === "serverError";
  const serverErrors = card.serverErrors + (isServerError ? 1 : 0);
  const failed = { failure: isServerError ? result.failure : notEchoed, serverErrors };
  if (serverErrors >= serverErrorsLimit) return { ...failed, state: "rejected" };
  if (isOver(card, context)) return { ...failed, state: "undelivered" };
  const nextAttemptAt = context.now + backoffOf(card.attempts, context.random);
  return { ...failed, state: "retrying", nextAttemptAt };
}

/** Milliseconds until the next attempt of a card that failed by itself: between half and all of a wait that doubles. */
export function backoffOf(attempts: number, random: number): number {
  const wait = Math.min(backoff.longest, backoff.first * 2 ** Math.min(attempts, 30));
  return Math.ceil(wait * (0.5 + random / 2));
}

/**
 * The update after a post if the card has changed since the snapshot that the post relied on: what the exchange has or may have;
 * and that the version was delivered, even if another run has recorded a rejection with 409, which was about this post.
 *
 * @param posted the version that was posted
 * @param current the card as it is stored now
 * @returns undefined if there is nothing new
 */
export function recordLate(
  posted: number,
  result: CardResult,
  current: StoredCard,
  now: number,
): CardUpdate | undefined {
  const { version, state, atExchange, maybeAtExchange } = current;
  const wasConflict = state === "rejected" && current.failure?.status === 409;
  const isTaken = result.kind === "delivered" || (version === posted && wasConflict && maybeTaken(result));
  if (version === posted && isTaken && state !== "delivered") {
    const set = { since: now, atExchange: version, failure: undefined, nextAttemptAt: undefined };
    return { expects: { version, states: [state] }, set: { state: "delivered", ...set } };
  }
  // A given-up card may still be resent or withdrawn.
  if (version === posted && isFinal(state) && state !== "undelivered") return undefined;
  const expects = { version, states: [state], atExchange, maybeAtExchange };
  if (isTaken && atExchange < posted) return { expects, set: { atExchange: posted } };
  if (maybeTaken(result) && maybeAtExchange < posted) return { expects, set: { maybeAtExchange: posted } };
  return undefined;
}

/**
 * The update after the post of a card that has its outcome. Once the second post of a correction is answered, other wake-ups for
 * it are duplicates.
 *
 * @returns undefined if there is nothing new
 */
export function recordRepost(result: CardResult, card: StoredCard, now: number): CardUpdate | undefined {
  const { version, state } = card;
  const isAnswered = result.kind === "delivered" || result.kind === "rejected";
  if (state !== "delivered" || !isAnswered) return recordLate(version, result, card, now);
  return { expects: { version, states: [state] }, set: { reposted: version } };
}
