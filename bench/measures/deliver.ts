import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import pMap from "p-map";
import type { ApiSet } from "../../core/accounts/account.ts";
import { scorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import { State } from "../../core/cards/life/states.ts";
import { chunks } from "../../core/formats/chunks.ts";
import { settings } from "../../lib/settings.ts";
import { postSize } from "../../lib/stage-timing.ts";
import { drainBacklog, fillBacklog, postCards } from "../backlog.ts";
import { recorded, replay } from "../bare-requests.ts";
import type { BenchRow } from "../bench-row.ts";
import { median, milliseconds } from "../median.ts";
import type { PlayedCard } from "../played-cards.ts";
import { type Bench, startPipelines } from "../start-pipelines.ts";

const cardsWaiting = 10_000;
const rounds = 3;
/** Enough that every environment has had some batches: the compiler works in the first ones. */
const cardsOfWarmUp = 5_000;
const { maximumConcurrency } = settings.test.delivery;
/** Requests to the table under way at once. */
const parallelRequests = 8;

/** Draining a backlog, against the bare posts of the same arrays and the requests to the table that they need. */
export async function run(): Promise<BenchRow[]> {
  const bench = await startPipelines();
  try {
    const warmUp = await drain(bench, "warm-up", cardsOfWarmUp);
    await posts(bench, warmUp.cards);
    const times: DrainTimes[] = [];
    for (let round = 0; round < rounds; round++) times.push(await measureTimes(bench, `deliver-${round}`));
    const settled = (of: keyof DrainTimes) => median(times.map((round) => round[of]));
    const own = settled("own");
    return [
      { name: `${cardsWaiting} cards, drained`, value: own, unit: "ms" },
      { name: "the same", value: cardsWaiting / (own / 1000), unit: "cards/s" },
      { name: "the bare posts of the same arrays", value: settled("posts"), unit: "ms" },
      { name: "the requests to the table that they need", value: settled("table"), unit: "ms" },
      {
        name: "against bare posts and requests to the table",
        value: own / (settled("posts") + settled("table")),
        unit: "x",
        bar: 1.5,
      },
    ];
  } finally {
    await bench.stop();
  }
}

/** Milliseconds that the same cards take. */
interface DrainTimes {
  readonly own: number;
  readonly posts: number;
  readonly table: number;
}

async function measureTimes(bench: Bench, name: string): Promise<DrainTimes> {
  const { cards, own } = await drain(bench, name, cardsWaiting);
  const requests = await tableRequests(bench, cards);
  return {
    own,
    posts: await milliseconds(() => posts(bench, cards)),
    table: await milliseconds(() => replay([requests], parallelRequests)),
  };
}

/** Has cards wait in the queue, and lets it drain. */
async function drain({ ours, authorization, apiSet, nextCards }: Bench, name: string, count: number) {
  const played = nextCards(name, count);
  const cards = await fillBacklog(ours, `/${apiSet}/ScorecardExchange`, authorization, played);
  return { cards, own: await drainBacklog(ours) };
}

/** Posts the cards to the union in the pipeline's arrays, as many at once as it has environments. */
async function posts(bench: Bench, cards: readonly PlayedCard[]): Promise<void> {
  const address = `${bench.union.address}/${bench.apiSet}/${settings.test.union.exchangePath}`;
  const arrays = Array.from({ length: Math.ceil(cards.length / postSize) }, (_, array) =>
    cards.slice(array * postSize, (array + 1) * postSize),
  );
  await pMap(arrays, (array) => postCards(address, bench.authorization, array), {
    concurrency: maximumConcurrency,
  });
}

/** What delivery asks of the table: it reads each card, and records its outcome. */
async function tableRequests({ ours, apiSet: name }: Bench, cards: readonly PlayedCard[]) {
  const apiSet = name as ApiSet;
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const { client, requests } = recorded(
    new DynamoDBClient({ endpoint: ours.dynamodb, region: ours.region, credentials }),
  );
  const table = scorecardTable(ours.cardTable, client);
  const keys = cards.map(({ ExternalID }) => ({ apiSet, externalId: ExternalID }));
  await table.read(keys);
  const outcome = { since: Date.now(), attempts: 1, nextAttemptAt: undefined, failure: undefined };
  const set = { ...outcome, state: State.delivered, atExchange: 1 } as const;
  // By then the cards are delivered, so that is what has to hold of them.
  const expects = { version: 1, states: [State.delivered] } as const;
  for (const some of chunks(keys, postSize)) await table.write(some.map((key) => ({ ...key, expects, set })));
  return requests;
}
