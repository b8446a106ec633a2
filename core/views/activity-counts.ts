import type { ApiSet } from "../accounts/account.ts";
import { isFinal, isOpen, isWithdrawal, type StoredCard } from "../cards/card.ts";
import type { Finding } from "../golf/findings.ts";

/** The changes of a vendor's cards that are counted, by the hour in which they were recorded. */
export const countNames = [
  /** New cards. */
  "accepted",
  /** Cards with a fault, counted as they are answered and not from the stream. */
  "refused",
  /** Other contents of cards that were there. */
  "corrected",
  /** Contents submitted or sent on again after a card was given up, rejected or withdrawn. */
  "resent",
  "withdrawn",
  "delivered",
  /** Delivered before midnight of the day on which the round was played. */
  "onDayOfPlay",
  /** Delivered later than that. */
  "late",
  "rejected",
  "undelivered",
  /** Delivered cards of players whom the union did not know. */
  "playersUnknown",
  /** Delivered cards that are in the player's record at the union. */
  "recorded",
  /** Delivered cards that are not in it, although they were looked for several times. */
  "notRecorded",
] as const;

/** The name of a count. */
export type CountName = (typeof countNames)[number];

/**
 * Counts by name. Besides those of `countNames`, `waiting` is the number of cards accepted in this hour that have no outcome
 * yet, `unfinished…` how many of a quarter of the hour still need a wake-up (`isUnfinished`), `suspected…` how many of those are
 * suspected, and `within…` how many were delivered in a time (`deliveryTimeOf`).
 */
export type Counts = Readonly<Record<string, number>>;

/** A card before and after one change, from the table's stream. */
export interface CardUpdate {
  /** Position in the stream's shard, a number of up to 40 digits. */
  readonly sequenceNumber: string;
  readonly card: StoredCard;
  /** Undefined if the card is new. */
  readonly before: StoredCard | undefined;
}

/** The numbers that a change adds to the counts of one hour of a vendor. */
export interface CountStep {
  readonly sequenceNumber: string;
  readonly counts: Counts;
}

/** The steps of one hour of a vendor, in the order of the stream. */
export interface HourSteps {
  readonly apiSet: ApiSet;
  /** Milliseconds since 1970, UTC. */
  readonly hour: number;
  readonly steps: readonly CountStep[];
}

/**
 * Bounds of the delivery times that are counted, from a tenth of a second to a week. Each is a quarter above the one before,
 * so percentiles are exact to a quarter.
 */
const deliveryTimes: readonly number[] = Array.from({ length: 71 }, (_, place) =>
  Math.round(100 * 1.25 ** place),
);

/**
 * Whether a wake-up of the card must be under way: it has no outcome yet, or is a delivered correction whose second post has
 * not been answered.
 */
export const isUnfinished = ({ state, mustWait, reposted, version }: StoredCard): boolean =>
  !isFinal(state) || (state === "delivered" && mustWait && reposted !== version);

const quarterMilliseconds = 15 * 60_000;
const quarters = [0, 1, 2, 3];
const quarterOf = (at: number) => Math.floor(at / quarterMilliseconds) % quarters.length;

/** The count of unfinished cards that were accepted in the same quarter of an hour. @param at milliseconds since 1970, UTC */
export const unfinishedIn = (at: number): string => `unfinished${quarterOf(at)}`;

/** As `unfinishedIn`, of the suspected ones among them. */
export const suspectedIn = (at: number): string => `suspected${quarterOf(at)}`;

/** Whether an unfinished card is posted alone, at intervals of its own, since it may be at fault. */
export const isSuspected = ({ state, suspicion }: StoredCard): boolean =>
  isOpen(state) && suspicion !== undefined;

/** A quarter of an hour in which cards were accepted that are unfinished. */
export interface UnfinishedQuarter {
  /** Milliseconds since 1970, UTC. */
  readonly end: number;
  /** Whether each of them is suspected. */
  readonly areSuspected: boolean;
}

