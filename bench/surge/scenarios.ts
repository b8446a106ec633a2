import { settings } from "../../lib/settings.ts";
import { burst, dayOfPlay, importAtFour } from "./arrivals.ts";
import { exchange, ownSeconds, queueSeconds } from "./service-times.ts";
import {
  type DeliveryDay,
  type DeliveryModel,
  simulateDelivery,
  type VendorArrivals,
} from "./simulate-delivery.ts";

/** The longest that a card waits for its delivery, in seconds: of the largest vendor, and of all others. */
export interface LongestWaits {
  readonly largest: number;
  readonly others: number;
}

/** A day that the pipeline has to stand. */
export interface Scenario {
  readonly name: string;
  readonly arrivals: readonly VendorArrivals[];
  /** The most that these may be, with fair queues. */
  readonly bars: LongestWaits;
}

const vendors = 13;

/** Cards that one union took on its largest day: England Golf, 3 May 2025. */
const largestDay = 98_361;

/** Scores that the largest handicap service took in a year: USGA, 2025. */
export const scoresOfAYear = 82_250_000;

/** The days that are played. */
export function scenarios(): Scenario[] {
  return [
    {
      name: "the largest day of a union: 98,361 cards",
      arrivals: dayOfPlay(vendors, largestDay),
      bars: { largest: 0.6, others: 0.6 },
    },
    {
      name: "ten times that",
      arrivals: dayOfPlay(vendors, 10 * largestDay),
      bars: { largest: 1.7, others: 1.6 },
    },
    {
      name: "100,000 cards in ten minutes",
      arrivals: burst(vendors, 100_000, 10),
      bars: { largest: 2.5, others: 2 },
    },
    {
      name: "the largest day, half of it from one vendor at once",
      arrivals: importAtFour(vendors, largestDay),
      bars: { largest: 70, others: 0.7 },
    },
    {
      name: "the busiest day of a year of 82.25 million scores",
      arrivals: dayOfPlay(vendors, cardsOf(Math.max(...monthShares), weekendShare)),
      bars: { largest: 1.4, others: 1.5 },
    },
  ];
}

/** Plays a day with fair queues, or without. @param changes to the pipeline as production deploys it */
export const playDay = (
  { arrivals }: Pick<Scenario, "arrivals">,
  fair: boolean,
  changes: Partial<DeliveryModel> = {},
): DeliveryDay => simulateDelivery(arrivals, { ...deliveryModel(fair), ...changes });

/** The longest waits of a day. */
export function maxWaits({ waits }: DeliveryDay): LongestWaits {
  const [largest = 0, ...others] = [...waits.values()].map((of) =>
    of.reduce((longest, wait) => Math.max(longest, wait), 0),
  );
  return { largest, others: Math.max(...others) };
}

/** Golf is played in summer and at weekends: a share of the year for each month, and of a week for a day of it. */
const monthShares = [0.03, 0.03, 0.06, 0.09, 0.12, 0.13, 0.13, 0.13, 0.11, 0.09, 0.05, 0.03];
const weekdayShare = 0.1;
const weekendShare = 0.25;

/** Cards of a day, from its month's share of the year and its share of the week. */
const cardsOf = (monthShare: number, dayShare: number) =>
  Math.round(((scoresOfAYear * monthShare * 12 * 7) / 365) * dayShare);

/** The days of a year, of which those that are alike are played once: how many there are of each, and its cards. */
export function yearOfPlay(): { readonly days: number; readonly arrivals: readonly VendorArrivals[] }[] {
  return monthShares.flatMap((share) => [
    { days: (365 / 12 / 7) * 5, arrivals: dayOfPlay(vendors, cardsOf(share, weekdayShare)) },
    { days: (365 / 12 / 7) * 2, arrivals: dayOfPlay(vendors, cardsOf(share, weekendShare)) },
  ]);
}

/** The pipeline as production deploys it, before an exchange of 20 posts a second. */
export function deliveryModel(fair: boolean): DeliveryModel {
  const { delivery } = settings.production;
  const { batchSize, batchWindowSeconds, postSize, parallelPosts, maximumConcurrency } = delivery;
  return {
    maximumConcurrency,
    batchSize,
    batchWindow: batchWindowSeconds,
    drainTo: postSize,
    queueSeconds,
    postSize,
    parallelPosts,
    ownSeconds,
    exchangeSeconds: exchange.seconds,
    exchangePerSecond: exchange.perSecond,
    fair,
  };
}
