import { setTimeout as sleep } from "node:timers/promises";
import pMap from "p-map";
import type { ApiSet } from "../accounts/account.ts";
import { withoutRepeats } from "../formats/chunks.ts";
import { dayOf } from "../formats/union-time.ts";
import { CredentialsUnavailableError, type UnionAccount } from "../union/account-secrets.ts";
import type { OutboundCard, PostCards, PostResult } from "../union/exchange.ts";
import { partsOf, sampleOf } from "./bisect.ts";
import {
  type Breaker,
  type BreakerTimes,
  claimedFor,
  dayFirstUntil,
  latestOutage,
  openedBy,
  outageSince,
  permissionOf,
} from "./breaker.ts";
import type { CardChange, DeliveryFailure, StoredCard } from "./card.ts";
import { isOfEarlierDay } from "./card-content.ts";
import { type ArrayResponse, classifyResponse, type Outage } from "./classify-response.ts";
import { decide } from "./decide.ts";
import { answerOf, isMaybeThere } from "./delivery/posts.ts";
import { type CardResult, isDelayed, recordOutcome, withArrival } from "./delivery/record.ts";
import { type CardState, State } from "./life/states.ts";
import {
  type ReceivedMessage,
  type ReceivedWakeUp,
  readMessages,
  type WakeUp,
  type WakeUpCard,
} from "./queue.ts";
import type { ScorecardTable } from "./scorecard-table.ts";
import {
  delayOnGrid,
  delaySeconds,
  notStored,
  type PostTiming,
  probe,
  recordingReserve,
  repostsUntil,
  repostWait,
  suspectNote,
} from "./timing.ts";
import { evidenceSince, judge, type SeenPost, suspectWait, unwitnessedWait } from "./verdict.ts";
import { concludeWithdrawal } from "./withdraw.ts";

/** A stage's settings of the delivery. */
export interface DeliverySettings {
  /** Most cards in one post. */
  readonly postSize: number;
  /** Vendors whose cards are posted concurrently. */
  readonly parallelPosts: number;
  /** A card that fails this long after it was accepted is given up. */
  readonly giveUpMilliseconds: number;
  readonly timing: PostTiming;
  /** IANA name of the union's time zone, in which days of play begin. */
  readonly timeZone: string;
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
  /** The number of cards for which this state was recorded, and how many of them took longer than the service objective allows. */
  | { readonly kind: "recorded"; readonly state: CardState; readonly cards: number; readonly delayed: number }
  /** The vendor's circuit breaker opened or closed; or the exchange refuses its credentials, or they cannot be read. */
  | {
      readonly kind: "paused" | "resumed" | "credentialsRefused" | "noCredentials";
      readonly apiSet: ApiSet;
    }
  /** A success does not say what became of some cards. `shape`: names and types of its fields; only once for each. */
  | { readonly kind: "unknownAnswer"; readonly apiSet: ApiSet; readonly shape?: string }
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
  /** What the posts of each vendor have shown, the latest last. */
  readonly seen: Map<ApiSet, SeenPost[]>;
  /** Shapes of unknown answers that were reported, by vendor. */
  readonly shapes: Set<string>;
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
  const memory: DeliveryMemory = { sizes: new Map(), paused: new Set(), seen: new Map(), shapes: new Set() };

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

/** An attempt with the change that records it, and what the change is of. */
interface Unrecorded {
  readonly attempt: CardAttempt;
  readonly unclear: { readonly failure?: DeliveryFailure } | undefined;
  readonly card: StoredCard;
  readonly change: CardChange;
}

/** What came of a post. `left` are its cards without a result. */
type Tried =
  /** Each of its cards has a result, or is not to be posted any more; without `milliseconds`, none was. */
  | { readonly kind: "done"; readonly milliseconds?: number }
  | {
      readonly kind: "failed";
      readonly left: readonly DueCard[];
      readonly failure: DeliveryFailure;
      readonly retryAfterSeconds?: number | undefined;
      readonly milliseconds: number;
    }
  | { readonly kind: "outage"; readonly left: readonly DueCard[]; readonly outage: Outage }
  | { readonly kind: "stopped"; readonly left: readonly DueCard[] };

/** Why a run stops posting, and which of its posted cards are to be tried again. */
interface Stop {
  readonly outage?: Outage;
  readonly left: readonly DueCard[];
  /** Those of them that failed alone. */
  readonly alone?: readonly DueCard[];
}

/** Cards read in one request to the table, beside their vendor's breaker. */
const readTogether = 99;
/** Characters of JSON in a post of more than one card: web servers refuse a body of a few megabytes. */
const maxCharacters = 512 * 1024;
/** How often a change is tried if other runs change the card first. */
const maxTries = 4;
/** Posts that a run makes to find out whether an outage is over. */
const maxProbes = 2;
/** Posts of a vendor that are remembered: more than any card is tried before it has its verdict. */
const maxPostsSeen = 2000;
/** Shapes of answers that an environment reports: an exchange may give each answer another one. */
const maxShapes = 20;

const isSuspected = ({ card }: DueCard) => card.suspicion !== undefined;
const wakeUpOf = ({ wakeUp }: DueCard) => wakeUp;
const nameOf = ({ card }: DueCard) => card.externalId;

/**
 * Delivers those of one vendor's cards that are due, array by array, suspected cards last and each alone.
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
  const { timing, giveUpMilliseconds, postSize, timeZone } = settings;
  const now = () => dependencies.now().getTime();
  /** Whether there is time for one more post and its record. */
  const hasTime = () => remaining() > timing.post + recordingReserve;
  const after = (milliseconds: number, cards: readonly ReceivedWakeUp[]): WakeUp[] => {
    const delaySeconds = delayOnGrid(milliseconds, now(), random());
    return cards.map((card) => ({ ...card, apiSet, delaySeconds }));
  };

