import type { ApiSet } from "../accounts/account.ts";
import type { Breaker } from "../cards/delivery/breaker.ts";
import type { WakeUp } from "../cards/delivery/queue.ts";
import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import { isSuspected, isUnfinished, type StoredCard } from "../cards/life/card.ts";
import { isFinal } from "../cards/life/states.ts";
import { chunks } from "../formats/chunks.ts";
import { dayOf } from "../formats/union-time.ts";
import { unfinishedQuarters } from "./activity-counts.ts";
import type { ActivityReader } from "./activity-table.ts";
import { maxWait } from "./waiting-cards.ts";

const minute = 60_000;

/**
 * A wake-up comes back within this time, unless it is lost: SQS delays a message by a quarter of an hour at most, and after an
 * outage every card is tried within seven minutes.
 */
const maxSilence = 15 * minute;
/** Cards read in one request to the table. */
const readTogether = 100;

/** Reads counts, lists and cards, and sends wake-ups. */
export interface WakingDependencies {
  readonly activity: Pick<ActivityReader, "hours" | "versionsOf">;
  readonly table: Pick<ScorecardTable, "read" | "readWithBreaker">;
  /** @throws QueueBatchError; the next run finds the same cards again */
  readonly send: (wakeUps: readonly WakeUp[]) => Promise<void>;
  /** IANA name of the union's time zone, in which days begin. */
  readonly timeZone: string;
}

/** The time of a run, and since when delivery works. Milliseconds since 1970, UTC. */
export interface WakingTime {
  readonly now: number;
  /** Since when the queue's messages have been delivered without a hold. */
  readonly deliveringSince: number;
}

/** Whether the vendor's wake-ups may still be on their way: its breaker is probed, or it closed or a hold ended a moment ago. */
function mayBeAwake(
  { open, closedAt = 0, ...closed }: Breaker,
  { now, deliveringSince }: WakingTime,
): boolean {
  const { allBackAt } = open ?? closed;
  const backAt = allBackAt ?? (open?.nextProbeAt ?? closedAt) + maxSilence;
  return Math.max(backAt, deliveringSince + maxSilence) > now;
}

/** Whether a card should have been woken by now, and was not. */
function isForgotten(card: StoredCard, { suspectTriedAt = 0 }: Breaker, now: number): boolean {
  if (!isUnfinished(card)) return false;
  const { state, acceptedAt, since, nextAttemptAt = 0 } = card;
  // A suspected card that fails without a witness is not changed.
  const tried = isSuspected(card) ? suspectTriedAt : 0;
  // The second post of a correction follows its delivery.
  const last = isFinal(state) ? since + maxSilence : Math.max(acceptedAt, nextAttemptAt, tried);
  return last + maxSilence <= now;
}

/**
 * Wakes up a vendor's cards whose wake-ups were lost, for example because a queue was purged or replaced.
 *
 * The vendor's counts show whether old cards are unfinished; the lists of those days show which. An unneeded wake-up does no
 * harm. While no card waits for longer than usual only the counts are read; and while only suspected cards do, the breaker, which
 * says when they were tried.
 *
 * @returns how many cards were woken up
 * @throws QueueBatchError, or an error of reading; the next run finds the same cards again
 */
export async function wakeWaitingCards(
  apiSet: ApiSet,
  time: WakingTime,
  { activity, table, send, timeZone }: WakingDependencies,
): Promise<number> {
  const { now } = time;
  const hours = await activity.hours(apiSet, now - maxWait, now);
  const old = hours
    .flatMap(({ hour, counts }) => unfinishedQuarters(hour, counts))
    .filter(({ end }) => end + maxSilence <= now);
  if (old.length === 0) return 0;
  const { breaker } = await table.readWithBreaker(apiSet, []);
  if (mayBeAwake(breaker, time)) return 0;
  const areTried = (breaker.suspectTriedAt ?? 0) + maxSilence > now;
  const days = new Set(
    old.filter(({ areSuspected }) => !(areSuspected && areTried)).map(({ end }) => dayOf(end - 1, timeZone)),
  );

  let woken = 0;
  for (const each of days) {
    for await (const listed of activity.versionsOf(apiSet, each)) {
      for (const externalIds of chunks(listed, readTogether)) {
        const cards = await table.read(externalIds.map((externalId) => ({ apiSet, externalId })));
        const forgotten = cards.filter((card) => isForgotten(card, breaker, now));
        if (forgotten.length > 0) await send(forgotten.map((card) => renewWakeUp(card, now)));
        woken += forgotten.length;
      }
    }
  }
  return woken;
}

/** Makes a wake-up in place of one that was lost. @param now milliseconds since 1970, UTC */
export function renewWakeUp({ apiSet, externalId, version, state }: StoredCard, now: number): WakeUp {
  return {
    apiSet,
    externalId,
    version,
    madeAt: now,
    mark: isFinal(state) ? "repost" : undefined,
    // The run that had the lost wake-up may have died after a post.
    maybePosted: true,
    delaySeconds: 0,
  };
}