/** The quarters of an hour in which unfinished cards were accepted. */
export function unfinishedQuarters(hour: number, counts: Counts): UnfinishedQuarter[] {
  // An hour of a time zone may begin at any quarter of an hour of UTC.
  return quarters.flatMap((quarter) => {
    const at = hour + quarter * quarterMilliseconds;
    const unfinished = counts[unfinishedIn(at)] ?? 0;
    const areSuspected = unfinished <= (counts[suspectedIn(at)] ?? 0);
    return unfinished > 0 ? [{ end: at + quarterMilliseconds, areSuspected }] : [];
  });
}

/** The counts that a card is in while it is unfinished. */
function unfinishedCounts(card: StoredCard, sign: 1 | -1): Counts {
  const { acceptedAt } = card;
  return { [unfinishedIn(acceptedAt)]: sign, ...(isSuspected(card) && { [suspectedIn(acceptedAt)]: sign }) };
}

const timePrefix = "within";

/** The name of the count of cards with this delivery time, in milliseconds. */
export function deliveryTimeOf(milliseconds: number): string {
  const place = deliveryTimes.findIndex((bound) => milliseconds <= bound);
  return `${timePrefix}${String(place === -1 ? deliveryTimes.length - 1 : place).padStart(2, "0")}`;
}

/**
 * The time within which a share of the deliveries that were counted took place.
 *
 * @param share from 0 to 1
 * @returns milliseconds; undefined if there was no delivery
 */
