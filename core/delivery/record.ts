import type { CardResult } from "./bisect.ts";
import { type CardChange, type DeliveryFailure, isFinal, type StoredCard } from "./card.ts";
import { backoff } from "./timing.ts";

/**
 * A card whose posts alone are answered with 500 this often is rejected. An exchange that fails three times in ten by chance
 * rejects one good card in 15,000 at worst, and a bad one is known in minutes.
 */
const serverErrorsLimit = 8;

/** What a record depends on besides the result. Times in milliseconds since 1970, UTC. */
export interface RecordContext {
  readonly now: number;
  readonly giveUpMilliseconds: number;
  /** Whether the vendor's breaker was open already: then an outage is noted there alone. */
  readonly wasOpen: boolean;
  /** From 0 to below 1. */
  readonly random: number;
}

/** What a result changes on the card. */
export type Recorded = Omit<CardChange, "apiSet" | "externalId">;

const notEchoed: DeliveryFailure = { phase: "after", message: "The exchange's echo did not hold the card." };

/** Whether the exchange may have taken a card by a post with this result. */
function maybeTaken(result: CardResult): boolean {
  if (result.kind !== "outage") return ["notEchoed", "serverError", "maybePosted"].includes(result.kind);
  const { phase, status = 0 } = result.failure;
  // 503 says that nothing was done. With 502 and 504 a gateway says that the exchange did not answer it.
  return result.maybePosted || phase === "during" || (status >= 500 && status !== 503);
}

/** A refusal with 409 means that the exchange has the card, if an earlier post of it has no known answer. */
export function resultOf(result: CardResult, card: StoredCard): CardResult {
  if (result.kind !== "rejected" || result.failure.status !== 409) return result;
  const isTaken = result.maybePosted || card.maybeAtExchange === card.version;
  return isTaken ? { kind: "delivered" } : result;
}

/** What to record of the result of a post that relied on this snapshot of the card. */
export function recordOf(card: StoredCard, result: CardResult, context: RecordContext): Recorded | undefined {
  const { now, wasOpen } = context;
  const { version } = card;
  const expects = { version, states: [card.state] };
  const posted = {
    since: now,
    attempts: card.attempts + 1,
    ...(card.nextAttemptAt !== undefined && { nextAttemptAt: undefined }),
  };
  const taken = maybeTaken(result) || card.maybeAtExchange === version ? { maybeAtExchange: version } : {};
  const isNews = maybeTaken(result) && card.maybeAtExchange < version;
  const news = isNews ? { expects, set: taken } : undefined;
  switch (result.kind) {
    case "delivered":
      return { expects, set: { ...posted, ...noFailure(card), state: "delivered", atExchange: version } };
    case "rejected": {
      const { failure } = result;
      // If another run has noted since that the exchange may have the card, the 409 was about that run's post.
      const noted = failure.status === 409 ? { maybeAtExchange: card.maybeAtExchange } : {};
      return { expects: { ...expects, ...noted }, set: { ...posted, state: "rejected", failure } };
    }
    case "notEchoed":
      return {
        expects,
        set: { ...posted, ...taken, ...failedByItself(card, notEchoed, card.serverErrors, context) },
      };
    case "serverError":
      return {
        expects,
        set: { ...posted, ...taken, ...failedByItself(card, result.failure, card.serverErrors + 1, context) },
      };
    case "outage": {
      const failed = { ...posted, failure: result.failure };
      if (isOver(card, context)) return { expects, set: { ...failed, ...taken, state: "undelivered" } };
      // Of a card that fails by itself as well, that is no news.
      if (!wasOpen && card.serverErrors === 0) {
        return { expects, set: { ...failed, ...taken, state: "retrying" } };
      }
      return news;
    }
    case "maybePosted":
      return news;
  }
}

/** Removes the failure of an earlier post, if there is one: a statement that removes nothing is quicker. */
const noFailure = ({ failure }: StoredCard) => (failure === undefined ? {} : { failure: undefined });

const isOver = ({ acceptedAt }: StoredCard, { now, giveUpMilliseconds }: RecordContext) =>
  now - acceptedAt >= giveUpMilliseconds;

function failedByItself(
  card: StoredCard,
  failure: DeliveryFailure,
  serverErrors: number,
  context: RecordContext,
) {
  const failed = { failure, serverErrors };
  if (serverErrors >= serverErrorsLimit) return { ...failed, state: "rejected" } as const;
  if (isOver(card, context)) return { ...failed, state: "undelivered" } as const;
  const nextAttemptAt = context.now + backoffOf(card.attempts, context.random);
  return { ...failed, state: "retrying", nextAttemptAt } as const;
}

/** Milliseconds until a card is tried again that has failed by itself: between half and all of a wait that doubles. */
export function backoffOf(attempts: number, random: number): number {
  const wait = Math.min(backoff.longest, backoff.first * 2 ** Math.min(attempts, 30));
  return Math.ceil(wait * (0.5 + random / 2));
}

/**
 * What is still to be noted of a result if the card has changed since the snapshot that its post relied on: what the exchange
 * has, or may have; and that a version was delivered though another run has recorded otherwise: a 409 to that run was about this
 * post.
 *
 * @param posted the version that was posted
 * @param current what is stored now
 */
export function recordLate(
  posted: number,
  result: CardResult,
  current: StoredCard,
  now: number,
): Recorded | undefined {
  const { version, state, atExchange, maybeAtExchange } = current;
  const wasConflict = state === "rejected" && current.failure?.status === 409;
  const isTaken = result.kind === "delivered" || (version === posted && wasConflict && maybeTaken(result));
  if (version === posted && isTaken && state !== "delivered") {
    return {
      expects: { version, states: [state] },
      set: {
        state: "delivered",
        since: now,
        atExchange: version,
        failure: undefined,
        nextAttemptAt: undefined,
      },
    };
  }
  // A given-up card may be sent on again, or withdrawn.
  if (version === posted && isFinal(state) && state !== "undelivered") return undefined;
  const expects = { version, states: [state], atExchange, maybeAtExchange };
  if (isTaken && atExchange < posted) return { expects, set: { atExchange: posted } };
  if (maybeTaken(result) && maybeAtExchange < posted) return { expects, set: { maybeAtExchange: posted } };
  return undefined;
}
