import { dayOf } from "../formats/union-time.ts";
import type { OutageSpan } from "./breaker.ts";
import {
  type Arrival,
  type CardChange,
  type CardKey,
  type DeliveryFailure,
  isOfSameContent,
  type StoredCard,
  sameContentSince,
  withFailedPost,
  withMaybeThere,
} from "./card.ts";
import { type CardContent, dayOfPlay } from "./card-content.ts";
import { openStates, State } from "./life/states.ts";
import type { Verdict } from "./verdict.ts";

/** What a run has learned about one card. */
export type CardResult =
  | { readonly kind: "delivered" }
  /** The card failed alone, beside others that went through. `maybePosted`: the exchange may have taken an earlier post. */
  | {
      readonly kind: "failed";
      readonly failure: DeliveryFailure;
      readonly verdict: Exclude<Verdict, { readonly kind: "unwitnessed" }>;
      readonly maybePosted: boolean;
      /** Milliseconds until the next attempt at the latest, if the card is suspected. */
      readonly wait: number;
    }
  /** The card failed, and that may be the exchange's fault. `isAlone`: it was posted alone. */
  | {
      readonly kind: "outage";
      readonly failure: DeliveryFailure;
      readonly maybePosted: boolean;
      readonly isAlone: boolean;
    }
  /** A post failed that the exchange may have taken, and the card was not posted again. */
  | { readonly kind: "maybePosted" };

/** What a record depends on besides card and result. Times in milliseconds since 1970, UTC. */
export interface RecordContext {
  readonly now: number;
  readonly giveUpMilliseconds: number;
  /** Whether the vendor's breaker was open before the post: then an outage is recorded there alone. */
  readonly wasOpen: boolean;
  /** From 0 to below 1. */
  readonly random: number;
}

/** What the result of a post changes on the card. */
export type OutcomeUpdate = Omit<CardChange, keyof CardKey>;

/** Whether the exchange may have taken cards by a post that failed like this. */
export function maybeTakenBy({ phase, status = 0 }: DeliveryFailure): boolean {
  // 503 means that nothing was done; 502 and 504 come from a gateway that got no response of the exchange.
  const isUnclear = (status >= 200 && status < 300) || (status >= 500 && status !== 503);
  return phase === "during" || (phase === "after" && (isUnclear || status === 0));
}

function maybeTaken(result: CardResult): boolean {
  if (result.kind === "delivered") return false;
  return result.kind === "maybePosted" || result.maybePosted || maybeTakenBy(result.failure);
}

/** The update after a post that relied on this snapshot of the card; undefined if there is nothing new. */
export function recordOf(
  card: StoredCard,
  result: CardResult,
  context: RecordContext,
): OutcomeUpdate | undefined {
  const update = outcomeOf(card, result, context);
  const failure = update?.set.failure;
  if (update === undefined || failure === undefined) return update;
  return { ...update, set: { ...update.set, failed: withFailedPost(card, failure, context.now) } };
}

