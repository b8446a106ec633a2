import { isDeepStrictEqual } from "node:util";
import {
  type DeliveryFailure,
  type EarlierContent,
  erasedHash,
  type PostAnswer,
  type PostFact,
  type StoredCard,
} from "../life/card.ts";
import { isFinal, isWithdrawal, State } from "../life/states.ts";
import { retrying } from "./timing.ts";

/** Limit of an item's size: facts of this many posts are kept. */
const maxPosts = 12;
/** Limit of an item's size: the hashes of this many earlier contents are kept. */
const maxContents = 10;

/** What a post that failed says: whether the exchange may have taken its cards. */
export function answerOf({ phase, isNamed }: DeliveryFailure): PostAnswer {
  if (phase === "before") return "neverSent";
  // A gateway may answer with any status for an exchange that has taken the cards.
  return isNamed ? "no" : "unknown";
}

/** Whether the exchange has what was posted, or may have it. */
const mayHave = ({ answer }: Pick<PostFact, "answer">): boolean => answer === "yes" || answer === "unknown";

/** Whether the exchange may have got the card by a post, whatever it answered; a 409 says nothing of the post that it answers. */
const wasSent = ({ answer, failure }: PostFact): boolean =>
  answer === "yes" || (answer !== "neverSent" && failure?.status !== 409);

const untimed = (version: number, answer: PostAnswer): PostFact => ({
  version,
  from: 0,
  to: 0,
  posts: 1,
  answer,
});
const latest = (posts: readonly PostFact[], answer: PostAnswer): number =>
  Math.max(0, ...posts.map((post) => (post.answer === answer ? post.version : 0)));

/**
 * What is known of a card's posts, the latest last.
 *
 * Items of an older form, and those that an older function has changed during a deployment, have conclusions instead: these are read
 * as facts, and the next change stores them so.
 */
export function postsOf(card: StoredCard): readonly PostFact[] {
  const { failed = [], atExchange, maybeAtExchange } = card;
  const posts =
    card.posts ?? failed.map((each): PostFact => ({ ...each, answer: answerOf(each.failure ?? unclear) }));
  const concluded = [
    ...(maybeAtExchange > latest(posts, "unknown") ? [untimed(maybeAtExchange, "unknown")] : []),
    ...(atExchange > latest(posts, "yes") ? [untimed(atExchange, "yes")] : []),
  ];
  return concluded.length === 0 ? posts : [...concluded, ...posts];
}

const unclear: DeliveryFailure = { phase: "during", message: "" };

/** A post to add to what is known. */
export type NewPost = Pick<PostFact, "version" | "answer" | "failure">;

/** The facts with one more post. If there are too many, one goes that says nothing which a later one does not say. */
export function withPost(posts: readonly PostFact[], post: NewPost, now: number): readonly PostFact[] {
  const last: Partial<PostFact> = posts.at(-1) ?? {};
  const { from = now, to, posts: count = 0, ...said } = last;
  if (isDeepStrictEqual(said, post))
    return [...posts.slice(0, -1), { ...post, from, to: now, posts: count + 1 }];
  const all = [...posts, { ...post, from: now, to: now, posts: 1 }];
  if (all.length <= maxPosts) return all;
  const spare = all.findIndex(
    (one, n) =>
      !mayHave(one) ||
      all.slice(n + 1).some(({ version, answer }) => {
        return version === one.version && (answer === "yes" || answer === one.answer);
      }),
  );
  return all.toSpliced(Math.max(0, spare), 1);
}

/** What a card stores of its posts: the facts, and the latest versions that the exchange has, and may have. */
export function toFacts(card: StoredCard, posts: readonly PostFact[]) {
  return {
    posts,
    failed: undefined,
    atExchange: Math.max(card.atExchange, latest(posts, "yes")),
    maybeAtExchange: Math.max(card.maybeAtExchange, latest(posts, "unknown")),
  };
}

const minute = 60_000;
/** How long after a post without a known answer the exchange may finish it: a correction is posted once more after each. */
const lastFinish = 6 * 60 * minute;
const finishedWithin = [60 * minute, lastFinish];

/**
 * When a delivered card is posted once more; undefined if it is not. The exchange may finish a post
 * of an older content after this one: five minutes later if a correction had to wait, and hours later if nobody knows what became of
 * the older post. One that the exchange did not take is tried again. Of an erased card nothing is posted any more.
 *
 * @param lateFinish see `PostTiming`
 */
