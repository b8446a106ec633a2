import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createClient, type Scorecard } from "@scorecard-pipeline/scorecards-client";
import { demoAccounts } from "@scorecard-pipeline/stand-in";
import pMap from "p-map";
import { chunks } from "../../core/formats/chunks.ts";
import type { BenchRow } from "../bench-row.ts";
import { holdDelivery } from "../hold-delivery.ts";
import { median, milliseconds } from "../median.ts";
import type { PlayedCard } from "../played-cards.ts";
import { type Bench, startPipelines } from "../start-pipelines.ts";

const cards = 10_000;
const pipelines = 3;
const pairsOfPipeline = 5;
/** What a vendor's own code would send, and what the client sends by default. */
const cardsOfRequest = 1_000;
const parallel = 4;

/** How long the same number of cards took, in milliseconds. */
interface Took {
  readonly elapsed: number;
  /** Of this process, which is the vendor's side. */
  readonly processor: number;
}

/** The same number of cards, one way after the other. */
interface Pair {
  readonly client: Took;
  readonly fetch: Took;
}

/** Submitting through the client package, against `fetch` with the same cards in the same requests. */
export async function run(): Promise<BenchRow[]> {
  const pairs: Pair[] = [];
  for (let pipeline = 0; pipeline < pipelines; pipeline += 1) {
    pairs.push(...(await measurePairs(pipeline % 2 === 0)));
  }
  const middle = (of: (pair: Pair) => number) => median(pairs.map(of));
  return [
    {
      name: "10,000 cards, through the client",
      value: middle(({ client }) => client.elapsed),
      unit: "ms",
    },
    { name: "10,000 cards, by fetch", value: middle((pair) => pair.fetch.elapsed), unit: "ms" },
    {
      name: "10,000 cards, cards a second against fetch",
      value: middle((pair) => pair.fetch.elapsed / pair.client.elapsed),
      unit: "x",
      atLeast: 0.95,
    },
    {
      name: "10,000 cards, processor time of the vendor's side, through the client",
      value: middle(({ client }) => client.processor),
      unit: "ms",
    },
    {
      name: "10,000 cards, processor time of the vendor's side, by fetch",
      value: middle((pair) => pair.fetch.processor),
      unit: "ms",
    },
  ];
}

/**
 * Measures on a pipeline of its own: the embedded engines keep all in memory, and the more there is, the more their times vary.
 *
 * @param clientFirst which way comes first in the first pair; they take turns, since whatever comes first is slower
 */
async function measurePairs(clientFirst: boolean): Promise<Pair[]> {
  const bench = await startPipelines();
  try {
    await holdDelivery(bench.ours);
    let submitted = 0;
    const submit = async (way: typeof submitByClient): Promise<Took> => {
      const played = bench.nextCards(`c${submitted}`, cards);
      submitted += cards;
      // Neither pays for what the other left behind.
      collectGarbage();
      const before = process.cpuUsage();
      const elapsed = await milliseconds(() => way(bench, played));
      const { user, system } = process.cpuUsage(before);
      await untilCounted(bench, submitted);
      return { elapsed, processor: (user + system) / 1_000 };
    };
    const measure = async (isClientFirst: boolean): Promise<Pair> => {
      if (isClientFirst) return { client: await submit(submitByClient), fetch: await submit(submitByFetch) };
      const fetched = await submit(submitByFetch);
      return { client: await submit(submitByClient), fetch: fetched };
    };
    // The first pair warms the pipeline and this process up.
    await measure(clientFirst);
    const pairs: Pair[] = [];
    for (let pair = 0; pair < pairsOfPipeline; pair += 1) {
      pairs.push(await measure((pair % 2 === 0) === clientFirst));
    }
    return pairs;
  } finally {
    await bench.stop();
  }
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

/** Waits until the pipeline has counted this many cards, which it does after its answers. */
async function untilCounted({ ours, apiSet, authorization }: Bench, expected: number): Promise<void> {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  for (let accepted = -1; accepted < expected; await setTimeout(100)) {
    const response = await fetch(`${ours.api}/${apiSet}/Activity?from=${yesterday}`, {
      headers: { Authorization: authorization },
    });
    accepted = ((await response.json()) as { totals: { accepted: number } }).totals.accepted;
  }
}

async function submitByClient({ ours }: Bench, of: readonly PlayedCard[]): Promise<void> {
  const [vendor] = demoAccounts;
  if (vendor === undefined) throw new Error("There is no demo account.");
  const client = createClient({ api: ours.api, ...vendor });
  const entries = await client.submit(of as unknown as Scorecard[]);
  expectAccepted(entries, of.length);
}

async function submitByFetch(
  { ours, apiSet, authorization }: Bench,
  of: readonly PlayedCard[],
): Promise<void> {
  const answers = await pMap(
    chunks(of, cardsOfRequest),
    async (part) => {
      const response = await fetch(`${ours.api}/${apiSet}/ScorecardExchange`, {
        method: "POST",
        headers: {
          Authorization: authorization,
          "Content-Type": "application/json",
          Prefer: "handling=lenient",
        },
        body: JSON.stringify(part),
      });
      return (await response.json()) as { status: number }[];
    },
    { concurrency: parallel },
  );
  expectAccepted(answers.flat(), of.length);
}

function expectAccepted(entries: readonly { readonly status: number }[], expected: number): void {
  const accepted = entries.filter(({ status }) => status === 201).length;
  if (accepted !== expected) throw new Error(`Only ${accepted} of ${expected} cards were accepted.`);
}
