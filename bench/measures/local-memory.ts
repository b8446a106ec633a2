import { readFileSync } from "node:fs";
import pMap from "p-map";
import { awaitArrivals } from "../arrivals.ts";
import { postCards } from "../backlog.ts";
import type { BenchRow } from "../bench-row.ts";
import { startPipelines } from "../start-pipelines.ts";

const cards = 10_000;
const patience = 300_000;
const mostMegabytes = { inArrays: 950, singly: 1_100 };

/** The most memory that the local run takes for ten thousand cards, in arrays and singly; on Linux only. */
export async function run(): Promise<BenchRow[]> {
  return [
    {
      name: "peak memory, in arrays of 100",
      value: await peakOf(100, 5),
      unit: "MB",
      bar: mostMegabytes.inArrays,
    },
    {
      name: "peak memory, singly, 50 at once",
      value: await peakOf(1, 50),
      unit: "MB",
      bar: mostMegabytes.singly,
    },
  ];
}

async function peakOf(cardsOfSubmission: number, parallelRequests: number): Promise<number> {
  const bench = await startPipelines();
  try {
    const { ours, union, authorization, apiSet, nextCards } = bench;
    const played = nextCards("memory", cards);
    const submissions = Array.from({ length: cards / cardsOfSubmission }, (_, n) =>
      played.slice(n * cardsOfSubmission, (n + 1) * cardsOfSubmission),
    );
    const address = `${ours.api}/${apiSet}/ScorecardExchange`;
    await pMap(submissions, (some) => postCards(address, authorization, some), {
      concurrency: parallelRequests,
    });
    await awaitArrivals(
      union.control,
      played.map(({ ExternalID }) => ExternalID),
      patience,
    );
    return peakMegabytes(ours.pid);
  } finally {
    await bench.stop();
  }
}

/** @see proc(5), VmHWM: the peak resident set size */
function peakMegabytes(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1000;
}
