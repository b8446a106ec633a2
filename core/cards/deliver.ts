import { setTimeout as sleep } from "node:timers/promises";
import pMap from "p-map";
import type { ApiSet } from "../accounts/account.ts";
import { CredentialsUnavailableError, type UnionAccount } from "../union/account-secrets.ts";
import type { OutboundCard, PostCards, PostResult } from "../union/exchange.ts";
import { bisect, type CardResult, type IndexRange, rangeKey } from "./bisect.ts";
import { type Breaker, openedBy, permissionOf, probeWait } from "./breaker.ts";
import type { CardChange, CardState, StoredCard } from "./card.ts";
import { type ArrayResponse, classifyResponse, type Outage } from "./classify-response.ts";
import { decide } from "./decide.ts";
import {
  type ReceivedMessage,
  type ReceivedWakeUp,
  readMessages,
  type WakeUp,
  type WakeUpCard,
} from "./queue.ts";
import { type CardUpdate, recordLate, recordOf, recordRepost, resultOf } from "./record.ts";
import type { ScorecardTable } from "./scorecard-table.ts";
import {
  backoff,
  delayOnGrid,
  delaySeconds,
  notStored,
  type PostTiming,
  probe,
  recordingReserve,
  repostsUntil,
} from "./timing.ts";

/** A stage's settings of the delivery. */
export interface DeliverySettings {
  /** Most cards in one post. */
  readonly postSize: number;
  /** Vendors whose cards are posted concurrently. */
  readonly parallelPosts: number;
  /** A card that fails this long after it was accepted is given up. */
  readonly giveUpMilliseconds: number;
  readonly timing: PostTiming;
}

/** An event for logs and metrics, without personal data. */
export type DeliveryEvent =
  | {
      readonly kind: "posted";
      readonly apiSet: ApiSet;
      readonly result: PostResult;
      readonly milliseconds: number;
      readonly cards: readonly OutboundCard[];
    }
  /** The number of cards for which this state was recorded. */
  | { readonly kind: "recorded"; readonly state: CardState; readonly cards: number }
  /** The vendor's circuit breaker opened or closed; or its credentials at the union cannot be read. */
  | { readonly kind: "paused" | "resumed" | "noCredentials"; readonly apiSet: ApiSet }
  | { readonly kind: "failed"; readonly apiSet: ApiSet; readonly error: unknown }
  | { readonly kind: "unreadable"; readonly messages: number }
  /** When the oldest card that is to be tried later was accepted, in milliseconds since 1970, UTC. */
  | { readonly kind: "waiting"; readonly oldestAt: number };

/** The table, the queue, the exchange and the clock that a delivery uses. */
export interface DeliveryDependencies {
  readonly settings: DeliverySettings;
  readonly table: Pick<ScorecardTable, "read" | "write" | "readWithBreaker" | "writeBreaker">;
  /** @throws CredentialsUnavailableError */
  readonly account: (apiSet: ApiSet) => Promise<UnionAccount>;
  readonly forgetAccount: (apiSet: ApiSet) => void;
  readonly post: PostCards;
  readonly send: (wakeUps: readonly WakeUp[]) => Promise<void>;
  readonly now: () => Date;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly report: (event: DeliveryEvent) => void;
}

/** State that an execution environment keeps between runs. It may be lost at any time. */
interface DeliveryMemory {
  /** The array size of each vendor's posts. */
  readonly sizes: Map<ApiSet, number>;
  /** Vendors whose breaker was open when it was last read: it is read again before their cards. */
  readonly paused: Set<ApiSet>;
  /** When a card of any vendor was last delivered, in milliseconds since 1970, UTC. */
  wentThroughAt: number;
}

/**
 * Makes the function that delivers the cards which a batch of messages names.
 *
 * The stored card decides what is done, so a message may come twice, late or out of order. Cards to be tried later are sent to
 * the queue in new messages before the old ones are done. Vendors are handled concurrently and independently, so one vendor's
 * failing posts do not delay another's.
 *
 * @returns a function from messages, and the milliseconds left, to the IDs of the messages that failed: the queue hands them
 *   over again after its visibility timeout
 */
