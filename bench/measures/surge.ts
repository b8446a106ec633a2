import type { BenchRow } from "../bench-row.ts";
import { deliveryModel, scenarios, scoresOfAYear, yearOfPlay } from "../surge/scenarios.ts";
import { deliverySeconds } from "../surge/service-times.ts";
import { type DeliveryDay, simulateDelivery } from "../surge/simulate-delivery.ts";

/** The longest that a card waits for its delivery, in seconds: of the largest vendor, and of all others. */
function longestWaits({ waits }: DeliveryDay): { largest: number; others: number } {
  const [largest = 0, ...others] = [...waits.values()].map((of) =>
    of.reduce((longest, wait) => Math.max(longest, wait), 0),
  );
  return { largest, others: Math.max(...others) };
}

/** Simulates the days that the pipeline has to stand, from service times that are measured in this run. */
export async function run(): Promise<BenchRow[]> {
  const ownSeconds = await deliverySeconds();
  const rows: BenchRow[] = [
    { name: "own time of an invocation with 100 cards", value: ownSeconds * 1000, unit: "ms" },
  ];
  for (const { name, arrivals } of scenarios()) {
    const fair = simulateDelivery(arrivals, deliveryModel(ownSeconds, true));
    const plain = simulateDelivery(arrivals, deliveryModel(ownSeconds, false));
    rows.push(
      { name: `${name}: longest wait of the largest vendor`, value: longestWaits(fair).largest, unit: "s" },
      { name: "  of all others", value: longestWaits(fair).others, unit: "s" },
      { name: "  of the largest, without fair queues", value: longestWaits(plain).largest, unit: "s" },
      { name: "  of all others, without fair queues", value: longestWaits(plain).others, unit: "s" },
      { name: "  environments at once", value: fair.peakConcurrency, unit: "" },
      { name: "  cards of an invocation", value: cardsOf(fair) / fair.invocations, unit: "" },
      { name: "  cards of a post", value: cardsOf(fair) / fair.posts, unit: "" },
    );
  }
  rows.push(...year(ownSeconds));
  return rows;
}

function cardsOf({ waits }: DeliveryDay): number {
  return [...waits.values()].reduce((sum, { length }) => sum + length, 0);
}

function year(ownSeconds: number): BenchRow[] {
  let invocations = 0;
  let busySeconds = 0;
  let longest = 0;
  for (const { days, arrivals } of yearOfPlay()) {
    const day = simulateDelivery(arrivals, deliveryModel(ownSeconds, true));
    invocations += days * day.invocations;
    busySeconds += days * day.busySeconds;
    longest = Math.max(longest, longestWaits(day).largest);
  }
  return [
    {
      name: "a year of 82.25 million scores: longest wait of the largest vendor",
      value: longest,
      unit: "s",
    },
    { name: "  invocations of deliver-scorecards", value: invocations / 1e6, unit: "million" },
    { name: "  its time per card", value: (busySeconds / scoresOfAYear) * 1000, unit: "ms" },
  ];
}
