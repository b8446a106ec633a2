import { isUnfinished } from "../../../core/cards/delivery/posts.ts";
import { recording } from "../../../core/cards/delivery/timing.ts";
import { canMeanNo } from "../../../core/cards/delivery/verdict.ts";
import { erasedHash, isMissedByWithdrawal } from "../../../core/cards/life/card.ts";
import { isOfEarlierDay } from "../../../core/cards/life/card-content.ts";
import { isFinal, isOpen } from "../../../core/cards/life/states.ts";
import { dayOf } from "../../../core/formats/union-time.ts";
import {
  type CardHistory,
  type CardPost,
  type CardRequest,
  contentName,
  type Sighting,
  type TakenCard,
} from "./history.ts";
import { isBadContent, stoppedCard, throttledCard } from "./simulated-exchange.ts";
import { isPlayerKnown } from "./simulated-members.ts";
import { timeZone } from "./simulated-pipeline.ts";

/** What was sent with a request without an answer, or with 503, may still be stored until so long after it. */
const uncertainMilliseconds = 65_000;
/** A read that a post relies on is so old at most when the post begins, if that may take ten seconds. Clocks show whole milliseconds. */
const maxReadAge = 5001;
/** How far two clocks are apart at most. */
const clockDifference = 10_000;
/** An outage costs each version of a card no more writes. */
const maxWritesOfVersion = 3;
/** The longest wait between probes, with jitter, rounded up to the grid; and that of a correction. */
const maxWaitAfterOutage = 7 * 60_000 + 30_000;
/** The longest wait of a card by itself, with jitter. */
const maxRest = 2.6 * 3_600_000;
/** A round of an earlier day waits as long once more: those of the day that an outage has delayed go first. */
const maxWaitOfEarlierDay = 2 * maxWaitAfterOutage;
/** A card whose wake-up was lost has its outcome so long after that, or after the end of an outage. */
const maxWaitAfterPurge = 75 * 60_000;
/** With nothing wrong; a clock may be off by five seconds. */
const [maxWait, maxWaitOfCorrection] = [15_000, 45_000] as const;

/** A card is posted so often at most, whatever the exchange answers, and however often its messages come. */
const [maxPostsInNineHours, nineHours] = [60, 9 * 3_600_000] as const;

/** How strictly a day is judged. */
export interface Expectations {
  /** Nothing fails: each version is posted at most once, or twice if it had to wait. */
  readonly isCalm: boolean;
  /** Nothing fails but that the queue is slow: as if calm, but for the time that a card waits. */
  readonly isPostedOnce?: boolean;
  /** One card fails by itself: it may be rejected. */
  readonly isCardStopped?: boolean;
  /** One card is stopped: each other one is posted within this time of its acceptance, in milliseconds. */
  readonly maxWaitOfOthers?: number | undefined;
  /** Cards are given up so soon that a bad one may have no verdict by then. */
  readonly isGivingUp?: boolean;
  /** When the outage ended, if nothing else was wrong. */
  readonly outageEndedAt?: number;
  /** The queue was purged: nobody can know of a post whose run died, and whose wake-up was lost. */
  readonly isPurged?: boolean;
  /** When the queue was purged last, or an outage ended after that, if nothing else was wrong. */
  readonly purgedAt?: number;
}

const versionOf = ({ read: { card } }: CardPost) => card?.version ?? 0;

/** A withdrawal that was refused although it, or one before it, had withdrawn the card: a post became known later. */
function isRefusedLate({ writes, posts }: CardHistory, request: CardRequest): boolean {
  if (request.kind !== "withdraw" || request.status !== 409) return false;
  const known = writes.findLast(({ at }) => at <= request.until)?.card;
  if (known === undefined || !isMissedByWithdrawal(known)) return false;
  const { version } = known;
  const withdrawnAt =
    writes.find(({ card }) => card.version === version && card.state === "withdrawn")?.at ?? 0;
  return posts.every((post) => versionOf(post) >= version || post.isSentLate || post.until <= withdrawnAt);
}

