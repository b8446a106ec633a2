import { dayOf } from "../../formats/union-time.ts";
import type {
  Arrival,
  CardChange,
  CardKey,
  DeliveryFailure,
  ExpectedCard,
  PostFact,
  StoredCard,
} from "../life/card.ts";
import { type CardContent, dayOfPlay } from "../life/card-content.ts";
import { asRead } from "../life/change-card.ts";
import { isOpen, State } from "../life/states.ts";
import type { OutageSpan } from "./breaker.ts";
import {
  answerOf,
  exchangeNumbers,
  isKnownToBeThere,
  isMaybeThere,
  type NewPost,
  postsOf,
  withPost,
} from "./posts.ts";
import type { Verdict } from "./verdict.ts";

/** What a run has learned about one card. */
export type CardResult =
  | { readonly kind: "delivered" }
  /** The card failed alone, beside others that went through. */
  | {
      readonly kind: "failed";
      readonly failure: DeliveryFailure;
      readonly verdict: Exclude<Verdict, { readonly kind: "unwitnessed" }>;
      /** Milliseconds until the next attempt at the latest, if the card is suspected. */
      readonly wait: number;
    }
  /** The card failed, and that may be the exchange's fault. `isAlone`: it was posted alone. */
  | { readonly kind: "outage"; readonly failure: DeliveryFailure; readonly isAlone: boolean }
  /** A second post is not tried any more. */
  | { readonly kind: "givenUp" }
  /** Nothing but what `unclear` says. */
  | { readonly kind: "noted" };

/** Posts of a card that are not recorded yet, and what they mean. */
export interface CardOutcome {
  /** The version that was posted. */
  readonly posted: number;
  readonly result: CardResult;
  /** Set if an earlier post of it has no known answer: how that failed, if it is known. */
  readonly unclear?: { readonly failure?: DeliveryFailure } | undefined;
  /** It had its outcome before, and was posted once more. */
  readonly isRepost?: boolean;
}

/** What a record depends on besides card and outcome. Times in milliseconds since 1970, UTC. */
export interface RecordContext {
  readonly now: number;
  readonly giveUpMilliseconds: number;
  /** Whether the vendor's breaker was open before the post: then an outage is recorded there alone. */
  readonly wasOpen: boolean;
  /** From 0 to below 1. */
  readonly random: number;
}

/** What the result of a post changes on the card. */
export type OutcomeUpdate = Omit<CardChange, keyof CardKey> & { readonly expects: ExpectedCard };

function newPosts({ posted: version, result, unclear }: CardOutcome, known: readonly PostFact[]): NewPost[] {
  const isNoted = unclear === undefined || isKnownToBeThere(known, version);
  const earlier: NewPost[] = isNoted
    ? []
    : [{ version, answer: "unknown", ...(unclear.failure && { failure: unclear.failure }) }];
  if (result.kind === "noted" || result.kind === "givenUp") return earlier;
  if (result.kind === "delivered") return [...earlier, { version, answer: "yes" }];
  return [...earlier, { version, answer: answerOf(result.failure), failure: result.failure }];
}

/**
 * The update after posts of a card: what is known of them, and the state that follows from all that is known.
 *
 * The card may have changed since the post, by another run or its vendor: facts may come in any order, and lead to the same end.
 *
 * @param card as it is stored now
 * @returns undefined if there is nothing new
 */
export function recordOutcome(
  card: StoredCard,
  outcome: CardOutcome,
  context: RecordContext,
): OutcomeUpdate | undefined {
  const { version, state } = card;
  const { now } = context;
  const before = postsOf(card);
  let posts = newPosts(outcome, before).reduce((known, post) => withPost(known, post, now), before);
  const end = endAfter({ ...card, posts, ...exchangeNumbers(card, posts) }, outcome, context);
  if (
    end?.state === State.delivered &&
    !posts.some((post) => post.answer === "yes" && post.version === version)
  ) {
    posts = withPost(posts, { version, answer: "yes" }, now);
  }
  const numbers = exchangeNumbers(card, posts);
  const isNews =
    numbers.atExchange > card.atExchange ||
    posts.some(({ version: of }) => !isKnownToBeThere(before, of) && isKnownToBeThere(posts, of));
  if (end === undefined && !isNews) return undefined;
  const expects = { ...asRead(card), ...(card.posts && { posts: card.posts }) };
  if (end?.reposted !== undefined && !isNews) return { expects, set: end };
  // A withdrawn card that the exchange may have is listed by its state, and told once more.
  const told = end === undefined && state === State.withdrawn ? { state, since: now } : {};
  return { expects, set: { ...told, ...end, posts, ...(card.failed && { failed: undefined }), ...numbers } };
}

/** The state that follows from what is known of a card, and what goes with it; undefined if it stays. */
function endAfter(
  card: StoredCard,
  { posted, result, isRepost }: CardOutcome,
  { now, giveUpMilliseconds, wasOpen, random }: RecordContext,
): OutcomeUpdate["set"] | undefined {
  const { version, state, attempts } = card;
  const isWaiting = posted === version && isOpen(state);
  const attempted = { since: now, attempts: attempts + 1, nextAttemptAt: undefined };
  const isRejected = isWaiting && result.kind === "failed" && result.verdict.kind === "rejected";
  const rejection = isRejected ? result.failure : state === State.rejected ? card.failure : undefined;
  const isThere = posted === version && result.kind === "delivered" && state !== State.delivered;
  // A 409 says that the exchange has the card, if a post of the same content may have reached it.
  if (isThere || (rejection?.status === 409 && isMaybeThere(card))) {
    const since = isOpen(state) ? attempted : { since: now, nextAttemptAt: undefined };
    return { ...since, state: State.delivered, failure: undefined };
  }
  const isEnd = result.kind === "delivered" || result.kind === "givenUp";
  if (isRepost && posted === version && isEnd) return { reposted: version };
  if (!isWaiting || isEnd || result.kind === "noted") return undefined;
  const { failure } = result;
  const failed = { ...attempted, failure };
  if (isRejected) return { ...failed, state: State.rejected };
  if (now - card.acceptedAt >= giveUpMilliseconds) return { ...failed, state: State.undelivered };
  if (result.kind === "failed" && result.verdict.kind === "suspected") {
    const nextAttemptAt = now + Math.ceil(result.wait * (0.5 + random / 2));
    return { ...failed, state: State.retrying, suspicion: result.verdict.suspicion, nextAttemptAt };
  }
  // An outage is nothing new if the breaker is open, or the card is suspected anyway.
  if (wasOpen || card.suspicion !== undefined) return undefined;
  // What failed alone is posted alone from then on: if it is at fault, it holds up no others.
  const isAlone = result.kind === "outage" && result.isAlone;
  return { ...failed, ...(isAlone && { suspicion: 0 }), state: State.retrying };
}

/** The update of a card; if it says that the card was delivered, it also says whether that was on the day of play. */
export function withArrival<Update extends Pick<CardChange, "set">>(
  update: Update,
  content: Pick<CardContent, "text">,
  timeZone: string,
): Update {
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
export function isDelayed(card: StoredCard, outage: OutageSpan | undefined, now: number): boolean {
  const isOfVersion = (post: PostFact) => post.version === card.version && post.from > 0;
  const posts = card.suspicion === undefined ? [] : postsOf(card).filter(isOfVersion);
  const until = Math.min(now, ...posts.map(({ from }) => from));
  return outsideOf(card.acceptedAt, until, outage) > objectiveTime;
}
