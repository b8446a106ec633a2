import type { BenchRow } from "../bench-row.ts";
import { costOfDay, type MeasuredCharges, measureCharges } from "../surge/cost-of-day.ts";
import {
  maxWaits,
  playDay,
  type Scenario,
  scenarios,
  scoresOfAYear,
  yearOfPlay,
} from "../surge/scenarios.ts";

/** What a day costs, by how the vendors submit. */
function costRows(name: string, costs: ReadonlyMap<number, number>): BenchRow[] {
  return [...costs].map(([size, dollars]) => ({
    name: `  ${name}, submitted ${size === 1 ? "singly" : `${size} at a time`}`,
    value: dollars,
    unit: "USD",
  }));
}

/** Simulates the days that the pipeline has to stand. Charges are measured in this run; a test holds the waits to their bars. */
export async function run(): Promise<BenchRow[]> {
  const charges = await measureCharges();
  return [...scenarios().flatMap((scenario) => dayRows(scenario, charges)), ...year(charges)];
}

function dayRows(scenario: Scenario, charges: MeasuredCharges): BenchRow[] {
  const { name, bars } = scenario;
  const day = playDay(scenario, true);
  const [fair, plain] = [maxWaits(day), maxWaits(playDay(scenario, false))];
  return [
    {
      name: `${name}: longest wait of the largest vendor`,
      value: fair.largest,
      unit: "s",
      bar: bars.largest,
    },
    { name: "  of all others", value: fair.others, unit: "s", bar: bars.others },
    { name: "  of the largest, without fair queues", value: plain.largest, unit: "s" },
    { name: "  of all others, without fair queues", value: plain.others, unit: "s" },
    { name: "  environments at once", value: day.peakConcurrency, unit: "" },
    { name: "  cards of an invocation", value: day.cards / day.invocations, unit: "" },
    { name: "  cards of a post", value: day.cards / day.posts, unit: "" },
    ...costRows("cost of the day", costOfDay(day, charges)),
  ];
}

/** What a year costs: days that are alike are played once. */
function year(charges: MeasuredCharges): BenchRow[] {
  let invocations = 0;
  let busySeconds = 0;
  const costs = new Map<number, number>();
  for (const { days, arrivals } of yearOfPlay()) {
    const day = playDay({ arrivals }, true);
    invocations += days * day.invocations;
    busySeconds += days * day.busySeconds;
    for (const [size, dollars] of costOfDay(day, charges)) {
      costs.set(size, (costs.get(size) ?? 0) + days * dollars);
    }
  }
  return [
    {
      name: "a year of 82.25 million scores: invocations of deliver-scorecards",
      value: invocations / 1e6,
      unit: "million",
    },
    { name: "  its time per card", value: (busySeconds / scoresOfAYear) * 1000, unit: "ms" },
    ...costRows("cost of the year", costs),
  ];
}
