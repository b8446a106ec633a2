import { settings } from "../../lib/settings.ts";
import { burst, dayOfPlay, importAtFour } from "./arrivals.ts";
import type { DeliveryModel, VendorArrivals } from "./simulate-delivery.ts";

/** A day that the pipeline has to stand. */
interface Scenario {
  readonly name: string;
  readonly arrivals: readonly VendorArrivals[];
}

const vendors = 13;

/** Cards that one union took on its largest day: England Golf, 3 May 2025. */
const largestDay = 98_361;

/** Scores that the largest handicap service took in a year: USGA, 2025. */
export const scoresOfAYear = 82_250_000;

/** The days that are played. */
export function scenarios(): Scenario[] {
  return [
    { name: "the largest day of a union, 98,361 cards", arrivals: dayOfPlay(vendors, largestDay) },
    { name: "ten times that", arrivals: dayOfPlay(vendors, 10 * largestDay) },
    { name: "100,000 cards in 10 minutes", arrivals: burst(vendors, 100_000, 10) },
    {
      name: "the largest day, half of it from one vendor at once",
      arrivals: importAtFour(vendors, largestDay),
    },
  ];
}

/** Golf is played in summer and at weekends: a share of the year for each month, and of a week for a day of it. */
const monthShares = [0.03, 0.03, 0.06, 0.09, 0.12, 0.13, 0.13, 0.13, 0.11, 0.09, 0.05, 0.03];
const weekdayShare = 0.1;
const weekendShare = 0.25;

/** The days of a year, of which those that are alike are played once: how many there are of each, and its cards. */
export function yearOfPlay(): { readonly days: number; readonly arrivals: readonly VendorArrivals[] }[] {
  return monthShares.flatMap((share) => {
    const week = (scoresOfAYear * share * 12 * 7) / 365;
    return [
      { days: (365 / 12 / 7) * 5, arrivals: dayOfPlay(vendors, Math.round(week * weekdayShare)) },
      { days: (365 / 12 / 7) * 2, arrivals: dayOfPlay(vendors, Math.round(week * weekendShare)) },
    ];
  });
}

/** The pipeline as production deploys it, before an exchange of 20 posts a second. */
export function deliveryModel(ownSeconds: number, fair: boolean): DeliveryModel {
  const { delivery } = settings.production;
  const { batchSize, batchWindowSeconds, postSize, parallelPosts, maximumConcurrency } = delivery;
  return {
    maximumConcurrency,
    batchSize,
    batchWindow: batchWindowSeconds,
    postSize,
    parallelPosts,
    ownSeconds,
    exchangeSeconds: 0.3,
    exchangePerSecond: 20,
    fair,
  };
}