const isCertain = ({ status }: CardRequest) => status === 201 || status === 204;
const isUncertain = ({ status }: CardRequest) => status === undefined || status >= 500;
const lastEffect = (request: CardRequest) =>
  request.until + (isUncertain(request) ? uncertainMilliseconds : 0);

/** What the exchange took, or will take, of the versions that a withdrawal took back with 204. */
function takenOfWithdrawn({ writes, taken }: CardHistory, { kind, status, until }: CardRequest): TakenCard[] {
  if (kind !== "withdraw" || status !== 204) return [];
  const withdrawn = writes.findLast(({ at, card }) => at <= until && card.state === "withdrawn");
  return taken.filter(({ post }) => versionOf(post) < (withdrawn?.card.version ?? 0));
}

/**
 * Requests whose content may be the one stored in the end, since no later request has certainly replaced it. A withdrawal that did not
 * know of a post is not certain: what it withdrew counts as delivered as soon as that is known.
 */
function lastRequests(card: CardHistory): CardRequest[] {
  const changing = card.requests.filter(
    (request) =>
      (request.kind === "submit" || request.kind === "withdraw") &&
      (isCertain(request) || isUncertain(request)),
  );
  const certain = changing.filter(
    (request) => isCertain(request) && takenOfWithdrawn(card, request).length === 0,
  );
  const latestCertain = Math.max(...certain.map(({ from }) => from));
  return changing.filter((request) => lastEffect(request) >= latestCertain);
}

/** What is stored in the end is what the vendor last asked for, it has its outcome, and the exchange has the same. */
function* judgeEnd(
  card: CardHistory,
  exchangeHolds: string | undefined,
  { isGivingUp = false, isPurged = false, isCardStopped = false }: Expectations,
) {
  const { requests, writes } = card;
  const stored = writes.at(-1)?.card;
  const whole = writes.findLast((write) => write.card.contentHash !== erasedHash)?.card;
  if (stored === undefined || whole === undefined) {
    if (requests.some(({ status }) => status === 201)) yield "it was accepted, and nothing is stored";
    return;
  }
  const { state } = stored;
  // Of an erased card the outcome stays, and what the exchange has.
  const text = whole.content.text();
  const name = contentName(text);
  const last = lastRequests(card);
  if (state === "withdrawn") {
    const isWithdrawn = last.some(({ kind }) => kind === "withdraw");
    if (!isWithdrawn && !requests.some((request) => isRefusedLate(card, request)))
      yield "it is withdrawn, and that was not the last request";
    // A post that nobody knew of when it was withdrawn is noted as soon as its wake-up comes back.
    if (exchangeHolds !== undefined && !isMissedByWithdrawal(stored) && !isPurged)
      yield "it is withdrawn, the exchange has it, and the item does not say so";
    return;
  }
  if (!last.some(({ content }) => content === name)) yield `${name} is stored, and was not the last request`;
  for (const { card } of writes) {
    const { state, failure = { phase: "during", message: "" } } = card;
    if (state === "rejected" && !canMeanNo(failure))
      yield `it was rejected by ${failure.status ?? "no answer"}, which does not mean no`;
  }
  // Nothing is posted of an erased card, whether it was given up or not.
  if (stored.contentHash === erasedHash && state === "undelivered") return;
  const isBad = isBadContent(name);
  if (isBad && isGivingUp && state === "undelivered") return;
  if (isCardStopped && card.externalId === stoppedCard && state === "rejected") return;
  const expected = isBad ? "rejected" : "delivered";
  if (state !== expected) yield `it is ${state}, not ${expected}`;
  if (state === "delivered" && exchangeHolds !== text) {
    yield `it is delivered as ${name}, and the exchange has ${contentName(exchangeHolds ?? "nothing")}`;
  }
}

