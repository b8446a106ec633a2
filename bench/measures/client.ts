import pMap from "p-map";
import { createClient, type Scorecard } from "../../client/index.ts";
import { chunks } from "../../core/dynamodb/chunks.ts";
import { demoAccounts } from "../../stand-in/demo-accounts.ts";
import type { BenchRow } from "../bench-row.ts";
import { holdDelivery } from "../hold-delivery.ts";
import { median, milliseconds } from "../median.ts";
import { type PlayedCard, playedCards } from "../played-cards.ts";
import { type Bench, startPipelines } from "../start-pipelines.ts";

const cards = 10_000;
const rounds = 7;
const roundsOfWarmUp = 1;
/** What a vendor's own code would send, and what the client sends by default. */
const cardsOfRequest = 1_000;
const parallel = 4;

/** Submitting through the client package, against `fetch` with the same cards in the same requests. */
export async function run(): Promise<BenchRow[]> {
  const bench = await startPipelines();
  try {
    await holdDelivery(bench.ours);
    const times: { own: number; raw: number }[] = [];
    for (let round = 0; round < rounds + roundsOfWarmUp; round += 1) {
      const own = await milliseconds(() =>
        submitByClient(bench, playedCards(bench.union, `c${round}`, cards)),
      );
      const raw = await milliseconds(() =>
        submitByFetch(bench, playedCards(bench.union, `f${round}`, cards)),
      );
      if (round >= roundsOfWarmUp) times.push({ own, raw });
    }
    const own = median(times.map((round) => round.own));
    const raw = median(times.map((round) => round.raw));
    return [
      { name: "10,000 cards, through the client", value: own, unit: "ms" },
      { name: "10,000 cards, by fetch", value: raw, unit: "ms" },
      {
        name: "10,000 cards, cards a second against fetch",
        value: median(times.map((round) => round.raw / round.own)),
        unit: "x",
        atLeast: 0.95,
      },
    ];
  } finally {
    await bench.stop();
  }
}

async function submitByClient({ ours }: Bench, of: readonly PlayedCard[]): Promise<void> {
  const [vendor] = demoAccounts;
  if (vendor === undefined) throw new Error("There is no demo account.");
  const client = createClient({ api: ours.api, ...vendor });
  const entries = await client.submit(of as unknown as Scorecard[]);
  expectAccepted(entries);
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
  expectAccepted(answers.flat());
}

function expectAccepted(entries: readonly { readonly status: number }[]): void {
  const accepted = entries.filter(({ status }) => status === 201).length;
  if (accepted !== cards) throw new Error(`Only ${accepted} of ${cards} cards were accepted.`);
}