  /** Wake-ups of the cards to be tried later. */
  const later: WakeUp[] = [];
  const unread = [...wakeUps];
  /** Cards whose version is not stored yet; the run reads them again in the end, after these waits. */
  const unstored: ReceivedWakeUp[] = [];
  const rereads = [...notStored.rereads];
  const ready: DueCard[] = [];
  const suspects: DueCard[] = [];
  /** Cards that are being withdrawn by a request that has ended without deciding. */
  const undecided: StoredCard[] = [];
  /** Cards of which a run that died may have posted an earlier version. */
  const missed: DueCard[] = [];
  let failedProbes = 0;
  /** Cards that the exchange may have by a post of this run, which is not recorded yet. */
  const unclear = new Map<string, { readonly due: DueCard; readonly failure?: DeliveryFailure }>();
  const seen = memory.seen.get(apiSet) ?? [];
  memory.seen.set(apiSet, seen);

  const beganAt = now();
  /** The union's day on which the run began. */
  const today = dayOf(beganAt, timeZone);
  // While the breaker is open, cards are not read.
  const first = memory.paused.has(apiSet) ? [] : unread.splice(0, readTogether);
  const read = await table.readWithBreaker(
    apiSet,
    first.map(({ externalId }) => externalId),
  );
  let { breaker } = read;
  /** The breaker as this run found or wrote it last; another run has changed it if it has a later version. */
  let knownVersion = breaker.version;
  rememberBreaker();
  const permission = permissionOf(breaker, now());
  if (permission.kind === "wait") return after(permission.milliseconds, wakeUps);
  await sort(first, read.cards, beganAt);

  const account = await dependencies.account(apiSet).catch((error: unknown) => {
    if (!(error instanceof CredentialsUnavailableError)) throw error;
    report({ kind: "noCredentials", apiSet });
    return error;
  });

