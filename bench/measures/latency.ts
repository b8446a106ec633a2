import { setTimeout as delay } from "node:timers/promises";
import { awaitArrivals } from "../arrivals.ts";
import { postCards } from "../backlog.ts";
import type { BenchRow } from "../bench-row.ts";
import { type Bench, startPipelines } from "../start-pipelines.ts";

const secondsOfEach = 20;
const secondsOfWarmUp = 5;
const patience = 60_000;

/** From a single card's request to its arrival at the union, cards being sent at a steady rate whatever they wait for. */
export async function run(): Promise<BenchRow[]> {
  const bench = await startPipelines();
  try {
    await sendSteadily(bench, "warm-up", 10, secondsOfWarmUp);
    const rows: BenchRow[] = [];
    for (const rate of [10, 100]) {
      const waits = await sendSteadily(bench, `latency-${rate}`, rate, secondsOfEach);
      const sorted = waits.toSorted((one, other) => one - other);
      const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
      const name = `${rate} single cards a second, arrived`;
      rows.push(
        { name: `${name}, half`, value: at(0.5), unit: "ms", ...(rate === 10 && { bar: 100 }) },
        { name: `${name}, 95 %`, value: at(0.95), unit: "ms", ...(rate === 10 && { bar: 250 }) },
        { name: `${name}, 99 %`, value: at(0.99), unit: "ms" },
      );
    }
    return rows;
  } finally {
    await bench.stop();
  }
}

/** Sends single cards at a rate. @returns milliseconds from each card's request to its arrival at the union */
async function sendSteadily(
  { ours, union, authorization, apiSet, nextCards }: Bench,
  name: string,
  perSecond: number,
  seconds: number,
): Promise<number[]> {
  const cards = nextCards(name, perSecond * seconds);
  const begun = Date.now();
  const sentAt: number[] = [];
  const requests: Promise<unknown>[] = [];
  for (const [n, card] of cards.entries()) {
    const due = begun + (n * 1000) / perSecond;
    const wait = due - Date.now();
    if (wait > 0) await delay(wait);
    // The clock of the sender: a card that is sent late, since the machine is busy, waits from when it was due.
    sentAt.push(due);
    requests.push(postCards(`${ours.api}/${apiSet}/ScorecardExchange`, authorization, [card]));
  }
  await Promise.all(requests);
  const arrivals = await awaitArrivals(
    union.control,
    cards.map(({ ExternalID }) => ExternalID),
    patience,
  );
  return arrivals.map((at, n) => at - (sentAt[n] ?? at));
}