/** A version that has its outcome is posted again only as planned, or if a 409 may have been about a post of a dead run. */
function mayBePosted({ read: { card } }: CardPost): boolean {
  if (card === undefined) return false;
  const { state, version, reposted, failure } = card;
  if (isOpen(state)) return true;
  return (state === "delivered" && reposted !== version) || (state === "rejected" && failure?.status === 409);
}

/** The write by which the run of a post claimed the card for it; undefined if it did not. */
function claimFor({ by, at, read: { card } }: CardPost, { writes }: CardHistory) {
  const { version, wokenAt } = card ?? {};
  const isClaim = (write: CardHistory["writes"][number]) =>
    write.by === by && write.at <= at && write.card.version === version && write.card.wokenAt === wokenAt;
  return wokenAt === undefined ? undefined : writes.find(isClaim);
}

/** Posts rely on what is stored, and never bring an older content after a newer one. */
function* judgePosts(history: CardHistory) {
  const { posts, taken } = history;
  /** Of each version that was posted: its content, and until when its posts were under way. */
  const posted = new Map<number, { content: string; until: number }>();
  for (const post of posts) {
    const { read, at, until, content, isSentLate } = post;
    const version = versionOf(post);
    if (read.card?.contentHash === erasedHash) yield "what is left of an erased card was posted";
    if (!mayBePosted(post)) yield `it was posted by a run that read ${read.card?.state ?? "nothing"}`;
    if (read.card !== undefined && read.card.content.text() !== content) {
      yield "other content was posted than read";
    }
    if ((read.card?.nextAttemptAt ?? 0) > read.at + clockDifference && claimFor(post, history) === undefined)
      yield "it was posted before its next attempt";
    if (!isSentLate) {
      if (at - read.at > maxReadAge) yield `it was posted ${at - read.at} ms after it was read`;
      for (const [earlier, { content: other, until: otherUntil }] of posted) {
        if (other === content) continue;
        if (earlier > version) yield `version ${version} was posted after version ${earlier}`;
        if (earlier < version && otherUntil > at) {
          yield `version ${version} was posted during a post of version ${earlier}`;
        }
      }
    }
    const before = posted.get(version)?.until ?? 0;
    posted.set(version, { content, until: isSentLate ? before : Math.max(before, until) });
  }
  const inTime = taken.filter(({ at, post: { until, isSentLate } }) => at <= until && !isSentLate);
  for (const { at, post } of inTime) {
    const isOlder = taken.some(
      (other) =>
        other.at < at && versionOf(other.post) > versionOf(post) && other.post.content !== post.content,
    );
    if (isOlder) yield `the exchange took version ${versionOf(post)} after a later one`;
  }
  const contents = new Set(posts.map(({ content }) => content));
  const ids = new Set([...contents].map((content) => (JSON.parse(content) as { ID?: unknown }).ID));
  if (ids.size > 1) yield "it was posted with several IDs";
}

/**
 * 204 is said only if no post of the withdrawn versions reached the exchange.
 *
 * One exemption, which the design documents: the run that made the post died, or stood still, or none of its records was carried
 * out in time. Nobody can know of such a post. A withdrawal that looks too early is not exempt: the record was in time.
 */
function* judgeWithdrawals(card: CardHistory) {
  for (const request of card.requests) {
    const { lastReadAt = 0 } = request;
    const known = takenOfWithdrawn(card, request).filter(({ post }) => {
      const inTime = post.isSentLate ? lastReadAt : Math.max(lastReadAt, post.until + recording);
      return card.writes.some(({ at, by }) => by === post.by && at >= post.at && at <= inTime);
    });
    if (known.length > 0) yield "204 was said, and the exchange has it";
    if (request.kind !== "withdraw" || request.status !== 409 || isRefusedLate(card, request)) continue;
    const isAlone = card.requests.every(
      (other) => other === request || other.from > request.until || lastEffect(other) < request.from,
    );
    const isTold = card.told.some(
      ({ state, at }) => state === "withdrawn" && at > request.from && at < request.until,
    );
    if (isAlone && isTold) yield "it was told as withdrawn, and the withdrawal was refused";
  }
}