  for (;;) {
    await readNext();
    const array = nextArray();
    const [first] = array;
    if (first === undefined) break;
    const probed = isPaused() ? undefined : breaker.open;
    if (probed !== undefined) {
      const claimed = claimedFor(probed, nameOf(first), now(), timing);
      const written = await table.writeBreaker(apiSet, breaker, claimed);
      if (written === undefined) {
        await recordUnclear();
        return [...later, ...after(probe.shortest, [wakeUpOf(first), ...waiting()])];
      }
      breaker = written;
      knownVersion = written.version;
    }
    // A card is read again once it is claimed: a withdrawal that saw no claim waits for no probe.
    const tried = await attempt(
      probed === undefined ? array : [{ ...first, readAt: Number.NEGATIVE_INFINITY }],
    );
    if (tried.kind === "done") {
      resize(arraySize() + 1);
      continue;
    }
    if (tried.kind === "failed" && breaker.open !== undefined && ++failedProbes < maxProbes) {
      // A post that fails by chance must not prolong an outage that is over: another card, or the same, is posted at once.
      for (const due of tried.left) (isSuspected(due) ? suspects : ready).push(due);
      continue;
    }
    const stop: Stop | undefined = tried.kind === "failed" ? await findFault(tried) : tried;
    if (stop === undefined) continue;
    const { outage, left, alone = [] } = stop;
    if (outage !== undefined) {
      const { failure } = outage;
      await record(
        left.map((due) => ({ due, result: { kind: "outage", failure, isAlone: alone.includes(due) } })),
      );
      await open(outage);
    }
    await recordUnclear();
    const wait = Math.max(0, (breaker.open?.nextProbeAt ?? 0) - now());
    // The cards that were just posted come last, so that each has its turn: a failed probe is not recorded on them.
    return [...later, ...after(wait, [...waiting(), ...left.map(wakeUpOf)])];
  }
  await recordUnclear();
  // Nothing was posted, so another run may probe.
  const unused = breaker.open;
  if (unused?.probing !== undefined && !isPaused())
    await writeBreaker({ ...unused, probing: undefined, nextProbeAt: now() });
  return later;

  /** Wake-ups of the cards that this run has not posted. */
  function waiting(): ReceivedWakeUp[] {
    return [...[...ready, ...suspects].map(wakeUpOf), ...unread, ...unstored];
  }

  /** Reads cards until an array is full; cards that are not stored yet are read again, when nothing else is waiting. */
  async function readNext(): Promise<void> {
    while (unread.length > 0 && ready.length < arraySize()) await readDue(unread.splice(0, readTogether));
    while (ready.length + suspects.length === 0 && unstored.length > 0) {
      await sleep(rereads.shift());
      await readDue(unstored.splice(0));
    }
  }

  async function readDue(due: readonly ReceivedWakeUp[]): Promise<void> {
    const readAt = now();
    await sort(due, await readCards(due), readAt);
  }

  /** Reads cards, and the breaker beside them: whatever is read after it opened is not posted. */
  async function readCards(due: readonly ReceivedWakeUp[]): Promise<readonly StoredCard[]> {
    const names = due.map(({ externalId }) => externalId);
    const read = await table.readWithBreaker(apiSet, names);
    if (read.breaker.version > breaker.version) breaker = read.breaker;
    rememberBreaker();
    return read.cards;
  }

  /** Whether another run has opened the breaker meanwhile, or is probing. */
  function isPaused(): boolean {
    return breaker.open !== undefined && breaker.version !== knownVersion;
  }

  /** Does with cards what their items say: those that are due wait for their post, others are dropped or woken up later. */
  async function sort(
    wanted: readonly ReceivedWakeUp[],
    found: readonly StoredCard[],
    readAt: number,
  ): Promise<void> {
    for (const due of dueOf(wanted, found, readAt)) (isSuspected(due) ? suspects : ready).push(due);
    // A probe is a card of the day if there is one.
    if (breaker.open !== undefined) {
      const byDay = Map.groupBy(ready.splice(0), isEarlier);
      ready.push(...(byDay.get(false) ?? []), ...(byDay.get(true) ?? []));
    }
    await settleWithdrawals();
  }

