import { setTimeout as delay } from "node:timers/promises";
import pMap from "p-map";
import { awaitArrivals } from "../arrivals.ts";
import { postCards } from "../backlog.ts";
import type { BenchRow } from "../bench-row.ts";
import { sendSteadily } from "../send-steadily.ts";
import { type Bench, startPipelines } from "../start-pipelines.ts";
import { type ThreadTimes, threadTimes } from "../thread-times.ts";

const cardsOfWarmUp = 3_000;
const cardsMeasured = 10_000;
const cardsOfSubmission = 100;
const parallelSubmissions = 4;
const singlesPerSecond = 10;
const secondsOfSingles = 20;
const patience = 240_000;
/** A pipeline whose threads work less than this in each of some seconds has nothing under way: schedules and polling take that. */
const idle = { milliseconds: 60, seconds: 4 };

/**
 * Cards in arrays, until nothing is under way: what each costs the processor, in functions and in the emulation of AWS, before the
 * last has arrived and after that, when the table's stream is followed; and how long single cards take that are sent meanwhile.
 */
export async function run(): Promise<BenchRow[]> {
  const bench = await startPipelines();
  try {
    await sendArrays(bench, "warm-up", cardsOfWarmUp);
    await awaitIdle(bench);
    const times = [threadTimes(bench.ours.pid)];
    await sendArrays(bench, "settled", cardsMeasured);
    times.push(threadTimes(bench.ours.pid));
    await awaitIdle(bench);
    times.push(threadTimes(bench.ours.pid));
    // The stream of as many cards is followed meanwhile.
    await sendArrays(bench, "before-singles", cardsMeasured);
    const at = await sendSteadily(bench, "singles", singlesPerSecond, secondsOfSingles);
    const each = (part: keyof ThreadTimes, from: number, to: number) =>
      ((times[to]?.[part] ?? 0) - (times[from]?.[part] ?? 0)) / cardsMeasured;
    const whole = each("functions", 0, 2) + each("emulation", 0, 2);
    return [
      { name: "processor until nothing is under way", value: whole, unit: "ms a card", bar: 3.6 },
      { name: "of it functions, until all have arrived", value: each("functions", 0, 1), unit: "ms a card" },
      { name: "of it functions, afterwards", value: each("functions", 1, 2), unit: "ms a card" },
      { name: "of it the emulation, until all arrived", value: each("emulation", 0, 1), unit: "ms a card" },
      { name: "of it the emulation, afterwards", value: each("emulation", 1, 2), unit: "ms a card" },
      { name: "single cards meanwhile, arrived, half", value: at(0.5), unit: "ms" },
      { name: "single cards meanwhile, arrived, 95 %", value: at(0.95), unit: "ms", bar: 100 },
    ];
  } finally {
    await bench.stop();
  }
}

/** Submits cards in arrays, and waits until the union has them. */
async function sendArrays(
  { ours, union, authorization, apiSet, nextCards }: Bench,
  name: string,
  count: number,
): Promise<void> {
  const cards = nextCards(name, count);
  const submissions = Array.from({ length: count / cardsOfSubmission }, (_, n) =>
    cards.slice(n * cardsOfSubmission, (n + 1) * cardsOfSubmission),
  );
  await pMap(
    submissions,
    (submission) => postCards(`${ours.api}/${apiSet}/ScorecardExchange`, authorization, submission),
    { concurrency: parallelSubmissions },
  );
  const externalIds = cards.map(({ ExternalID }) => ExternalID);
  await awaitArrivals(union.control, externalIds, patience);
}

/** Waits until the pipeline's threads have nothing to do. */
async function awaitIdle({ ours }: Bench): Promise<void> {
  const worked = () => {
    const { functions, emulation } = threadTimes(ours.pid);
    return functions + emulation;
  };
  const until = Date.now() + patience;
  for (let quiet = 0; quiet < idle.seconds && Date.now() < until; ) {
    const before = worked();
    await delay(1_000);
    quiet = worked() - before < idle.milliseconds ? quiet + 1 : 0;
  }
}