/** How many withdrawals that were answered with 204 did not know of a post, by the exemption above. */
export function exemptions(card: CardHistory): number {
  return card.requests.filter((request) => takenOfWithdrawn(card, request).length > 0).length;
}

/** States that may follow a final one though nobody asked for anything: a run knew that the exchange has the card. */
const followers: Partial<Record<Sighting["state"], readonly Sighting["state"][]>> = {
  delivered: [],
  withdrawn: [],
  rejected: ["delivered"],
  undelivered: ["delivered"],
  // The request that withdrew it may have died, and a run decides.
  withdrawing: ["withdrawn", "queued", "retrying", "delivered", "rejected", "undelivered"],
  queued: ["retrying", "delivered", "rejected", "undelivered"],
  retrying: ["delivered", "rejected", "undelivered"],
};

/** What a vendor was told last is how the card ended. */
function* judgeTold({ writes, told }: CardHistory) {
  const stored = writes.at(-1)?.card;
  const last = told.at(-1);
  if (stored === undefined || !isFinal(stored.state)) return;
  if (last?.state !== stored.state || last.version !== stored.version)
    yield `version ${stored.version} is ${stored.state}, and version ${last?.version} was told as ${last?.state}`;
  else if (stored.state === "withdrawn" && isMissedByWithdrawal(stored) !== last.maybeDelivered)
    yield "the exchange may have it though it is withdrawn, and its vendor was not told";
}

/** What a vendor sees or is told never contradicts itself. */
function* judgeSightings({ sightings, requests }: Pick<CardHistory, "sightings" | "requests">) {
  const accepted = Math.min(...requests.filter(({ status }) => status === 201).map(({ until }) => until));
  for (const [index, later] of sightings.entries()) {
    if (later.state === "unknown" && later.from > accepted) yield "it was accepted, then unknown";
    // Those before were compared already.
    const earlier = sightings.slice(0, index).findLast(({ until }) => until <= later.from);
    if (earlier === undefined || earlier.state === later.state || earlier.state === "unknown") continue;
    const isChanged = requests.some(
      (request) => request.from <= later.until && lastEffect(request) >= earlier.from,
    );
    if (isChanged || followers[earlier.state]?.includes(later.state)) continue;
    yield `it was ${earlier.state}, then ${later.state}`;
  }
}

function* judgeAnswers({ requests }: CardHistory) {
  const submitted = requests.filter(({ kind, status }) => kind === "submit" && status === 201);
  for (const [content, same] of Map.groupBy(submitted, ({ content }) => content)) {
    const isSame = same.every(({ answer }) => answer === same[0]?.answer);
    if (!isSame) yield `${content} was answered differently when it was sent again`;
  }
}

/** The warning about a player follows the delivery of the version that it is about, and is true. */
function* judgeWarnings({ writes }: CardHistory) {
  for (const [index, { card }] of writes.entries()) {
    if (!card.playerUnknown) continue;
    const before = writes[index - 1]?.card;
    if (card.state !== "delivered" || before?.state !== "delivered" || before.version !== card.version) {
      yield `version ${card.version}, ${card.state}, has a warning about its player`;
    }
    if (card.contentHash !== erasedHash && isPlayerKnown(card.content.text()))
      yield "it has a warning about a player whom the union knows";
  }
}

