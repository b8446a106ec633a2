import { setTimeout as delay } from "node:timers/promises";
import pMap from "p-map";
import { arrivalsAt, awaitArrivals } from "../arrivals.ts";
import { postCards } from "../backlog.ts";
import type { BenchRow } from "../bench-row.ts";
import { type Bench, startPipelines } from "../start-pipelines.ts";

const cardsWaiting = 600;
const parallelRequests = 10;
const patience = 10 * 60_000;

/** An outage of the exchange, of a kind and a length. */
interface OutageCase {
  readonly name: string;
  readonly seconds: number;
  readonly kind: "answers 500" | "refuses connections";
  /** Seconds after its end by which the last card must have arrived. */
  readonly lastWithin?: number;
  /** The most posts that may be answered 500. */
  readonly maxPosts?: number;
}

const outages: readonly OutageCase[] = [
  { name: "5 s of 500", seconds: 5, kind: "answers 500" },
  { name: "30 s of 500", seconds: 30, kind: "answers 500", lastWithin: 5, maxPosts: 60 },
  { name: "5 minutes of refused connections", seconds: 300, kind: "refuses connections", lastWithin: 113 },
];

/** How soon after an outage the last of the single cards that waited has arrived, and how often the exchange was asked. */
export async function run(): Promise<BenchRow[]> {
  const bench = await startPipelines();
  try {
    const rows: BenchRow[] = [];
    for (const outage of outages) rows.push(...(await recoverFrom(bench, outage)));
    return rows;
  } finally {
    await bench.stop();
  }
}

async function recoverFrom(bench: Bench, outage: OutageCase): Promise<BenchRow[]> {
  const { ours, union, authorization, apiSet, nextCards } = bench;
  const { name, seconds, kind, lastWithin, maxPosts } = outage;
  const command = (method: string, path: string, body: object) =>
    fetch(`${union.control}${path}`, { method, body: JSON.stringify(body) });
  const posts = async () => {
    const response = await fetch(`${union.control}/requests`);
    return ((await response.json()) as { scorecards: number }).scorecards;
  };

  const cards = nextCards(`recovery-${seconds}`, cardsWaiting);
  const before = await posts();
  const endsAt = Date.now() + seconds * 1000;
  if (kind === "answers 500") await command("PUT", "/faults", { failShare: 1 });
  else await command("POST", "/refuse-connections", { milliseconds: seconds * 1000 });
  await pMap(cards, (card) => postCards(`${ours.api}/${apiSet}/ScorecardExchange`, authorization, [card]), {
    concurrency: parallelRequests,
  });
  await delay(Math.max(0, endsAt - Date.now()));
  const failed = (await posts()) - before;
  if (kind === "answers 500") await command("PUT", "/faults", {});
  const externalIds = cards.map(({ ExternalID }) => ExternalID);
  const arrivals = await awaitArrivals(union.control, externalIds, patience);
  const twice = await postedTwice(union.control, externalIds);
  return [
    {
      name: `${name}: last of ${cardsWaiting} cards after its end`,
      value: (Math.max(...arrivals) - endsAt) / 1000,
      unit: "s",
      ...(lastWithin !== undefined && { bar: lastWithin }),
    },
    {
      name: `${name}: posts in vain`,
      value: failed,
      unit: "",
      ...(maxPosts !== undefined && { bar: maxPosts }),
    },
    { name: `${name}: cards posted twice`, value: twice, unit: "", bar: 0 },
  ];
}

async function postedTwice(control: string, externalIds: readonly string[]): Promise<number> {
  const response = await fetch(`${control}/received`);
  const received = (await response.json()) as { card: { ExternalID: string } }[];
  const known = await arrivalsAt(control);
  const ours = new Set(externalIds);
  const taken = received.filter(({ card }) => ours.has(card.ExternalID));
  return taken.length - externalIds.filter((externalId) => known.has(externalId)).length;
}
