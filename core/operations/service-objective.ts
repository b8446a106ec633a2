const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The service objective: this share of the delivered cards in so many days is delivered in time. @see isDelayed */
export const objective = { share: 0.999, days: 30 };

/**
 * Alarms ring if both the long and the short window burn the error budget at this rate: the long one shows that it matters, the short
 * one that it still goes on. At a rate of 1 the budget lasts exactly for the days of the objective: the fast alarm rings when a fiftieth of it
 * went in an hour, the slow one when a tenth went in three days.
 *
 * @see The Site Reliability Workbook, chapter 5, Multiwindow, Multi-Burn-Rate Alerts
 */
export const burnAlarms = {
  fast: { rate: 14.4, long: hour, short: 5 * minute },
  slow: { rate: 1, long: 3 * day, short: 6 * hour },
} as const;

/** With fewer delayed cards than this in the long window no alarm rings: of a winter's day, one would be a large share. */
const minDelayed = 5;

/** The cards that were delivered in a part of a time, and how many of them were delayed. */
export interface DeliveredCount {
  /** When the part begins and ends, in milliseconds since 1970, UTC. */
  readonly from: number;
  readonly to: number;
  readonly delivered: number;
  readonly delayed: number;
}

function sumSince(counts: readonly DeliveredCount[], since: number) {
  const within = counts.filter(({ to }) => to > since);
  return {
    delivered: within.reduce((sum, count) => sum + count.delivered, 0),
    delayed: within.reduce((sum, count) => sum + count.delayed, 0),
  };
}

/** How many times faster than the objective allows a share of delayed cards uses up the error budget. */
const computeRate = (delayed: number, delivered: number): number =>
  delayed === 0 ? 0 : delayed / Math.max(delayed, delivered) / (1 - objective.share);

/**
 * The rate at which both windows of an alarm burn the error budget, which is the lower one of the two.
 *
 * @param stuck messages with cards that wait in the queue for longer than the objective allows: they count as delayed before they
 *   are delivered
 * @param now milliseconds since 1970, UTC
 */
export function burnRate(
  counts: readonly DeliveredCount[],
  stuck: number,
  { long, short }: (typeof burnAlarms)[keyof typeof burnAlarms],
  now: number,
): number {
  const [ofLong, ofShort] = [sumSince(counts, now - long), sumSince(counts, now - short)];
  if (ofLong.delayed + stuck < minDelayed) return 0;
  const rates = [ofLong, ofShort].map(({ delivered, delayed }) =>
    computeRate(delayed + stuck, delivered + stuck),
  );
  return Math.min(...rates);
}

/** The queue at a moment, as SQS measured it. */
export interface MeasuredQueue {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** Messages that nobody has received. */
  readonly visible: number;
  /** Age of the oldest message, in seconds. */
  readonly oldestSeconds: number;
}

/**
 * How many messages have waited for longer than the objective allows without being received: if the oldest has, and the queue has not been
 * empty since, as it is now and then while cards only wait for the union.
 *
 * @param measured of the time that the objective allows, and a minute more
 */
export function stuckMessages(measured: readonly MeasuredQueue[], allowedSeconds: number): number {
  const latest = measured.toSorted((one, other) => one.at - other.at).at(-1);
  if (latest === undefined || latest.oldestSeconds <= allowedSeconds) return 0;
  return Math.min(...measured.map(({ visible }) => visible));
}

/** How the objective is met. */
export interface ObjectiveState {
  readonly delivered: number;
  readonly delayed: number;
  /** The share that was in time, 0 to 1; absent if nothing was delivered. */
  readonly share?: number;
  /** The share of the error budget that is used up: 1 is all of it. */
  readonly budgetUsed: number;
}

/** How the objective is met by all cards that were delivered in its days. */
export function objectiveState(counts: readonly DeliveredCount[], now: number): ObjectiveState {
  const { delivered, delayed } = sumSince(counts, now - objective.days * day);
  return {
    delivered,
    delayed,
    ...(delivered > 0 && { share: 1 - delayed / delivered }),
    budgetUsed: computeRate(delayed, delivered),
  };
}