/** An outage costs few writes, and little time after its end. A warning is no matter of the outage. */
function* judgeOutage({ writes: all, posts }: CardHistory, endedAt: number) {
  const writes = all.filter(({ by, card }) => !card.playerUnknown && !by.startsWith("erasure"));
  const versions = writes.at(-1)?.card.version ?? 0;
  // Second posts of a version that has its outcome, and their notes, are not due to the outage.
  const towardsOutcome = writes.filter(({ card }, n) => {
    const before = writes[n - 1]?.card;
    return before?.version !== card.version || !isFinal(before.state);
  });
  // Nor is what its vendor asks for meanwhile, a delivery at once or the same content again, nor a longer wait that the exchange asks of it.
  const { claims = [], others = [] } = Object.groupBy(towardsOutcome, ({ by, card }, n) => {
    const { wokenAt, suspicion, nextAttemptAt = 0 } = card;
    const before = towardsOutcome[n - 1]?.card;
    const isWoken = wokenAt !== undefined && wokenAt !== before?.wokenAt;
    if (by.startsWith("deliverNow") || (isWoken && by.startsWith("submit"))) return "asked";
    if (isWoken) return "claims";
    const isSameSuspect = suspicion !== undefined && suspicion === before?.suspicion;
    return isSameSuspect && nextAttemptAt > (before?.nextAttemptAt ?? 0) ? "longerWaits" : "others";
  });
  if (others.length > versions * maxWritesOfVersion) yield `${others.length} writes`;
  // A claim is for one post; a run may die between the two.
  if (claims.length > posts.length + versions) yield `${claims.length} claims for ${posts.length} posts`;
  for (const { at, card } of towardsOutcome) {
    const waited = at - Math.max(endedAt, card.acceptedAt);
    const isEarlier = isOfEarlierDay(card.content, dayOf(endedAt, timeZone));
    // A card that the exchange may have waits for a share of its age, if no other one ends the outage.
    const rest = card.maybeAtExchange > 0 ? Math.min(maxRest, (endedAt - card.acceptedAt) / 2) : 0;
    if (isFinal(card.state) && waited > rest + (isEarlier ? maxWaitOfEarlierDay : maxWaitAfterOutage))
      yield `it waited ${waited} ms after the outage`;
  }
}

/** After the queue was purged each card has its outcome in time, from its next attempt on if the exchange has asked to wait. */
function* judgePurge({ writes }: CardHistory, purgedAt: number) {
  const { nextAttemptAt = 0 } = writes.findLast(({ at }) => at <= purgedAt)?.card ?? {};
  for (const [n, { at, card }] of writes.entries()) {
    const waited = at - Math.max(purgedAt, card.acceptedAt, nextAttemptAt);
    const before = writes[n - 1]?.card;
    const isOutcome = isFinal(card.state) && !(before?.version === card.version && isFinal(before.state));
    const isEarlier = isOfEarlierDay(card.content, dayOf(purgedAt, timeZone));
    const longest = maxWaitAfterPurge + (isEarlier ? maxWaitAfterOutage : 0);
    if (isOutcome && waited > longest) yield `it waited ${waited} ms after the purge`;
  }
}

/** A correction that had to wait, or whose older content nobody knows of, is posted once more until that goes through. */
function* judgeReposts({ writes }: CardHistory) {
  const stored = writes.at(-1)?.card;
  if (stored?.state === "delivered" && isUnfinished(stored)) yield "its second post was not answered";
}

/** A run that has claimed a card has it for itself. */
function* judgeClaims(history: CardHistory) {
  const { posts } = history;
  for (const post of posts) {
    const { by, at, until, isSentLate } = post;
    const claim = claimFor(post, history);
    if (claim === undefined || isSentLate) continue;
    const version = versionOf(post);
    const other = posts.find(
      (one) => one.by !== by && one.at >= at && one.at < until && one.read.card?.version === version,
    );
    if (other !== undefined && !other.isSentLate && other.read.at > claim.at)
      yield `version ${version} was posted by two runs at once, of which one had claimed it`;
  }
}

/** However long a version waits, it is posted seldom, since each post may be taken once more; what was never sent does not count. */
function* judgeNumberOfPosts({ posts, requests }: CardHistory) {
  const asked = requests.filter(({ kind }) => kind === "deliverNow" || kind === "redrive").length;
  const sent = posts.filter(({ phase }) => phase !== "before");
  for (const [version, same] of Map.groupBy(sent, versionOf)) {
    const most = Math.max(
      ...same.map(({ at }, n) => same.slice(n).filter((post) => post.at < at + nineHours).length),
    );
    if (most > maxPostsInNineHours + asked) yield `version ${version} was posted ${most} times in nine hours`;
  }
}