export function repostAt(card: StoredCard, lateFinish: number): number | undefined {
  const { state, version, since, reposted, mustWait, contentHash, nextAttemptAt = 0 } = card;
  if (state !== State.delivered || reposted === version || contentHash === erasedHash) return undefined;
  const posts = postsOf(card);
  const taken = posts.filter((post) => post.version === version && post.answer === "yes");
  const takenAt = Math.max(0, ...taken.map(({ to }) => to)) || since;
  const openUntil = Math.max(0, ...posts.map((post) => (isOlderUnknown(post, card) ? post.to : 0)));
  const due = [
    ...(mustWait && takenAt < since + minute ? [since + lateFinish] : []),
    ...(openUntil > 0 ? finishedWithin.map((time) => openUntil + time).filter((at) => at > takenAt) : []),
  ];
  return due.length === 0 ? undefined : Math.max(Math.min(...due), nextAttemptAt);
}

const isOlderUnknown = ({ version, answer }: PostFact, card: StoredCard): boolean =>
  version < sameContentSince(card) && answer === "unknown";

/**
 * How long a card waits after a failed post, before jitter, in milliseconds: a share of its age, since each post may be taken once more.
 *
 * @param age milliseconds since its first post
 */
export const retryWait = (age: number): number =>
  Math.min(retrying.longest, Math.max(retrying.shortest, age * retrying.share));

/** When a card is posted again after a wait that is not the shortest one. */
export const attemptAfter = (wait: number, now: number, random: number): number =>
  now + Math.ceil(wait * (0.5 + random / 2));

/** When a card's latest version was posted first, as far as that is recorded; milliseconds since 1970, UTC. */
export const firstPostAt = ({ posts = [], version }: StoredCard): number | undefined =>
  posts.find((post) => post.version === version && post.from > 0)?.from;

/**
 * Whether a wake-up of the card must be under way: it has no outcome yet, or is to be posted once more. It does not depend on the time.
 */
export const isUnfinished = (card: StoredCard): boolean =>
  !isFinal(card.state) || repostAt(card, 0) !== undefined;

/**
 * Whether the exchange may have an older content of a delivered card, or finish an older post. Only an echo shows which content it has; a
 * 409 does not.
 */
export function isMaybeStale(card: StoredCard): boolean {
  const { state, version, since, contentHash, nextAttemptAt } = card;
  if (state !== State.delivered || contentHash === erasedHash) return false;
  const posts = postsOf(card);
  const taken = posts.filter((post) => post.version === version && post.answer === "yes");
  const echoed = taken.filter(({ failure }) => failure === undefined);
  const echoedAt = taken.length === 0 ? since : Math.max(0, ...echoed.map(({ to }) => to));
  const isFailing = nextAttemptAt !== undefined && repostAt(card, 0) !== undefined;
  return isFailing || posts.some((post) => isOlderUnknown(post, card) && post.to + lastFinish > echoedAt);
}

/** Whether it is known of a version that the exchange has it, or may have it. */
export const isKnownToBeThere = (posts: readonly PostFact[], version: number): boolean =>
  posts.some((post) => mayHave(post) && wasSent(post) && post.version === version);

/** The first version with the content of the latest. A withdrawal is a version of its own. */
export const sameContentSince = ({
  version,
  state,
  contentSince,
}: Pick<StoredCard, "version" | "state" | "contentSince">): number =>
  contentSince ?? (isWithdrawal(state) ? version - 1 : version);

/** The contents of a card that is about to get another one. */
export function contentsBefore(card: StoredCard): readonly EarlierContent[] {
  const content = { since: sameContentSince(card), hash: card.contentHash };
  return [...(card.earlierContents ?? []), content].slice(-maxContents);
}

/** The content that a version had before the latest; undefined if it has the latest, or is not remembered. */
const contentBefore = (card: StoredCard, version: number): EarlierContent | undefined =>
  version >= sameContentSince(card)
    ? undefined
    : card.earlierContents?.findLast(({ since }) => since <= version);

/** Whether a version had the content that the card has now. */
const isOfSameContent = (card: StoredCard, version: number): boolean =>
  version >= sameContentSince(card) || contentBefore(card, version)?.hash === card.contentHash;

/** Whether the exchange has the content of a card that is not delivered, or may have it: by this version, or by an earlier one. */
export function isMaybeThere(card: StoredCard): boolean {
  const { atExchange } = card;
  const isLatest = atExchange >= sameContentSince(card);
  // The version that the exchange is known to have replaced all earlier contents there.
  const from = isLatest ? sameContentSince(card) : (contentBefore(card, atExchange)?.since ?? 0);
  return postsOf(card).some(
    (post) => wasSent(post) && post.version >= from && isOfSameContent(card, post.version),
  );
}