export function deliveryPercentile(counts: Counts, share: number): number | undefined {
  const times = Object.entries(counts)
    .filter(([name, count]) => name.startsWith(timePrefix) && count > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const deliveries = times.reduce((sum, [, count]) => sum + count, 0);
  let counted = 0;
  for (const [name, count] of times) {
    counted += count;
    if (counted >= share * deliveries) return deliveryTimes[Number(name.slice(timePrefix.length))];
  }
  return undefined;
}

/** The counts of a delivery besides `delivered`. */
const deliveryCounts = ({ since, acceptedAt, arrival }: StoredCard): Counts => ({
  [deliveryTimeOf(since - acceptedAt)]: 1,
  ...(arrival !== undefined && { [arrival]: 1 }),
});

/**
 * The numbers that one change of a card adds, by the time that it is counted at. The counts of all changes up to one state of
 * the table are those of its cards and their earlier outcomes.
 */
function additionsOf({ card, before }: CardUpdate): readonly (readonly [at: number, counts: Counts])[] {
  const additions: [number, Counts][] = [];
  const isNewVersion = before === undefined || before.version !== card.version;
  if (before === undefined) additions.push([card.since, { accepted: 1 }]);
  else if (isNewVersion && !isWithdrawal(card.state)) {
    const isCorrected = card.contentHash !== before.contentHash;
    // A withdrawal that came too late leaves the card as it was.
    const isResent = before.state !== "withdrawing";
    if (isCorrected || isResent)
      additions.push([card.acceptedAt, isCorrected ? { corrected: 1 } : { resent: 1 }]);
  }
  if (isFinal(card.state) && (isNewVersion || card.state !== before.state)) {
    const time = card.state === "delivered" ? deliveryCounts(card) : {};
    additions.push([card.since, { [card.state]: 1, ...time }]);
    // A post that was answered late can turn one outcome of a version into another.
    if (!isNewVersion && isFinal(before.state)) additions.push([before.since, { [before.state]: -1 }]);
  }
  if (card.playerUnknown && (isNewVersion || !before.playerUnknown)) {
    additions.push([card.since, { playersUnknown: 1 }]);
  }
  const { record } = card;
  if (record !== undefined && (isNewVersion || before.record === undefined)) {
    additions.push([record.at, record.isRecorded ? { recorded: 1 } : { notRecorded: 1 }]);
  }
  if (before !== undefined && isUnfinished(before)) {
    additions.push([before.acceptedAt, unfinishedCounts(before, -1)]);
  }
  if (isUnfinished(card)) additions.push([card.acceptedAt, unfinishedCounts(card, 1)]);
  const waited = before !== undefined && !isFinal(before.state);
  const waits = !isFinal(card.state);
  if (waited) additions.push([before.acceptedAt, { waiting: -1 }]);
  if (waits) additions.push([card.acceptedAt, { waiting: 1 }]);
  return additions;
}

/**
 * The steps of a batch of changes, by vendor and hour.
 *
 * @param hourOf the beginning of the hour that an instant is in
 */
export function hourSteps(updates: readonly CardUpdate[], hourOf: (instant: number) => number): HourSteps[] {
  const hours = new Map<string, HourSteps & { readonly steps: CountStep[] }>();
  for (const update of updates) {
    const { sequenceNumber, card } = update;
    const { apiSet } = card;
    const sums = new Map<number, Record<string, number>>();
    for (const [at, counts] of additionsOf(update)) {
      const hour = hourOf(at);
      sums.set(hour, added(sums.get(hour) ?? {}, counts));
    }
    for (const [hour, sum] of sums) {
      const counts = Object.fromEntries(Object.entries(sum).filter(([, count]) => count !== 0));
      if (Object.keys(counts).length === 0) continue;
      const key = `${hour} ${apiSet}`;
      const known = hours.get(key) ?? { apiSet, hour, steps: [] };
      known.steps.push({ sequenceNumber, counts });
      hours.set(key, known);
    }
  }
  return [...hours.values()];
}

/** The sum of two counts. */
export function added(counts: Counts, more: Counts): Record<string, number> {
  const sum: Record<string, number> = { ...counts };
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/** The difference of two counts. */
export function subtracted(counts: Counts, less: Counts): Record<string, number> {
  return added(counts, Object.fromEntries(Object.entries(less).map(([name, count]) => [name, -count])));
}

/** A refused card, so that the vendor can look at one. */
export interface RefusalExample {
  /** Absent if the card had none that could be read. */
  readonly externalId?: string;
  /** JSON pointer into the card. */
  readonly pointer: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** The cards that were refused for one fault. */
export interface CountedRefusal {
  /** The fault's code. */
  readonly code: string;
  readonly cards: number;
  /** Some of them, the newest first. */
  readonly examples: readonly RefusalExample[];
}

/** The cards that were refused in one submission or one hour. */
export interface RefusedCards {
  /** Each card counts once, however many faults it has. */
  readonly cards: number;
  readonly byFault: readonly CountedRefusal[];
}

/** Examples of a fault that are kept of a submission, and answered. */
const examplesKept = 5;

/** The refused cards of a submission. @param at when it was refused */
export function refusalsOf(faults: readonly Finding[], at: Date): RefusedCards {
  const byFault = [...Map.groupBy(faults, ({ code }) => code)].map(([code, found]) => {
    const firstOfCards = [...Map.groupBy(found, ({ index }) => index).values()].flatMap(
      ([first]) => first ?? [],
    );
    const examples = firstOfCards.slice(0, examplesKept).map(({ externalId, pointer }) => ({
      ...(externalId !== undefined && { externalId }),
      pointer,
      at: at.toISOString(),
    }));
    return { code, cards: firstOfCards.length, examples };
  });
  return { cards: new Set(faults.map(({ index }) => index)).size, byFault };
}

/** The sums of refusals by code, the most frequent first. */
export function sumOfRefusals(refusals: readonly CountedRefusal[]): CountedRefusal[] {
  return [...Map.groupBy(refusals, ({ code }) => code)]
    .map(([code, found]) => ({
      code,
      cards: found.reduce((sum, { cards }) => sum + cards, 0),
      examples: found
        .flatMap(({ examples }) => examples)
        .toSorted((one, other) => (one.at > other.at ? -1 : 1))
        .slice(0, examplesKept),
    }))
    .toSorted((one, other) => other.cards - one.cards);
}
