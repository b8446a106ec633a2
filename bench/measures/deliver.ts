import { randomBytes } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import pMap from "p-map";
import type { ApiSet } from "../../core/account/api-set.ts";
import { mostCardsOfMessage } from "../../core/delivery/outgoing-messages.ts";
import { chunks } from "../../core/store/chunks.ts";
import { scorecardTable } from "../../core/store/scorecards.ts";
import { settings } from "../../lib/settings.ts";
import { drainBacklog, fillBacklog, postCards } from "../backlog.ts";
import { recorded, replay } from "../bare-requests.ts";
import type { BenchRow } from "../bench-row.ts";
import { median, milliseconds } from "../median.ts";
import { type PlayedCard, playedCards } from "../played-cards.ts";
import { type Bench, startPipelines } from "../start-pipelines.ts";
import { requestsOfDelivery } from "../tutorial-pipeline/concurrency.ts";

const cardsWaiting = 10_000;
const rounds = 3;
/** Enough that every environment has had some batches: the compiler works in the first ones. */
const cardsOfWarmUp = 5_000;
const { postSize, maximumConcurrency } = settings.test.delivery;

/** Draining a backlog, against the bare posts of the same arrays and against what a tutorial builds. */
export async function run(): Promise<BenchRow[]> {
  const bench = await startPipelines();
  try {
    const warmUp = await drain(bench, "warm-up", cardsOfWarmUp);
    await posts(bench, warmUp.cards);
    const times: DrainTimes[] = [];
    for (let round = 0; round < rounds; round++) times.push(await timesOf(bench, `deliver-${round}`));
    const settled = (of: keyof DrainTimes) => median(times.map((round) => round[of]));
    const own = settled("own");
    return [
      { name: `${cardsWaiting} cards, drained`, value: own, unit: "ms" },
      { name: "the same", value: cardsWaiting / (own / 1000), unit: "cards/s" },
      { name: "the bare posts of the same arrays", value: settled("posts"), unit: "ms" },
      { name: "the table writes they need", value: settled("writes"), unit: "ms" },
      { name: "the writes of a record of each card", value: settled("singleWrites"), unit: "ms" },
      { name: "the tutorial's pipeline", value: settled("plain"), unit: "ms" },
      {
        name: "against bare posts and table writes",
        value: own / (settled("posts") + settled("writes")),
        unit: "x",
        bar: 1.5,
      },
      {
        name: "against bare posts and a record of each card",
        value: own / (settled("posts") + settled("singleWrites")),
        unit: "x",
      },
      { name: "cards a second against the tutorial", value: settled("plain") / own, unit: "x", atLeast: 5 },
    ];
  } finally {
    await bench.stop();
  }
}

/** Milliseconds that the same cards take. */
interface DrainTimes {
  readonly own: number;
  readonly posts: number;
  readonly writes: number;
  /** The writes that a card's own record would take, without parcels. */
  readonly singleWrites: number;
  readonly plain: number;
}

async function timesOf(bench: Bench, name: string): Promise<DrainTimes> {
  const { cards, ours, tutorial } = await drain(bench, name, cardsWaiting);
  const { parcels, deliveries } = await tableWrites(bench, cards);
  return {
    own: ours,
    plain: tutorial,
    posts: await milliseconds(() => posts(bench, cards)),
    writes: await milliseconds(() => replay([parcels], requestsOfDelivery)),
    singleWrites: await milliseconds(() => replay([deliveries], requestsOfDelivery)),
  };
}

/** Has the same cards wait in both queues, and lets one drain after the other. */
async function drain({ ours, tutorial, union, authorization, apiSet }: Bench, name: string, count: number) {
  const played = playedCards(union, name, count);
  const cards = await fillBacklog(ours, `/${apiSet}/ScorecardExchange`, authorization, played);
  // The tutorial's pipeline derives nothing: it is given the cards that ours made of them.
  await fillBacklog(tutorial, "/cards", authorization, cards);
  return { cards, ours: await drainBacklog(ours), tutorial: await drainBacklog(tutorial) };
}

/** Posts the cards to the union in the pipeline's arrays, as many at once as it has environments. */
async function posts(bench: Bench, cards: readonly PlayedCard[]): Promise<void> {
  const address = `${bench.union.address}/${bench.apiSet}/${settings.test.exchangePath}`;
  const arrays = Array.from({ length: Math.ceil(cards.length / postSize) }, (_, array) =>
    cards.slice(array * postSize, (array + 1) * postSize),
  );
  await pMap(arrays, (array) => postCards(address, bench.authorization, array), {
    concurrency: maximumConcurrency,
  });
}

/** As long as a hash, and as little to be packed. */
const randomRevision = () => randomBytes(32).toString("base64url");

/** The writes of outcomes: of whole parcels, as the pipeline makes them, and of each card by itself. */
async function tableWrites({ ours, apiSet: name }: Bench, cards: readonly PlayedCard[]) {
  const apiSet = name as ApiSet;
  const since = Date.now();
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const { client, requests } = recorded(
    new DynamoDBClient({ endpoint: ours.dynamodb, region: ours.region, credentials }),
  );
  const table = scorecardTable(ours.cardTable, client);
  const outcomes = cards.map(({ ExternalID }) => ({ externalId: ExternalID, revision: randomRevision() }));
  await table.putParcels(
    chunks(outcomes, mostCardsOfMessage).map((together, parcel) => ({
      apiSet,
      parcel: `parcel-${parcel}`.padEnd(22),
      cards: together,
      since,
    })),
  );
  const parcels = requests.splice(0);
  await table.putDeliveries(
    outcomes.map((outcome) => ({
      ...outcome,
      apiSet,
      state: "delivered",
      attempts: 1,
      aloneFailures: 0,
      since,
    })),
  );
  return { parcels, deliveries: requests };
}
