import { setTimeout as sleep } from "node:timers/promises";
import type { ApiSet } from "../../accounts/account.ts";
import { withoutRepeats } from "../../formats/chunks.ts";
import type { CredentialsUnavailableError, UnionAccount } from "../../union/account-secrets.ts";
import type { DeliveryFailure, StoredCard } from "../card.ts";
import { isOfEarlierDay } from "../card-content.ts";
import { concludeWithdrawal } from "../withdraw.ts";
import { dayFirstUntil } from "./breaker.ts";
import type { DeliveryDependencies } from "./dependencies.ts";
import { type DueCard, isSuspect, nameOf, sortCards, wakeUpOf } from "./due-cards.ts";
import type { ReceivedWakeUp, WakeUp } from "./queue.ts";
import type { CardAttempt, createRecording } from "./recording.ts";
import { delayOnGrid, delaySeconds, probe, recordingReserve } from "./timing.ts";
import type { VendorBreaker } from "./vendor-breaker.ts";
import type { SeenPost } from "./verdict.ts";

/** State that an execution environment keeps between runs. It may be lost at any time. */
export interface DeliveryMemory {
  /** The array size of each vendor's posts. */
  readonly sizes: Map<ApiSet, number>;
  /** Vendors whose breaker was open when it was last read: it is read again before their cards. */
  readonly paused: Set<ApiSet>;
  /** What the posts of each vendor have shown, the latest last. */
  readonly seen: Map<ApiSet, SeenPost[]>;
  /** Shapes of unknown answers that were reported, by vendor. */
  readonly shapes: Set<string>;
}

/** One run's work for one vendor: what it knows, and its cards by what is to be done with them. */
export interface VendorRun {
  readonly apiSet: ApiSet;
  readonly dependencies: DeliveryDependencies;
  readonly memory: DeliveryMemory;
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number;
  /** Milliseconds that the run has left. */
  readonly remaining: () => number;
  readonly beganAt: number;
  /** The union's day on which the run began. */
  readonly today: string;
  readonly breaker: VendorBreaker;
  readonly writeRecords: ReturnType<typeof createRecording>;
  /** Wake-ups of the cards to be tried later. */
  readonly later: WakeUp[];
  readonly unread: ReceivedWakeUp[];
  /** Cards whose version is not stored yet; the run reads them again in the end, after `rereads`. */
  readonly unstored: ReceivedWakeUp[];
  readonly rereads: number[];
  readonly ready: DueCard[];
  readonly suspects: DueCard[];
  /** Cards that the exchange may have by a post of this run or of one that died, which is not recorded yet. */
  readonly unclear: Map<string, { readonly due: DueCard; readonly failure?: DeliveryFailure }>;
}

/** A run that may post. */
export interface PostingRun extends VendorRun {
  readonly account: UnionAccount | CredentialsUnavailableError;
}

/** Cards read in one request to the table, beside their vendor's breaker. */
export const readTogether = 99;

/** Whether there is time for one more post and its record. */
export const hasTime = ({ remaining, dependencies: { settings } }: VendorRun): boolean =>
  remaining() > settings.timing.post + recordingReserve;

/** Wake-ups after a wait in milliseconds. */
export function wakeAfter(
  { apiSet, now, dependencies }: Pick<VendorRun, "apiSet" | "now" | "dependencies">,
  milliseconds: number,
  cards: readonly ReceivedWakeUp[],
): WakeUp[] {
  const delaySeconds = delayOnGrid(milliseconds, now(), dependencies.random());
  return cards.map((card) => ({ ...card, apiSet, delaySeconds }));
}

/** Wake-ups of the cards that the run has not posted. */
export const waiting = ({ ready, suspects, unread, unstored }: VendorRun): ReceivedWakeUp[] => [
  ...[...ready, ...suspects].map(wakeUpOf),
  ...unread,
  ...unstored,
];

/** How many cards the next array has: one while the breaker is open. */
export const arraySize = ({ apiSet, breaker, memory, dependencies }: VendorRun): number =>
  breaker.current().open === undefined ? (memory.sizes.get(apiSet) ?? dependencies.settings.postSize) : 1;

/** Reads cards until an array is full; cards that are not stored yet are read again, when nothing else is waiting. */
export async function readNext(run: VendorRun): Promise<void> {
  const { unread, unstored, ready, suspects, rereads } = run;
  while (unread.length > 0 && ready.length < arraySize(run)) {
    await readDue(run, unread.splice(0, readTogether));
  }
  while (ready.length + suspects.length === 0 && unstored.length > 0) {
    await sleep(rereads.shift());
    await readDue(run, unstored.splice(0));
  }
}

async function readDue(run: VendorRun, wanted: readonly ReceivedWakeUp[]): Promise<void> {
  const readAt = run.now();
  await takeCards(run, wanted, await readCards(run, wanted), readAt);
}