export function createDelivery(dependencies: DeliveryDependencies) {
  const { settings, send, report } = dependencies;
  const memory: DeliveryMemory = { sizes: new Map(), paused: new Set(), wentThroughAt: 0 };

  return async function deliver(
    messages: readonly ReceivedMessage[],
    remaining: () => number,
  ): Promise<string[]> {
    const { vendors, unreadable } = readMessages(messages);
    if (unreadable.length > 0) report({ kind: "unreadable", messages: unreadable.length });
    const failed = new Set(unreadable);
    let oldestAt = Number.POSITIVE_INFINITY;
    const noteOldest = (cards: readonly WakeUpCard[]) => {
      for (const { madeAt } of cards) oldestAt = Math.min(oldestAt, madeAt);
    };
    await pMap(
      vendors,
      async ([apiSet, wakeUps]) => {
        try {
          const later = await deliverVendor(apiSet, wakeUps, dependencies, memory, remaining);
          if (later.length > 0) await send(later);
          noteOldest(later.filter(({ mark }) => mark !== "repost"));
        } catch (error) {
          report({ kind: "failed", apiSet, error });
          for (const id of wakeUps.flatMap(({ messageIds }) => messageIds)) failed.add(id);
          noteOldest(wakeUps);
        }
      },
      { concurrency: settings.parallelPosts },
    );
    if (oldestAt < Number.POSITIVE_INFINITY) report({ kind: "waiting", oldestAt });
    return [...failed];
  };
}

/** A card to be posted, as it was read. */
interface DueCard {
  readonly wakeUp: ReceivedWakeUp;
  readonly card: StoredCard;
  /** When it was read, in milliseconds since 1970, UTC. */
  readonly readAt: number;
  /** It has its outcome already, and is posted once more. */
  readonly isRepost: boolean;
}

/** A card with the result of an attempt to post it. */
interface CardAttempt {
  readonly due: DueCard;
  readonly result: CardResult;
}

/** An attempt with the change that records it. */
interface Unrecorded extends CardAttempt {
  readonly change: CardChange;
}

/** How the posts of an array ended. */
interface ArrayEnd {
  /** Cards to be tried again: there was an outage, or no time. */
  readonly untried: readonly DueCard[];
  readonly outage?: Outage | undefined;
  /** How many posts were made. */
  readonly posts: number;
}

/** Cards read in one request to the table. */
const readTogether = 100;
/** Characters of JSON in a post of more than one card: web servers refuse a body of a few megabytes. */
const mostCharacters = 512 * 1024;
/** How often a change is tried if other runs change the card first. */
const mostRounds = 4;

const nothingPosted: ArrayResponse = { kind: "echoed", ids: new Set() };
const maybePosted: CardResult = { kind: "maybePosted" };

const isIn = ([from, to]: IndexRange, index: number) => index >= from && index < to;
const isKnownBad = ({ card }: DueCard) => card.serverErrors > 0;
const isTooMuch = ({ failure }: Outage) => failure.phase === "during" || failure.status === 500;
const wakeUpOf = ({ wakeUp }: DueCard) => wakeUp;

const changeOf = ({ apiSet, externalId }: StoredCard, update: CardUpdate): CardChange => ({
  apiSet,
  externalId,
  ...update,
});

/**
 * Delivers those of one vendor's cards that are due, array by array.
 *
 * @param remaining milliseconds that the run has left
 * @returns the wake-ups of all cards that are to be tried later
 * @throws any error of reading or recording; then none of the vendor's messages is done
 */