/** While one card is stopped all others are posted soon. */
function* judgeOthers({ externalId, posts, writes }: CardHistory, maxWait: number) {
  if (externalId === stoppedCard || externalId.startsWith(throttledCard)) return;
  for (const [version, [first]] of Map.groupBy(posts, versionOf)) {
    const { mustWait = false, acceptedAt = 0 } = first?.read.card ?? {};
    const postedAt = first?.at ?? 0;
    const isResent = writes.some(
      ({ at, by, card }) => card.version === version && at < postedAt && !/^(submit|run) /.test(by),
    );
    const waited = postedAt - acceptedAt;
    if (!isResent && waited > maxWait + (mustWait ? maxWaitOfCorrection : 0))
      yield `it waited ${waited} ms beside a card that is stopped`;
  }
}

/** If nothing fails, a version is posted once, at once; twice if it must wait. Its player is checked. */
function* judgeCalm({ posts, writes }: CardHistory, isInTime: boolean) {
  if (writes.some(({ card }) => card.maybeAtExchange > 0))
    yield "the exchange may have it, though each post was answered";
  const last = writes.at(-1)?.card;
  if (last?.state === "delivered" && !last.playerUnknown && !isPlayerKnown(last.content.text())) {
    yield "its player is unknown, and it has no warning";
  }
  const withdrawing = new Set(
    writes.filter(({ card }) => card.state === "withdrawing").map(({ card }) => card.version),
  );
  // A withdrawal that finds its card delivered makes one more version of it: the second post of the version before is its own.
  const postedVersion = (post: CardPost) => versionOf(post) - (withdrawing.has(versionOf(post)) ? 1 : 0);
  for (const [version, same] of Map.groupBy(posts, postedVersion)) {
    const [first] = same;
    const { mustWait = false, acceptedAt = 0 } = first?.read.card ?? {};
    const most = mustWait ? 2 : 1;
    // The second post of a version is left out if another version has come since.
    const latest = withdrawing.has(version + 1) ? version + 1 : version;
    const isWhole = latest < (last?.version ?? 0) || same.length === most || last?.state !== "delivered";
    if (same.length > most || !isWhole)
      yield `version ${version} was posted ${same.length} times, not ${most}`;
    const waited = (first?.at ?? 0) - acceptedAt;
    if (isInTime && waited > (mustWait ? maxWaitOfCorrection : maxWait)) yield `it waited ${waited} ms`;
  }
}

/**
 * Says what does not hold of a card, of all that must hold whatever fails; nothing if all is well.
 *
 * @param exchangeHolds JSON of the card that the exchange has in the end
 */
export function judge(
  card: CardHistory,
  exchangeHolds: string | undefined,
  expectations: Expectations,
): string[] {
  const { isCalm, isPostedOnce = false, outageEndedAt, purgedAt, maxWaitOfOthers } = expectations;
  return [
    ...new Set([
      ...judgeEnd(card, exchangeHolds, expectations),
      ...judgePosts(card),
      ...judgeWithdrawals(card),
      ...judgeSightings(card),
      ...judgeSightings({
        requests: card.requests,
        sightings: card.told.map(({ state, at }) => ({ state, from: at, until: at })),
      }),
      ...judgeTold(card),
      ...judgeReposts(card),
      ...judgeClaims(card),
      ...judgeNumberOfPosts(card),
      ...(maxWaitOfOthers === undefined ? [] : judgeOthers(card, maxWaitOfOthers)),
      ...judgeAnswers(card),
      ...judgeWarnings(card),
      ...(outageEndedAt === undefined ? [] : judgeOutage(card, outageEndedAt)),
      ...(purgedAt === undefined ? [] : judgePurge(card, purgedAt)),
      ...(isCalm || isPostedOnce ? judgeCalm(card, isCalm) : []),
    ]),
  ];
}