  /** Decides withdrawals whose requests have ended, and notes that the exchange may have withdrawn cards. */
  async function settleWithdrawals(): Promise<void> {
    for (const card of undecided.splice(0)) {
      const { change, wakeUps } = concludeWithdrawal(card, { now: now(), timing, timeZone });
      if (wakeUps.length > 0) await send(wakeUps);
      const [result] = await table.write([change]);
      const { externalId, version, since: madeAt } = card;
      const again = { apiSet, externalId, version, madeAt, delaySeconds: delaySeconds(probe.shortest) };
      if (result === "lost") later.push(again);
    }
    if (missed.length === 0) return;
    // If dead runs may have posted several versions of a card, each note of it must be stored before the next is worked out.
    for (const once of withoutRepeats(missed.splice(0), nameOf)) {
      for (const due of once) unclear.set(nameOf(due), { due });
      await recordUnclear();
    }
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
      if (card === undefined) return [];
      if (decision.action === "concludeWithdrawal") undecided.push(card);
      const due = { wakeUp, card, readAt, isRepost: decision.action === "repost" };
      if (decision.action === "noteMissedPost") {
        missed.push(due);
        if (decision.isDue) unread.push({ ...wakeUp, maybePosted: undefined });
      }
      if (decision.action === "post" && isHeldBack(due)) {
        later.push(...after(dayFirstUntil(breaker) - now(), [wakeUp]));
        return [];
      }
      return decision.action === "post" || decision.action === "repost" ? [due] : [];
    });
  }

  /** Whether the card's day of play was over when the run began. */
  function isEarlier({ card }: DueCard): boolean {
    return isOfEarlierDay(card.content, today);
  }

  /** Whether the card waits until those of the day that an outage has delayed have gone. */
  function isHeldBack(due: DueCard): boolean {
    return dayFirstUntil(breaker) > now() && isEarlier(due);
  }

  /** The next cards to post: an array, one card while the breaker is open, and in the end the suspects one by one. */
  function nextArray(): DueCard[] {
    // The second probe is a suspect if there is one: it may be innocent, and all others bad.
    if (ready.length === 0 || (failedProbes > 0 && suspects.length > 0)) return suspects.splice(0, 1);
    let characters = 0;
    const tooMuch = ready.findIndex(({ card }) => {
      characters += card.content.text().length;
      return characters > maxCharacters;
    });
    const size = arraySize();
    return ready.splice(0, tooMuch === -1 ? size : Math.min(size, Math.max(1, tooMuch)));
  }

  function arraySize(): number {
    return breaker.open === undefined ? (memory.sizes.get(apiSet) ?? postSize) : 1;
  }

  /**
   * If the exchange is too slow for large arrays, or many cards are bad, arrays become smaller by a factor, and larger by one card
   * with each that goes through.
   */
  function resize(size: number): void {
    memory.sizes.set(apiSet, Math.max(1, Math.min(postSize, Math.floor(size))));
  }

  /**
   * Posts cards together, and records those that are delivered. The breaker closes if there are any.
   *
   * A single card that is answered with 409 is delivered if the exchange may have an earlier post of it.
   */
  async function attempt(cards: readonly DueCard[]): Promise<Tried> {
    const due = await refresh(cards);
    if (due.length === 0) return { kind: "done" };
    if (!hasTime() || isPaused()) return { kind: "stopped", left: due };
    const [only] = due;
    const isAlone = due.length === 1 && only !== undefined;
    const postedAt = now();
    const response = await post(due);
    const milliseconds = now() - postedAt;
    if (response.kind === "outage") {
      return { kind: "outage", left: due, outage: response };
    }
    if (response.kind === "failed") {
      const { failure, retryAfterSeconds } = response;
      const hasIt = isAlone && failure.status === 409 && (only.isRepost || mayHave(only));
      if (!hasIt) {
        if (isAlone) see(false);
        if (answerOf(failure) === "unknown")
          for (const one of due) unclear.set(nameOf(one), { due: one, failure });
        return { kind: "failed", left: due, failure, retryAfterSeconds, milliseconds };
      }
    }
    see(true);
    const isEchoed = (one: DueCard) => response.kind === "failed" || response.ids.has(nameOf(one));
    const whyNot = (one: DueCard) =>
      response.kind === "failed" ? response.failure : response.failureOf(nameOf(one));
    const left = due.filter((one) => !isEchoed(one));
    for (const one of left) if (one.isRepost) postponeRepost(one);
    await record([
      ...due.filter(isEchoed).map((one): CardAttempt => ({ due: one, result: { kind: "delivered" } })),
      // The others went through by the same post, so these failed by themselves.
      ...left
        .filter(({ isRepost }) => !isRepost)
        .map((one): CardAttempt => ({ due: one, result: suspected(whyNot(one), one, milliseconds) })),
    ]);
    await close();
    return { kind: "done", milliseconds };
  }

  /** Whether the exchange may have the card by an earlier post, of this run or of one that recorded it. */
  function mayHave({ card }: DueCard): boolean {
    return unclear.has(card.externalId) || isMaybeThere(card);
  }

  /** Remembers what a post has shown. */
  function see(wentThrough: boolean): void {
    seen.push({ at: now(), wentThrough });
    if (seen.length > maxPostsSeen) seen.splice(0, maxPostsSeen / 2);
  }

  /** Reads cards again that were read too long ago for one more post. @returns those that are still to be posted */
  async function refresh(cards: readonly DueCard[]): Promise<readonly DueCard[]> {
    const isFresh = ({ readAt }: DueCard) => now() + timing.post <= readAt + timing.readToPostEnd;
    let fresh = cards;
    // The read, or a record, may take too long itself.
    while (hasTime() && !fresh.every(isFresh)) {
      const readAt = now();
      const again = fresh.map(wakeUpOf);
      fresh = dueOf(again, await readCards(again), readAt);
      await settleWithdrawals();
      const names = new Set(fresh.map(nameOf));
      await recordUnclear((name) => !names.has(name));
    }
    return fresh;
  }

  /** Posts cards to the exchange; the connection of a suspected one is closed afterwards. */
  async function post(cards: readonly DueCard[]): Promise<ArrayResponse> {
    if (account instanceof CredentialsUnavailableError) {
      return { kind: "outage", failure: { phase: "before", message: account.message } };
    }
    const outbound = cards.map(({ card: { externalId, content, requestId } }) => {
      return { externalId, card: content.text(), requestId };
    });
    const postedAt = now();
    const result = await dependencies.post(account, outbound, { closesConnection: cards.some(isSuspected) });
    report({ kind: "posted", apiSet, result, milliseconds: now() - postedAt, cards: outbound });
    if (result.phase === "after" && result.shape !== undefined) reportUnknown(result.shape);
    return classifyResponse(result);
  }

  function reportUnknown(shape: string): void {
    const key = `${apiSet} ${shape}`;
    const isNew = !memory.shapes.has(key) && memory.shapes.size < maxShapes;
    if (isNew) memory.shapes.add(key);
    report({ kind: "unknownAnswer", apiSet, ...(isNew && { shape }) });
  }

  /**
   * Finds out whether the exchange or cards are at fault if a post failed, and which cards.
   *
   * Some cards are posted alone. If none goes through, it is an outage. If one does, it is the witness that the exchange works,
   * and the array is searched for the cards that fail alone: each is recorded as suspected, or as rejected.
   *
   * @returns why the run must stop; undefined if it can go on
   */
  async function findFault(tried: Extract<Tried, { kind: "failed" }>): Promise<Stop | undefined> {
    const { left, failure, retryAfterSeconds, milliseconds } = tried;
    const [only] = left.length === 1 ? left : [];
    if (only?.isRepost) return postponeRepost(only);
    if (breaker.open !== undefined) return { outage: { failure, retryAfterSeconds }, left };
    if (only !== undefined && (isSuspected(only) || (ready.length === 0 && isWitnessed(only)))) {
      return suspect(only, failure, milliseconds);
    }
    let outage: Outage = { failure, retryAfterSeconds };
    /** Cards of the array that have not been posted alone. */
    const rest = new Set(only === undefined ? left : []);
    const failedAlone = only === undefined ? [] : [{ due: only, failure, milliseconds }];
    let wentThroughIn: number | undefined;
    // Other cards serve as well for a card that was alone.
    for (const due of sampleOf(only === undefined ? left : ready)) {
      if (only !== undefined) ready.splice(ready.indexOf(due), 1);
      rest.delete(due);
      const sampled = await attempt([due]);
      if (sampled.kind === "failed") {
        failedAlone.push({ due, failure: sampled.failure, milliseconds: sampled.milliseconds });
      }
      if (sampled.kind === "stopped") rest.add(due);
      if (sampled.kind === "outage") {
        outage = sampled.outage;
        failedAlone.push({ due, failure: outage.failure, milliseconds: 0 });
      }
      if (sampled.kind === "done") wentThroughIn = sampled.milliseconds;
      if (wentThroughIn !== undefined || sampled.kind === "stopped" || sampled.kind === "outage") break;
    }
    if (wentThroughIn === undefined) {
      const alone = failedAlone.map(({ due }) => due);
      return alone.length === 0 ? { left: [...rest] } : { outage, left: [...rest, ...alone], alone };
    }
    for (const alone of failedAlone) await suspect(alone.due, alone.failure, alone.milliseconds);
    if (only !== undefined) return;
    const others = [...rest];
    const parts = partsOf(others, milliseconds, wentThroughIn);
    resize(left.length / Math.max(2, parts.length));
    // If suspects were among the samples, the others may well go through together.
    return search(failedAlone.length > 0 ? [others] : parts, wentThroughIn);
  }

  /** Posts parts of a failed array, and parts of those that fail, down to single cards. */
  async function search(parts: DueCard[][], wentThroughIn: number): Promise<Stop | undefined> {
    let pace = wentThroughIn;
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const tried = await attempt(part);
      if (tried.kind === "done") {
        pace = tried.milliseconds ?? pace;
        continue;
      }
      const [only] = tried.left;
      if (tried.kind !== "failed") return { ...tried, left: [...parts.flat(), ...tried.left] };
      if (tried.left.length > 1) parts.unshift(...partsOf(tried.left, tried.milliseconds, pace));
      else if (only !== undefined) await suspect(only, tried.failure, tried.milliseconds);
    }
    return undefined;
  }

  /** Whether a card that is not suspected failed beside others that went through. */
  function isWitnessed({ card }: DueCard): boolean {
    const since = Math.min(card.since, beganAt);
    return (breaker.closedAt ?? 0) > card.since || evidenceSince(memory.seen, apiSet, since).through > 0;
  }

  /** Judges a card that failed alone. Without a witness nothing is recorded, and all suspects wait, for they would fail like it. */
  async function suspect(due: DueCard, failure: DeliveryFailure, took: number): Promise<undefined> {
    if (due.isRepost) return postponeRepost(due);
    if (now() - (breaker.suspectTriedAt ?? 0) > suspectNote) {
      await writeBreaker(breaker.open, { suspectTriedAt: now() });
    }
    const result = suspected(failure, due, took);
    await record([{ due, result }]);
    if (result.kind !== "outage") return;
    const sinceLast = now() - due.card.since;
    const wait = Math.max(suspectWait(due.card, failure, now(), took), unwitnessedWait(sinceLast));
    // The one that was posted comes last then, so that each has its turn.
    later.push(...after(wait, [...suspects.splice(0), due].map(wakeUpOf)));
  }

  function suspected(failure: DeliveryFailure, due: DueCard, took: number): CardResult {
    const { suspicion, since } = due.card;
    const evidence = evidenceSince(memory.seen, apiSet, since);
    const judged = judge(suspicion, failure, evidence, now() - since);
    if (judged.kind === "unwitnessed" && suspicion !== undefined) {
      return { kind: "outage", failure, isAlone: true };
    }
    // Whoever judges a card that is not suspected yet has seen a witness, if only by another clock.
    const verdict = judged.kind === "unwitnessed" ? { kind: "suspected" as const, suspicion: 0 } : judged;
    const wait = suspectWait(due.card, failure, now(), took * evidence.failed);
    return { kind: "failed", failure, verdict, wait };
  }

  /** The second post of a delivered card failed. The card stays delivered, and no attempt is recorded. */
  function postponeRepost({ wakeUp, card }: DueCard): undefined {
    if (now() - card.since >= repostsUntil) return;
    later.push({ ...wakeUp, apiSet, delaySeconds: delaySeconds(repostWait) });
  }

  /** Opens the vendor's breaker, or plans the next probe. */
  async function open(outage: Outage): Promise<void> {
    const { status } = outage.failure;
    if (status === 401 || status === 403) {
      dependencies.forgetAccount(apiSet);
      report({ kind: "credentialsRefused", apiSet });
    }
    if (breaker.open === undefined) report({ kind: "paused", apiSet });
    await writeBreaker(openedBy(outage, breaker, now()));
  }

  /** Closes the breaker after a post went through. What was read while it was open is read again: see `withdraw`. */
  async function close(): Promise<void> {
    if (breaker.open === undefined) return;
    report({ kind: "resumed", apiSet });
    const { since: openedAt, allBackAt } = breaker.open;
    const times = { openedAt, closedAt: now(), allBackAt, outageSince: outageSince(breaker.open, breaker) };
    await writeBreaker(undefined, times);
    unread.unshift(...[...ready.splice(0), ...suspects.splice(0)].map(wakeUpOf));
  }

  /** Changes the breaker, unless another run has changed it since. */
  async function writeBreaker(open: Breaker["open"], times?: BreakerTimes): Promise<void> {
    const written = await table.writeBreaker(apiSet, breaker, open, times);
    breaker = written ?? (await table.readWithBreaker(apiSet, [])).breaker;
    if (written !== undefined) knownVersion = written.version;
    rememberBreaker();
  }

  function rememberBreaker(): void {
    if (breaker.open === undefined) memory.paused.delete(apiSet);
    else memory.paused.add(apiSet);
  }

  /** Records that the exchange may have cards, as far as that is not recorded yet. @param isWanted chooses some by name */
  async function recordUnclear(isWanted: (name: string) => boolean = () => true): Promise<void> {
    const wanted = [...unclear.values()].filter(({ due }) => isWanted(nameOf(due)));
    await record(wanted.map(({ due }) => ({ due, result: { kind: "noted" } })));
  }

  /**
   * Records the results of posts, and plans the wake-ups of suspected cards.
   *
   * @throws TableBatchError or QueueBatchError: some may not be recorded
   */
  async function record(attempts: readonly CardAttempt[]): Promise<void> {
    let unrecorded = attempts.flatMap((attempt) => {
      const { due } = attempt;
      const known = unclear.get(nameOf(due));
      unclear.delete(nameOf(due));
      return changeAfter(attempt, known && (known.failure ? { failure: known.failure } : {}), due.card);
    });
    for (const { attempt, change } of unrecorded) {
      const { nextAttemptAt } = change.set;
      if (nextAttemptAt === undefined) continue;
      later.push({ ...attempt.due.wakeUp, apiSet, delaySeconds: delaySeconds(nextAttemptAt - now()) });
    }
    for (let round = 0; unrecorded.length > 0; round++) {
      if (round === maxTries) throw new Error("Other runs keep changing a card.");
      const reposts = unrecorded.flatMap(({ attempt, card, change }): WakeUp[] => {
        if (!card.mustWait || change.set.state !== State.delivered) return [];
        const { wakeUp } = attempt.due;
        return [
          {
            ...wakeUp,
            version: card.version,
            apiSet,
            mark: "repost",
            delaySeconds: delaySeconds(timing.lateFinish),
          },
        ];
      });
      // Sent before the outcome is recorded, so a recorded outcome always has its second post in the queue.
      if (reposts.length > 0) await send(reposts);
      const results = await table.write(unrecorded.map(({ change }) => change));
      reportRecorded(unrecorded.filter((_, index) => results[index] === "written"));
      const lost = unrecorded.filter((_, index) => results[index] === "lost");
      unrecorded = lost.length === 0 ? [] : await changesOfLost(lost);
    }
  }

  function reportRecorded(written: readonly Unrecorded[]): void {
    const outage = latestOutage(breaker, now());
    for (const [state, changed] of Map.groupBy(written, ({ change }) => change.set.state)) {
      if (state === undefined) continue;
      const isLate = ({ card }: Unrecorded) => state === State.delivered && isDelayed(card, outage, now());
      report({ kind: "recorded", state, cards: changed.length, delayed: changed.filter(isLate).length });
    }
  }

  /** The changes for cards that another run changed first, by what is stored now. */
  async function changesOfLost(lost: readonly Unrecorded[]): Promise<Unrecorded[]> {
    const found = await table.read(lost.map(({ card }) => card));
    const stored = new Map(found.map((card) => [card.externalId, card]));
    return lost.flatMap(({ attempt, unclear: known, card }) => {
      const current = stored.get(card.externalId);
      return current === undefined ? [] : changeAfter(attempt, known, current);
    });
  }

  /** The change that records an attempt, if there is anything new. @param card as it is stored */
  function changeAfter(attempt: CardAttempt, known: Unrecorded["unclear"], card: StoredCard): Unrecorded[] {
    const { due, result } = attempt;
    const outcome = { posted: due.wakeUp.version, result, unclear: known, isRepost: due.isRepost };
    const wasOpen = breaker.open !== undefined;
    const update = recordOutcome(card, outcome, {
      now: now(),
      giveUpMilliseconds,
      wasOpen,
      random: random(),
    });
    if (update === undefined) return [];
    const { apiSet, externalId, content } = card;
    const change = { apiSet, externalId, ...withArrival(update, content, timeZone) };
    return [{ attempt, unclear: known, card, change }];
  }
}