async function deliverVendor(
  apiSet: ApiSet,
  wakeUps: readonly ReceivedWakeUp[],
  dependencies: DeliveryDependencies,
  memory: DeliveryMemory,
  remaining: () => number,
): Promise<readonly WakeUp[]> {
  const { table, send, report, random, settings } = dependencies;
  const { timing, giveUpMilliseconds, postSize } = settings;
  const now = () => dependencies.now().getTime();
  /** Whether there is time for one more post and its record. */
  const hasTime = () => remaining() > timing.post + recordingReserve;
  const after = (milliseconds: number, cards: readonly ReceivedWakeUp[]): WakeUp[] => {
    const delaySeconds = delayOnGrid(milliseconds, now(), random());
    return cards.map((card) => ({ ...card, apiSet, delaySeconds }));
  };

  // While the breaker is open, cards are not read.
  const first = memory.paused.has(apiSet) ? [] : wakeUps.slice(0, readTogether);
  const firstReadAt = now();
  const read = await table.readWithBreaker(
    apiSet,
    first.map(({ externalId }) => externalId),
  );
  rememberBreaker(read.breaker);
  const permission = permissionOf(read.breaker, now(), timing);
  const isProbe = permission.kind === "probe";
  const permitted = isProbe
    ? await table.writeBreaker(apiSet, read.breaker, permission.claimed)
    : read.breaker;
  if (permission.kind === "wait" || permitted === undefined) {
    return after(permission.kind === "wait" ? permission.milliseconds : probe.shortest, wakeUps);
  }
  let breaker = permitted;
  const account = await dependencies.account(apiSet).catch((error: unknown) => {
    if (!(error instanceof CredentialsUnavailableError)) throw error;
    report({ kind: "noCredentials", apiSet });
    return error;
  });

  /** Wake-ups of the cards to be tried later. */
  const later: WakeUp[] = [];
  const unread = wakeUps.slice(first.length);
  /** Cards whose version is not stored yet; the run reads them again in the end, after these waits. */
  const unstored: ReceivedWakeUp[] = [];
  const rereads = [...notStored.rereads];
  const ready: DueCard[] = [];
  /** Cards that were answered with 500 by themselves: they are posted last, one at a time. */
  const isolated: DueCard[] = [];
  add(dueOf(first, read.cards, firstReadAt));

  for (;;) {
    await readNext();
    const array = nextArray();
    const [firstOfArray] = array;
    if (firstOfArray === undefined) break;
    const { outage, untried, posts } = await postArray(array);
    if (breaker.open === undefined && isKnownBad(firstOfArray) && outage?.failure.status === 500) {
      // Only the bad cards wait. The one that was posted comes last then, so that each has its turn.
      const bad = [...isolated.splice(0), firstOfArray].map(wakeUpOf);
      later.push(...after(probeWait(now() - firstOfArray.card.since), bad));
    } else if (outage === undefined && untried.length === 0) resize(2);
    else {
      if (outage === undefined ? posts > 0 : isTooMuch(outage)) resize(1 / 2);
      if (outage?.credentialsRefused) dependencies.forgetAccount(apiSet);
      if (outage !== undefined) await setBreaker(openedBy(outage, breaker, now()));
      const wait = Math.max(0, (breaker.open?.nextProbeAt ?? 0) - now());
      // The cards that were just posted come last, so that each has its turn: a failed probe is not recorded on them.
      const waiting = [...[...ready, ...isolated].map(wakeUpOf), ...unread, ...unstored];
      return [...later, ...after(wait, [...waiting, ...untried.map(wakeUpOf)])];
    }
  }
  // Nothing was due, so another run may probe.
  const { open } = breaker;
  if (open?.probing) await setBreaker({ ...open, probing: false, nextProbeAt: now() });
  return later;

  /** Reads cards until an array is full; cards that are not stored yet are read again, when nothing else is waiting. */
  async function readNext(): Promise<void> {
    while (unread.length > 0 && ready.length < arraySize())
      add(await readDue(unread.splice(0, readTogether)));
    while (ready.length + isolated.length === 0 && unstored.length > 0) {
      await sleep(rereads.shift());
      add(await readDue(unstored.splice(0)));
    }
  }

  /** Reads cards and returns those to post now; the others are dropped or woken up later. */
  async function readDue(due: readonly ReceivedWakeUp[]): Promise<DueCard[]> {
    const readAt = now();
    const keys = due.map(({ externalId }) => ({ apiSet, externalId }));
    return dueOf(due, await table.read(keys), readAt);
  }

  function dueOf(wanted: readonly ReceivedWakeUp[], found: readonly StoredCard[], readAt: number): DueCard[] {
    const stored = new Map(found.map((card) => [card.externalId, card]));
    return wanted.flatMap((wakeUp): DueCard[] => {
      const card = stored.get(wakeUp.externalId);
      const decision = decide(card, wakeUp, now(), timing);
      if (decision.action === "reread" && rereads.length > 0) unstored.push(wakeUp);
      else if (decision.action === "reread" || decision.action === "wakeAgain") {
        const mark = decision.action === "wakeAgain" ? decision.mark : wakeUp.mark;
        later.push({ ...wakeUp, mark, apiSet, delaySeconds: delaySeconds(decision.inMilliseconds) });
      }
      if (card === undefined || (decision.action !== "post" && decision.action !== "repost")) return [];
      return [{ wakeUp, card, readAt, isRepost: decision.action === "repost" }];
    });
  }

  function add(cards: readonly DueCard[]): void {
    for (const due of cards) (isKnownBad(due) ? isolated : ready).push(due);
  }

  function nextArray(): DueCard[] {
    if (ready.length === 0) return isolated.splice(0, 1);
    let characters = 0;
    const tooMuch = ready.findIndex(({ card }) => {
      characters += card.content.text().length;
      return characters > mostCharacters;
    });
    const size = arraySize();
    return ready.splice(0, tooMuch === -1 ? size : Math.min(size, Math.max(1, tooMuch)));
  }

  function arraySize(): number {
    return memory.sizes.get(apiSet) ?? postSize;
  }

  /** If the exchange is too slow for large arrays, or many cards of one are bad, arrays become smaller for a while. */
  function resize(factor: number): void {
    memory.sizes.set(apiSet, Math.max(1, Math.min(postSize, Math.floor(arraySize() * factor))));
  }

  /**
   * Posts an array, and parts of it until each of its cards has a result, there is an outage, or the time is up. Results are
   * recorded after each post, so a crash loses as little as possible.
   */
  async function postArray(array: readonly DueCard[]): Promise<ArrayEnd> {
    const ids = array.map(({ card }) => card.externalId);
    /** Cards without a result, by index. */
    const open = new Map(array.map((due, index) => [index, due]));
    const responses = new Map<string, ArrayResponse>();

    /** Takes cards out of `open`, and records those with a result. */
    async function close(indexes: readonly number[], resultAt: (index: number) => CardResult | undefined) {
      const attempts = indexes.flatMap((index): CardAttempt[] => {
        const [due, result] = [open.get(index), resultAt(index)];
        open.delete(index);
        return due === undefined || result === undefined ? [] : [{ due, result }];
      });
      await record(attempts);
      return attempts;
    }

    for (;;) {
      const progress = bisect(ids, responses);
      const { results, next, outage } = progress;
      const unanswered = (index: number) => (progress.maybePosted.has(index) ? maybePosted : undefined);
      const [only] = array;
      const result = results.get(0);
      const isAlone = array.length === 1 && only?.isRepost === false;
      if (isAlone && result?.kind === "serverError" && memory.wentThroughAt <= only.card.since) {
        // The card is bad or the exchange is down. This is recorded on the card only once, and posting ends.
        const { failure } = result;
        const isRecorded = only.card.serverErrors > 0;
        await close([0], () => (isRecorded ? { kind: "outage", failure, maybePosted: true } : result));
        return { untried: isRecorded ? [only] : [], outage: { failure }, posts: responses.size };
      }
      const attempts = await close([...results.keys()], (index) => results.get(index));
      const wanted = next === undefined ? [] : [...open.keys()].filter((index) => isIn(next, index));
      const cards = await refresh(wanted.flatMap((index) => open.get(index) ?? []));
      const fresh = new Map(cards.map((due) => [due.card.externalId, due]));
      for (const index of wanted) {
        const due = fresh.get(ids[index] ?? "");
        if (due !== undefined) open.set(index, due);
      }
      const dropped = wanted.filter((index) => !fresh.has(ids[index] ?? ""));
      if (dropped.length > 0) {
        await close(dropped, unanswered);
        // Recording may have taken so long that the others must be read again.
        continue;
      }
      if (next === undefined || !hasTime()) {
        const failed = attempts.filter((attempt) => attempt.result.kind === "outage").map(({ due }) => due);
        const untried = [...failed, ...open.values()];
        await close([...open.keys()], unanswered);
        return { untried, outage, posts: responses.size };
      }
      responses.set(rangeKey(next), cards.length > 0 ? await post(cards) : nothingPosted);
    }
  }

  /** Reads cards again that were read too long ago for one more post. @returns those that are still to be posted */
  async function refresh(cards: readonly DueCard[]): Promise<readonly DueCard[]> {
    const isFresh = ({ readAt }: DueCard) => now() + timing.post <= readAt + timing.readToPostEnd;
    let fresh = cards;
    // The read itself may take too long.
    while (hasTime() && !fresh.every(isFresh)) fresh = await readDue(fresh.map(wakeUpOf));
    return fresh;
  }

  /** Posts cards to the exchange; the breaker closes if it echoes or refuses them. */
  async function post(cards: readonly DueCard[]): Promise<ArrayResponse> {
    if (account instanceof CredentialsUnavailableError) {
      return { kind: "outage", failure: { phase: "before", message: account.message } };
    }
    const outbound = cards.map(({ card: { externalId, content, requestId } }) => {
      return { externalId, card: content.text(), requestId };
    });
    const beganAt = now();
    const result = await dependencies.post(account, outbound);
    report({ kind: "posted", apiSet, result, milliseconds: now() - beganAt, cards: outbound });
    const response = classifyResponse(result);
    if (response.kind === "echoed" && response.ids.size > 0) memory.wentThroughAt = now();
    if (response.kind === "echoed" || response.kind === "refused") await setBreaker(undefined);
    return response;
  }

  /** Opens or closes the vendor's breaker, unless another run has changed it since. */
  async function setBreaker(open: Breaker["open"]): Promise<void> {
    if (open === undefined && breaker.open === undefined) return;
    if (open === undefined || breaker.open === undefined)
      report({ kind: open ? "paused" : "resumed", apiSet });
    const written = await table.writeBreaker(apiSet, breaker, open);
    breaker = written ?? (await table.readWithBreaker(apiSet, [])).breaker;
    rememberBreaker(breaker);
  }

  function rememberBreaker({ open }: Breaker): void {
    if (open === undefined) memory.paused.delete(apiSet);
    else memory.paused.add(apiSet);
  }

  /**
   * Records the results of posts, and plans the wake-ups of cards that failed by themselves.
   *
   * @throws TableBatchError or QueueBatchError: some may not be recorded
   */
  async function record(attempts: readonly CardAttempt[]): Promise<void> {
    let unrecorded = attempts.flatMap(firstChange);
    for (let round = 0; unrecorded.length > 0; round++) {
      if (round === mostRounds) throw new Error("Other runs keep changing a card.");
      const reposts = unrecorded.flatMap(({ due: { card, wakeUp }, change }): WakeUp[] => {
        if (!card.mustWait || change.set.state !== "delivered") return [];
        return [{ ...wakeUp, apiSet, mark: "repost", delaySeconds: delaySeconds(timing.lateFinish) }];
      });
      // Sent before the outcome is recorded, so a recorded outcome always has its second post in the queue.
      if (reposts.length > 0) await send(reposts);
      const results = await table.write(unrecorded.map(({ change }) => change));
      const written = unrecorded.filter((_, index) => results[index] === "written");
      for (const [state, changed] of Map.groupBy(written, ({ change }) => change.set.state)) {
        if (state !== undefined) report({ kind: "recorded", state, cards: changed.length });
      }
      const lost = unrecorded.filter((_, index) => results[index] === "lost");
      unrecorded = lost.length === 0 ? [] : await lateChanges(lost);
    }
  }

  /** The change by the card as it was read, if there is anything to record. */
  function firstChange(attempt: CardAttempt): Unrecorded[] {
    const { card, wakeUp, isRepost } = attempt.due;
    const at = now();
    // An earlier run that died may have posted the card without recording it.
    const known = wakeUp.maybePosted ? { ...card, maybeAtExchange: card.version } : card;
    const result = resultOf(attempt.result, known);
    const wasOpen = breaker.open !== undefined;
    const update = isRepost
      ? recordRepost(result, card, at)
      : recordOf(known, result, { now: at, giveUpMilliseconds, wasOpen, random: random() });
    const { nextAttemptAt } = update?.set ?? {};
    if (nextAttemptAt !== undefined) {
      later.push({ ...wakeUp, apiSet, delaySeconds: delaySeconds(nextAttemptAt - at) });
    }
    const isUnanswered = result.kind === "notEchoed" || result.kind === "serverError";
    if (isRepost && isUnanswered && at - card.since < repostsUntil) {
      // The card stays delivered and no attempt is recorded, so there is no count to derive a backoff from.
      later.push({ ...wakeUp, apiSet, delaySeconds: delaySeconds(backoff.longest) });
    }
    return update === undefined ? [] : [{ due: attempt.due, result, change: changeOf(card, update) }];
  }

  /** The changes for cards that another run changed first, worked out from what is stored now. */
  async function lateChanges(lost: readonly Unrecorded[]): Promise<Unrecorded[]> {
    const found = await table.read(lost.map(({ due }) => due.card));
    const stored = new Map(found.map((card) => [card.externalId, card]));
    return lost.flatMap(({ due, result: before }) => {
      const current = stored.get(due.card.externalId);
      if (current === undefined) return [];
      const result = current.version === due.card.version ? resultOf(before, current) : before;
      const update = recordLate(due.card.version, result, current, now());
      return update === undefined ? [] : [{ due, result, change: changeOf(current, update) }];
    });
  }
}
