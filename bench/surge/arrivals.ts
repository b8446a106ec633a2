import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { VendorArrivals } from "./simulate-delivery.ts";

const hour = 3_600;

/** Share of the cards that a vendor has: the largest has half of all, each next one half of what is left. */
function shareOf(vendor: number, vendors: number): number {
  return vendor === vendors - 1 ? 2 ** -vendor : 2 ** -(vendor + 1);
}

/** A sum of uniform values: near enough to a bell, between 0 and 1, and the same everywhere. */
function bell(random: () => number): number {
  return (random() + random() + random() + random()) / 4;
}

function arrivalsOf(vendors: number, cards: number, at: (random: () => number) => number): VendorArrivals[] {
  return Array.from({ length: vendors }, (_, vendor) => {
    const random = seededRandom(vendor + 1, "surge");
    const count = Math.round(cards * shareOf(vendor, vendors));
    const times = Float64Array.from({ length: count }, () => at(random.fraction)).sort();
    return { vendor: `vendor ${vendor + 1}`, at: times };
  });
}

/** A day of play: rounds end between eleven in the morning and nine in the evening, most at four. */
export function dayOfPlay(vendors: number, cards: number): VendorArrivals[] {
  return arrivalsOf(vendors, cards, (random) => (11 + 10 * bell(random)) * hour);
}

/** The same number of cards, evenly within some minutes. */
export function burst(vendors: number, cards: number, minutes: number): VendorArrivals[] {
  return arrivalsOf(vendors, cards, (random) => random() * minutes * 60);
}

/** A day of play on which the largest vendor sends all its cards at once, at four in the afternoon. */
export function importAtFour(vendors: number, cards: number): VendorArrivals[] {
  const [largest, ...others] = dayOfPlay(vendors, cards);
  if (largest === undefined) return others;
  return [{ ...largest, at: largest.at.map(() => 16 * hour) }, ...others];
}