function outcomeOf(card: StoredCard, result: CardResult, context: RecordContext): OutcomeUpdate | undefined {
  const { now, wasOpen, giveUpMilliseconds, random } = context;
  const { version, attempts, acceptedAt } = card;
  const expects = { version, states: openStates };
  const attempted = { since: now, attempts: attempts + 1, nextAttemptAt: undefined };
  const isMaybeTaken = maybeTaken(result);
  const taken = isMaybeTaken || card.maybeAtExchange === version ? { maybeAtExchange: version } : {};
  const isOver = now - acceptedAt >= giveUpMilliseconds;
  if (result.kind === "delivered") {
    return {
      expects,
      set: { ...attempted, state: State.delivered, atExchange: version, failure: undefined },
    };
  }
  if (result.kind === "failed") {
    const { failure, verdict, wait } = result;
    const failed = { ...attempted, ...taken, failure };
    if (verdict.kind === "rejected") {
      // If another run has recorded since that the exchange may have the card, the 409 was about that run's post.
      const unchanged = failure.status === 409 ? { maybeAtExchange: card.maybeAtExchange } : {};
      return { expects: { ...expects, ...unchanged }, set: { ...failed, state: State.rejected } };
    }
    if (isOver) return { expects, set: { ...failed, state: State.undelivered } };
    const nextAttemptAt = now + Math.ceil(wait * (0.5 + random / 2));
    const { suspicion } = verdict;
    return { expects, set: { ...failed, state: State.retrying, suspicion, nextAttemptAt } };
  }
  if (result.kind === "outage") {
    const failed = { ...attempted, ...taken, failure: result.failure };
    if (isOver) return { expects, set: { ...failed, state: State.undelivered } };
    // An outage is nothing new if the breaker is open, or the card is suspected anyway.
    if (!wasOpen && card.suspicion === undefined) {
      // What failed alone is posted alone from then on: if it is at fault, it holds up no others.
      const suspected = result.isAlone ? { suspicion: 0 } : {};
      return { expects, set: { ...failed, ...suspected, state: State.retrying } };
    }
  }
  return isMaybeTaken && card.maybeAtExchange < version ? { expects, set: taken } : undefined;
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
): OutcomeUpdate | undefined {
  const { version, state, atExchange, maybeAtExchange } = current;
  const isMaybeTaken = maybeTaken(result);
  const isSame = isOfSameContent(current, posted);
  const wasConflict = state === State.rejected && current.failure?.status === 409;
  const isDelivered = version === posted && result.kind === "delivered";
  if ((isDelivered && state !== State.delivered) || (wasConflict && isSame && isMaybeTaken)) {
    const set = { since: now, atExchange: version, failure: undefined, nextAttemptAt: undefined };
    return { expects: { version, states: [state] }, set: { state: State.delivered, ...set } };
  }
  // A given-up or rejected card may still be resent or withdrawn.
  if (version === posted && state === State.delivered) return undefined;
  const expects = { version, states: [state], atExchange, maybeAtExchange };
  // A withdrawn card that the exchange may have is listed by its state, and told once more.
  const told = state === State.withdrawn ? { state, since: now } : {};
  const earlierContents = withMaybeThere(current, posted);
  const noted = earlierContents === undefined ? {} : { earlierContents };
  if (result.kind === "delivered" && atExchange < posted)
    return { expects, set: { ...told, ...noted, atExchange: posted } };
  if (!isMaybeTaken) return undefined;
  // A card that was corrected back has the content of a version before.
  const maybeThere = isSame ? Math.max(posted, sameContentSince(current)) : posted;
  if (maybeAtExchange < maybeThere)
    return { expects, set: { ...told, ...noted, maybeAtExchange: maybeThere } };
  // The exchange may have a later content, and may have this one all the same.
  return earlierContents === undefined ? undefined : { expects, set: noted };
}

/**
 * The update after the post of a card that has its outcome. Once the second post of a correction is answered, other wake-ups for
 * it are duplicates.
 *
 * @returns undefined if there is nothing new
 */
export function recordRepost(result: CardResult, card: StoredCard, now: number): OutcomeUpdate | undefined {
  const { version, state } = card;
  if (state !== State.delivered || result.kind !== "delivered") return recordLate(version, result, card, now);
  return { expects: { version, states: [state] }, set: { reposted: version } };
}

/** The update of a card; if it says that the card was delivered, it also says whether that was on the day of play. */
export function withArrival(
  update: OutcomeUpdate,
  content: Pick<CardContent, "text">,
  timeZone: string,
): OutcomeUpdate {
  const { state, since } = update.set;
  const day = state === State.delivered && since !== undefined ? dayOfPlay(content) : undefined;
  if (day === undefined || since === undefined) return update;
  const arrival: Arrival = dayOf(since, timeZone) <= day ? "onDayOfPlay" : "late";
  return { ...update, set: { ...update.set, arrival } };
}

/** The service objective: a card is delivered within this time of its acceptance, in milliseconds; outages of the union apart. */
export const objectiveTime = 5 * 60_000;

/** The part of a time that is not in an outage, in milliseconds. */
function outsideOf(from: number, to: number, outage: OutageSpan | undefined): number {
  const overlap = outage === undefined ? 0 : Math.min(to, outage.to) - Math.max(from, outage.from);
  return Math.max(0, to - from - Math.max(0, overlap));
}

/**
 * Whether a card that has been delivered took longer than the objective allows, without an outage of the union that explains it.
 * A card that failed by itself has been in time if its first post was: after that it waited for the exchange.
 *
 * @param card as it was read before the delivery
 * @param outage the vendor's latest
 * @param now milliseconds since 1970, UTC
 */
export function isDelayed(
  { acceptedAt, version, suspicion, failed = [] }: StoredCard,
  outage: OutageSpan | undefined,
  now: number,
): boolean {
  const failedPosts = suspicion === undefined ? [] : failed.filter((posts) => posts.version === version);
  const until = Math.min(now, ...failedPosts.map(({ from }) => from));
  return outsideOf(acceptedAt, until, outage) > objectiveTime;
}
