import type { ApiSet } from "../accounts/account.ts";
import type { Breaker } from "../cards/delivery/breaker.ts";
import { wakeAgain } from "../cards/delivery/plan.ts";
import { isUnfinished, repostAt } from "../cards/delivery/posts.ts";
import { cardsInMessage, type WakeUp } from "../cards/delivery/queue.ts";
import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import type { PostTiming } from "../cards/delivery/timing.ts";
import type { StoredCard } from "../cards/life/card.ts";
import { State } from "../cards/life/states.ts";
import { dayOf } from "../formats/union-time.ts";
import { type UnfinishedQuarter, unfinishedQuarters } from "./activity-counts.ts";
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
  readonly table: Pick<ScorecardTable, "inState" | "tryRead" | "tryWrite">;
  readonly queue: () => Promise<QueuedMessages>;
  readonly timing: PostTiming;
  /** @returns the wake-ups that were not sent */
  readonly send: (wakeUps: readonly WakeUp[]) => Promise<readonly WakeUp[]>;
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

/** What a run has found of a vendor. */
export interface WokenCards {
  readonly woken: number;
  /** Cards that wait though the queue may still hold their wake-ups. */
  readonly held: number;
  /** Cards that could not be read or woken: the next run finds them again. */
  readonly failed: number;
  /** Why the queue cannot hold the wake-ups of the cards that were woken. */
  readonly cause?: LossCause;
}

/** The queue has hardly any message, or only messages that are younger than the wake-ups of these cards. */
type LossCause = "queueEmpty" | "messagesYounger";

const none: WokenCards = { woken: 0, held: 0, failed: 0 };

/**
 * Why the queue cannot hold the wake-ups of cards that wait; undefined if it may. If nobody takes its messages, or only a few, they
 * become old; to wake the cards up as well would only make the queue longer.
 */
function findCause(
  { messages, oldestAge = Number.POSITIVE_INFINITY }: QueuedMessages,
  waiting: number,
): LossCause | undefined {
  if (messages * cardsInMessage <= waiting * nearlyEmpty) return "queueEmpty";
  return oldestAge <= maxMessageAge ? "messagesYounger" : undefined;
}

/** Whether a card should have been woken by now, and was not. */
function isForgotten(card: StoredCard, now: number, { lateFinish }: PostTiming): boolean {
  if (!isUnfinished(card)) return false;
  const { acceptedAt, wokenAt = 0, nextAttemptAt = 0 } = card;
  const last = Math.max(wokenAt, repostAt(card, lateFinish) ?? Math.max(acceptedAt, nextAttemptAt));
  return last + forgottenAfter <= now;
}

/**
 * Wakes up a vendor's cards whose wake-ups were lost, for example because a queue was purged or replaced.
 *
 * The vendor's counts show whether old cards are unfinished; the lists of those days show which. Only those are woken up whose
 * wake-ups the queue cannot hold any more, in a way that voids older ones: each is posted once. While no card waits for longer than
 * usual only the counts are read; and while only suspected cards do, their own list.
 *
 * @throws an error of reading counts, lists or the breaker; the next run finds the same cards again
 */
export async function wakeWaitingCards(
  apiSet: ApiSet,
  time: WakingTime,
  dependencies: WakingDependencies,
): Promise<WokenCards> {
  const { activity, table, queue } = dependencies;
  const { now } = time;
  const hours = await activity.hours(apiSet, now - maxWait, now);
  const old = hours
    .flatMap(({ hour, counts }) => unfinishedQuarters(hour, counts))
    .filter(({ end }) => end + forgottenAfter - quarter <= now);
  if (old.length === 0) return none;
  const { breaker } = await table.tryRead(apiSet, []);
  if (mayBeAwake(breaker, time)) return none;
  const waiting = old.reduce((sum, { cards }) => sum + cards, 0);
  const cause = findCause(await queue(), waiting);
  if (cause === undefined) return { ...none, held: waiting };

  let [woken, failed] = [0, 0];
  for await (const externalIds of listWaiting(apiSet, old, dependencies)) {
    const some = await wakeForgotten(apiSet, externalIds, now, dependencies);
    woken += some.woken;
    failed += some.failed;
  }
  return { woken, held: 0, failed, cause };
}

/** Lists cards among which are all that wait: those of the days that have some, or the suspected ones if a day has no others. */
async function* listWaiting(
  apiSet: ApiSet,
  waiting: readonly UnfinishedQuarter[],
  { activity, table, timeZone }: WakingDependencies,
): AsyncGenerator<readonly string[]> {
  const others = waiting.filter(({ areSuspected }) => !areSuspected);
  if (others.length < waiting.length) {
    let after: string | undefined;
    do {
      const page = await table.inState(apiSet, State.retrying, readTogether, after);
      yield page.externalIds;
      after = page.next;
    } while (after !== undefined);
  }
  const listed: string[] = [];
  for (const day of new Set(others.map(({ end }) => dayOf(end - 1, timeZone)))) {
    for await (const some of activity.versionsOf(apiSet, day)) {
      listed.push(...some);
      while (listed.length >= readTogether) yield listed.splice(0, readTogether);
    }
  }
  if (listed.length > 0) yield listed;
}

/** Wakes up those of some cards that were forgotten. */
async function wakeForgotten(
  apiSet: ApiSet,
  externalIds: readonly string[],
  now: number,
  { table, send, timing }: WakingDependencies,
): Promise<Pick<WokenCards, "woken" | "failed">> {
  const { cards, unread } = await table.tryRead(apiSet, externalIds);
  const forgotten = cards.filter((card) => isForgotten(card, now, timing));
  if (forgotten.length === 0) return { woken: 0, failed: unread.size };
  // The run that had the lost wake-up may have died after a post.
  const renewed = forgotten.map((card) => wakeAgain(card, { now, timing }, true));
  const unsent = new Set(await send(renewed.flatMap(({ wakeUps }) => wakeUps)));
  const sent = renewed.filter(({ wakeUps }) => wakeUps.every((wakeUp) => !unsent.has(wakeUp)));
  // A card whose change is refused is woken again by the next run.
  await table.tryWrite(sent.map(({ change }) => change));
  return { woken: sent.length, failed: unread.size + renewed.length - sent.length };
}
