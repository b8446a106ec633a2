import type { CountedRefusal, CountedWarning } from "../../api/activity.ts";
import type { ApiSet } from "../accounts/account.ts";
import { laterCodes } from "../cards/life/card.ts";
import { State } from "../cards/life/states.ts";
import type { Finding } from "../golf/findings.ts";
import type { NamesErased } from "./erased-persons-table.ts";

/**
 * The changes of a vendor's cards that are counted, by the hour in which they were recorded; api/activity.ts says what each is. Refusals
 * are counted as they are answered, all others from the stream.
 */
export const countNames = [
  "accepted",
  "refused",
  "corrected",
  "resent",
  State.withdrawn,
  State.delivered,
  "onDayOfPlay",
  "late",
  State.rejected,
  State.undelivered,
  "warned",
  "playersUnknown",
  "recorded",
  "notRecorded",
] as const;

/** The name of a count. */
export type CountName = (typeof countNames)[number];

/** What is counted of cards that need attention, and also listed by day: states, and codes of warnings found after a delivery. */
export const listedCounts = [State.rejected, State.undelivered, "notRecorded", ...laterCodes] as const;

/** The name of such a count. */
export type ListedCount = (typeof listedCounts)[number];

/**
 * Counts by name. Besides those of `countNames`, `waiting` is the number of cards accepted in this hour that have no outcome
 * yet, `unfinished…` how many of a quarter of the hour still need a wake-up (`isUnfinished`), `suspected…` how many of those are
 * suspected, `within…` how many were delivered in a time (`deliveryTimeOf`), and `warning …` how many have a warning that was found
 * after their delivery (`warningCount`).
 */
export type Counts = Readonly<Record<string, number>>;

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

const quarterMilliseconds = 15 * 60_000;
const quarters = [0, 1, 2, 3];
const toQuarter = (at: number) => Math.floor(at / quarterMilliseconds) % quarters.length;

/** The count of unfinished cards that were accepted in the same quarter of an hour. @param at milliseconds since 1970, UTC */
export const unfinishedIn = (at: number): string => `unfinished${toQuarter(at)}`;

/** As `unfinishedIn`, of the suspected ones among them. */
export const suspectedIn = (at: number): string => `suspected${toQuarter(at)}`;

/** A quarter of an hour in which cards were accepted that are unfinished. */
export interface UnfinishedQuarter {
  /** Milliseconds since 1970, UTC. */
  readonly end: number;
  readonly cards: number;
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
    return unfinished > 0 ? [{ end: at + quarterMilliseconds, cards: unfinished, areSuspected }] : [];
  });
}

const warningPrefix = "warning ";

/** The name of the count of cards with a warning. */
export const warningCount = (code: string): string => warningPrefix + code;

/** How many cards have each warning, the most frequent first. */
export function warningsIn(counts: Counts): CountedWarning[] {
  return Object.entries(counts)
    .filter(([name, cards]) => name.startsWith(warningPrefix) && cards > 0)
    .map(([name, cards]) => ({ code: name.slice(warningPrefix.length), cards }))
    .sort((one, other) => other.cards - one.cards || (one.code < other.code ? -1 : 1));
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

/** The cards that were refused in one submission or one hour. */
export interface RefusedCards {
  /** Each card counts once, however many faults it has. */
  readonly cards: number;
  readonly byFault: readonly CountedRefusal[];
}

/** Examples of a fault that are kept of a submission, and answered. */
const examplesKept = 5;

/** The refused cards of a submission. @param at when it was refused @param namesErased finds examples that are not kept */
export function refusalsOf(faults: readonly Finding[], at: Date, namesErased: NamesErased): RefusedCards {
  const byFault = [...Map.groupBy(faults, ({ code }) => code)].map(([code, found]) => {
    const firstOfCards = [...Map.groupBy(found, ({ index }) => index).values()].flatMap(
      ([first]) => first ?? [],
    );
    const examples = firstOfCards.slice(0, examplesKept).map(({ externalId, pointer }) => ({
      ...(externalId !== undefined && { externalId }),
      pointer,
      at: at.toISOString(),
    }));
    const kept = examples.filter((example) => !namesErased(example));
    return { code, cards: firstOfCards.length, examples: kept };
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
