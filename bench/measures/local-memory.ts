import { readFileSync } from "node:fs";
import pMap from "p-map";
import { awaitArrivals } from "../arrivals.ts";
import { postCards } from "../backlog.ts";
import type { BenchRow } from "../bench-row.ts";
import { startPipelines } from "../start-pipelines.ts";

const patience = 300_000;

interface Case {
  readonly name: string;
  readonly cards: number;
  readonly cardsOfSubmission: number;
  readonly requestsAtOnce: number;
  readonly maxMegabytes: number;
}

const inArrays = { cardsOfSubmission: 100, requestsAtOnce: 5 };
const singly = { cardsOfSubmission: 1, requestsAtOnce: 50 };
const cases: readonly Case[] = [
  { name: "10,000 cards in arrays of 100", cards: 10_000, ...inArrays, maxMegabytes: 950 },
  { name: "10,000 cards singly, 50 at once", cards: 10_000, ...singly, maxMegabytes: 950 },
  { name: "50,000 cards in arrays of 100", cards: 50_000, ...inArrays, maxMegabytes: 1_400 },
];

/** The most memory that the local run takes, on Linux only. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const each of cases) {
    rows.push({ name: each.name, value: await peakOf(each), unit: "MB", bar: each.maxMegabytes });
  }
  return rows;
}

async function peakOf({ cards, cardsOfSubmission, requestsAtOnce }: Case): Promise<number> {
  const bench = await startPipelines();
  try {
    const { ours, union, authorization, apiSet, nextCards } = bench;
    const played = nextCards("memory", cards);
    const submissions = Array.from({ length: cards / cardsOfSubmission }, (_, n) =>
      played.slice(n * cardsOfSubmission, (n + 1) * cardsOfSubmission),
    );
    const address = `${ours.api}/${apiSet}/ScorecardExchange`;
    await pMap(submissions, (some) => postCards(address, authorization, some), {
      concurrency: requestsAtOnce,
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
