import type { BenchRow } from "../bench-row.ts";
import { costOfDay, type MeasuredCharges, measureCharges } from "../surge/cost-of-day.ts";
import { deliveryModel, scenarios, scoresOfAYear, yearOfPlay } from "../surge/scenarios.ts";
import { batchSize, deliverySeconds } from "../surge/service-times.ts";
import { type DeliveryDay, simulateDelivery } from "../surge/simulate-delivery.ts";

/** The longest that a card waits for its delivery, in seconds: of the largest vendor, and of all others. */
interface LongestWaits {
  readonly largest: number;
  readonly others: number;
}

function longestWaits({ waits }: DeliveryDay): LongestWaits {
  const [largest = 0, ...others] = [...waits.values()].map((of) =>
    of.reduce((longest, wait) => Math.max(longest, wait), 0),
  );
  return { largest, others: Math.max(...others) };
}

/** What a day costs, by how the vendors submit. */
function costRows(name: string, costs: ReadonlyMap<number, number>): BenchRow[] {
  return [...costs].map(([size, dollars]) => ({
    name: `  ${name}, submitted ${size === 1 ? "singly" : `${size} at a time`}`,
    value: dollars,
    unit: "USD",
  }));
}

/** Simulates the days that the pipeline has to stand, from service times and charges that are measured in this run. */
export async function run(): Promise<BenchRow[]> {
  const ownSeconds = await deliverySeconds();
  const charges = await measureCharges();
  const rows: BenchRow[] = [
    { name: `own time of an invocation with ${batchSize} cards`, value: ownSeconds * 1000, unit: "ms" },
  ];
  for (const { name, arrivals } of scenarios()) {
    const fair = simulateDelivery(arrivals, deliveryModel(ownSeconds, true));
    const plain = simulateDelivery(arrivals, deliveryModel(ownSeconds, false));
    rows.push(
      ...waitRows(name, longestWaits(fair), longestWaits(plain)),
      { name: "  environments at once", value: fair.peakConcurrency, unit: "" },
      { name: "  cards of an invocation", value: fair.cards / fair.invocations, unit: "" },
      { name: "  cards of a post", value: fair.cards / fair.posts, unit: "" },
      ...costRows("cost of the day", costOfDay(fair, charges)),
    );
  }
  rows.push(...year(ownSeconds, charges));
  return rows;
}

function waitRows(name: string, fair: LongestWaits, plain: LongestWaits): BenchRow[] {
  return [
    { name: `${name}: longest wait of the largest vendor`, value: fair.largest, unit: "s" },
    { name: "  of all others", value: fair.others, unit: "s" },
    { name: "  of the largest, without fair queues", value: plain.largest, unit: "s" },
    { name: "  of all others, without fair queues", value: plain.others, unit: "s" },
  ];
}

/** The days of a year, those that are alike played once. */
function year(ownSeconds: number, charges: MeasuredCharges): BenchRow[] {
  let invocations = 0;
  let busySeconds = 0;
  let peakConcurrency = 0;
  let fairWaits: LongestWaits = { largest: 0, others: 0 };
  let plainWaits = fairWaits;
  const costs = new Map<number, number>();
  for (const { days, arrivals } of yearOfPlay()) {
    const fair = simulateDelivery(arrivals, deliveryModel(ownSeconds, true));
    const plain = simulateDelivery(arrivals, deliveryModel(ownSeconds, false));
    invocations += days * fair.invocations;
    busySeconds += days * fair.busySeconds;
    peakConcurrency = Math.max(peakConcurrency, fair.peakConcurrency);
    fairWaits = longer(fairWaits, longestWaits(fair));
    plainWaits = longer(plainWaits, longestWaits(plain));
    for (const [size, dollars] of costOfDay(fair, charges)) {
      costs.set(size, (costs.get(size) ?? 0) + days * dollars);
    }
  }
  return [
    ...waitRows("a year of 82.25 million scores", fairWaits, plainWaits),
    { name: "  environments at once", value: peakConcurrency, unit: "" },
    { name: "  invocations of deliver-scorecards", value: invocations / 1e6, unit: "million" },
    { name: "  its time per card", value: (busySeconds / scoresOfAYear) * 1000, unit: "ms" },
    ...costRows("cost of the year", costs),
  ];
}

function longer(one: LongestWaits, other: LongestWaits): LongestWaits {
  return { largest: Math.max(one.largest, other.largest), others: Math.max(one.others, other.others) };
}
