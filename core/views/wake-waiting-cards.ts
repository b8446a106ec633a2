import type { ApiSet } from "../accounts/account.ts";
import type { Breaker } from "../cards/delivery/breaker.ts";
import { wakeAgain } from "../cards/delivery/plan.ts";
import { isUnfinished, repostAt } from "../cards/delivery/posts.ts";
import { cardsInMessage, type WakeUp } from "../cards/delivery/queue.ts";
import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import type { PostTiming } from "../cards/delivery/timing.ts";
import { isSuspected, type StoredCard } from "../cards/life/card.ts";
import { chunks } from "../formats/chunks.ts";
import { dayOf } from "../formats/union-time.ts";
import { unfinishedQuarters } from "./activity-counts.ts";
import type { ActivityReader } from "./activity-table.ts";
import { maxWait } from "./waiting-cards.ts";

const minute = 60_000;
const quarter = 15 * minute;

/**
 * A wake-up comes back within this time, unless it is lost: SQS delays a message by a quarter of an hour at most, and after an
 * outage every card is tried within seven minutes.
 */
const maxSilence = 15 * minute;
/** The longest age of a message in a queue that works: it may be delayed by a quarter of an hour, and then received twice. */
const maxMessageAge = 20 * minute;
/**
 * A card of which nothing has been heard for so long is forgotten, if no message of the queue was too old meanwhile: a card that has to
 * wait twice is sent to the queue twice.
 */
const forgottenAfter = 2 * maxMessageAge;
/** A queue is nearly empty if its messages can name at most this share of the cards that wait. */
const nearlyEmpty = 1 / 10;
/** Cards read in one request to the table. */
const readTogether = 100;

/** The messages of the delivery queue. */
export interface QueuedMessages {
  readonly messages: number;
  /** The largest age that its oldest message had in the last forty minutes, in milliseconds; undefined if that is not known. */
  readonly oldestAge: number | undefined;
}

/** Reads counts, lists, cards and the queue, and sends wake-ups. */
export interface WakingDependencies {
  readonly activity: Pick<ActivityReader, "hours" | "versionsOf">;
  readonly table: Pick<ScorecardTable, "read" | "readWithBreaker" | "write">;
  readonly queue: () => Promise<QueuedMessages>;
  readonly timing: PostTiming;
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

/** What a run has found of a vendor: cards that it has woken up, or how many wait though the queue may still hold their wake-ups. */
export interface WokenCards {
  readonly woken: number;
  readonly held: number;
}

/**
 * Whether the queue may still hold the wake-ups of cards that wait. If nobody takes its messages, or only a few, they become old;
 * to wake the cards up as well would only make the queue longer.
 */
function mayHold(
  { messages, oldestAge = Number.POSITIVE_INFINITY }: QueuedMessages,
  waiting: number,
): boolean {
  const isNearlyEmpty = messages * cardsInMessage <= waiting * nearlyEmpty;
  return !isNearlyEmpty && oldestAge > maxMessageAge;
}

/** Whether a card should have been woken by now, and was not. */
function isForgotten(
  card: StoredCard,
  { suspectTriedAt = 0 }: Breaker,
  now: number,
  { lateFinish }: PostTiming,
): boolean {
  if (!isUnfinished(card)) return false;
  const { acceptedAt, wokenAt = 0, nextAttemptAt = 0 } = card;
  // A suspected card that fails without a witness is not changed.
  const tried = isSuspected(card) ? suspectTriedAt : 0;
  const last = Math.max(wokenAt, repostAt(card, lateFinish) ?? Math.max(acceptedAt, nextAttemptAt, tried));
  return last + forgottenAfter <= now;
}

/**
 * Wakes up a vendor's cards whose wake-ups were lost, for example because a queue was purged or replaced.
 *
 * The vendor's counts show whether old cards are unfinished; the lists of those days show which. Only those are woken up whose
 * wake-ups the queue cannot hold any more, in a way that voids older ones: each is posted once. While no card waits for longer than usual only the counts are read; and while only suspected cards do, the breaker, which
 * says when they were tried.
 *
 * @throws QueueBatchError, or an error of reading; the next run finds the same cards again
 */
export async function wakeWaitingCards(
  apiSet: ApiSet,
  time: WakingTime,
  { activity, table, send, queue, timing, timeZone }: WakingDependencies,
): Promise<WokenCards> {
  const { now } = time;
  const hours = await activity.hours(apiSet, now - maxWait, now);
  const old = hours
    .flatMap(({ hour, counts }) => unfinishedQuarters(hour, counts))
    .filter(({ end }) => end + forgottenAfter - quarter <= now);
  if (old.length === 0) return { woken: 0, held: 0 };
  const { breaker } = await table.readWithBreaker(apiSet, []);
  if (mayBeAwake(breaker, time)) return { woken: 0, held: 0 };
  const areTried = (breaker.suspectTriedAt ?? 0) + maxSilence > now;
  const days = new Set(
    old.filter(({ areSuspected }) => !(areSuspected && areTried)).map(({ end }) => dayOf(end - 1, timeZone)),
  );
  if (days.size === 0) return { woken: 0, held: 0 };
  const waiting = old.reduce((sum, { cards }) => sum + cards, 0);
  if (mayHold(await queue(), waiting)) return { woken: 0, held: waiting };

  let woken = 0;
  for (const each of days) {
    for await (const listed of activity.versionsOf(apiSet, each)) {
      for (const externalIds of chunks(listed, readTogether)) {
        const cards = await table.read(externalIds.map((externalId) => ({ apiSet, externalId })));
        const forgotten = cards.filter((card) => isForgotten(card, breaker, now, timing));
        // The run that had the lost wake-up may have died after a post.
        const renewed = forgotten.map((card) => wakeAgain(card, { now, timing }, true));
        if (renewed.length > 0) await send(renewed.flatMap(({ wakeUps }) => wakeUps));
        await table.write(renewed.map(({ change }) => change));
        woken += forgotten.length;
      }
    }
  }
  return { woken, held: 0 };
}