/** Reads cards, and the breaker beside them: whatever is read after it opened is not posted. */
async function readCards(
  { apiSet, breaker, dependencies }: VendorRun,
  wanted: readonly ReceivedWakeUp[],
): Promise<readonly StoredCard[]> {
  const names = wanted.map(({ externalId }) => externalId);
  const read = await dependencies.table.readWithBreaker(apiSet, names);
  breaker.notice(read.breaker);
  return read.cards;
}

/** Does with cards what their items say: those that are due wait for their post, others are dropped or woken up later. */
export async function takeCards(
  run: VendorRun,
  wanted: readonly ReceivedWakeUp[],
  found: readonly StoredCard[],
  readAt: number,
): Promise<void> {
  const { ready, suspects, breaker, today } = run;
  for (const due of await settle(run, wanted, found, readAt)) (isSuspect(due) ? suspects : ready).push(due);
  if (breaker.current().open === undefined) return;
  // A probe is a card of the day if there is one.
  const byDay = Map.groupBy(ready.splice(0), ({ card }) => isOfEarlierDay(card.content, today));
  ready.push(...(byDay.get(false) ?? []), ...(byDay.get(true) ?? []));
}

/**
 * Sorts cards, decides withdrawals whose requests have ended, and notes that the exchange may have cards.
 *
 * @returns the cards that are due
 */
async function settle(
  run: VendorRun,
  wanted: readonly ReceivedWakeUp[],
  found: readonly StoredCard[],
  readAt: number,
): Promise<readonly DueCard[]> {
  const { apiSet, breaker, now, rereads, today, later, dependencies } = run;
  const { timing, timeZone } = dependencies.settings;
  const heldUntil = dayFirstUntil(breaker.current());
  const sorted = sortCards(wanted, found, {
    apiSet,
    now: now(),
    readAt,
    timing,
    rereads: rereads.length > 0,
    // Cards of earlier days wait until those of the day that an outage has delayed have gone.
    isHeldBack: ({ content }) => heldUntil > now() && isOfEarlierDay(content, today),
  });
  later.push(...sorted.later);
  if (sorted.heldBack.length > 0) later.push(...wakeAfter(run, heldUntil - now(), sorted.heldBack));
  run.unstored.push(...sorted.unstored);
  run.unread.push(...sorted.again);
  for (const card of sorted.undecided) {
    const { change, wakeUps } = concludeWithdrawal(card, { now: now(), timing, timeZone });
    if (wakeUps.length > 0) await dependencies.send(wakeUps);
    const [result] = await dependencies.table.write([change]);
    const { externalId, version, since: madeAt } = card;
    const again = { apiSet, externalId, version, madeAt, delaySeconds: delaySeconds(probe.shortest) };
    if (result === "lost") later.push(again);
  }
  // If dead runs may have posted several versions of a card, each note of it must be stored before the next is worked out.
  for (const once of withoutRepeats(sorted.missed, nameOf)) {
    for (const due of once) run.unclear.set(nameOf(due), { due });
    await recordUnclear(run);
  }
  return sorted.due;
}

/** Reads cards again that were read too long ago for one more post. @returns those that are still to be posted */
export async function refresh(run: VendorRun, cards: readonly DueCard[]): Promise<readonly DueCard[]> {
  const { post, readToPostEnd } = run.dependencies.settings.timing;
  const isFresh = ({ readAt }: DueCard) => run.now() + post <= readAt + readToPostEnd;
  let fresh = cards;
  // The read, or a record, may take too long itself.
  while (hasTime(run) && !fresh.every(isFresh)) {
    const readAt = run.now();
    const again = fresh.map(wakeUpOf);
    fresh = await settle(run, again, await readCards(run, again), readAt);
    const names = new Set(fresh.map(nameOf));
    const dropped = cards.map(nameOf).filter((name) => !names.has(name));
    await recordUnclear(run, new Set(dropped));
  }
  return fresh;
}

/** Records that the exchange may have cards, as far as that is not recorded yet. @param names all if left out */
export async function recordUnclear(run: VendorRun, names?: ReadonlySet<string>): Promise<void> {
  const wanted = [...run.unclear.values()].filter(({ due }) => names?.has(nameOf(due)) ?? true);
  await record(
    run,
    wanted.map(({ due }) => ({ due, result: { kind: "noted" } })),
  );
}

/** Records the results of posts, and plans the wake-ups of suspects. @throws TableBatchError or QueueBatchError: some may not be recorded */
export async function record(
  { breaker, later, unclear, writeRecords }: VendorRun,
  attempts: readonly Omit<CardAttempt, "unclear">[],
): Promise<void> {
  const all = attempts.map((attempt): CardAttempt => {
    const name = nameOf(attempt.due);
    const { due: _, ...known } = unclear.get(name) ?? { due: undefined };
    const isUnclear = unclear.delete(name);
    return isUnclear ? { ...attempt, unclear: known } : attempt;
  });
  later.push(...(await writeRecords(all, breaker.current())));
}
