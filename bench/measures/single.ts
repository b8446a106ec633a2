import pMap from "p-map";
import { awaitArrivals } from "../arrivals.ts";
import { postCards } from "../backlog.ts";
import type { BenchRow } from "../bench-row.ts";
import { milliseconds } from "../median.ts";
import { type Bench, startPipelines } from "../start-pipelines.ts";
import { threadTimes } from "../thread-times.ts";

const cardsOfWarmUp = 1_000;
/** The first thousands take longer, since V8 compiles what they call: each of 3,000 took a fifth more processor time than each of these. */
const cardsMeasured = 12_000;
const parallelRequests = 50;
const patience = 120_000;

/** Cards that are submitted one at a time, fifty requests at once: how many a second, and what each costs the processor. */
export async function run(): Promise<BenchRow[]> {
  const bench = await startPipelines();
  try {
    await submitSingly(bench, "warm-up", cardsOfWarmUp);
    const before = threadTimes(bench.ours.pid);
    const { accepted, arrived } = await submitSingly(bench, "single", cardsMeasured);
    const after = threadTimes(bench.ours.pid);
    const each = (part: "functions" | "emulation") => (after[part] - before[part]) / cardsMeasured;
    return [
      { name: "single cards, accepted", value: cardsMeasured / (accepted / 1000), unit: "cards/s" },
      { name: "single cards, arrived", value: cardsMeasured / (arrived / 1000), unit: "cards/s" },
      { name: "processor time of functions", value: each("functions"), unit: "ms a card", bar: 4 },
      { name: "processor time of the emulation", value: each("emulation"), unit: "ms a card" },
    ];
  } finally {
    await bench.stop();
  }
}

/** Milliseconds until all cards were accepted, and until all had arrived at the union. */
async function submitSingly(
  { ours, union, authorization, apiSet, nextCards }: Bench,
  name: string,
  count: number,
) {
  const cards = nextCards(name, count);
  const address = `${ours.api}/${apiSet}/ScorecardExchange`;
  const begun = Date.now();
  const accepted = await milliseconds(() =>
    pMap(cards, (card) => postCards(address, authorization, [card]), { concurrency: parallelRequests }),
  );
  const externalIds = cards.map(({ ExternalID }) => ExternalID);
  const arrivals = await awaitArrivals(union.control, externalIds, patience);
  return { accepted, arrived: Math.max(...arrivals) - begun };
}
