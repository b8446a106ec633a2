import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { ApiSet } from "../../core/accounts/account.ts";
import { contentOf } from "../../core/cards/card-content.ts";
import { sendWakeUps } from "../../core/cards/delivery/queue.ts";
import { postTiming } from "../../core/cards/delivery/timing.ts";
import { createFirstWakeUp, planCard, type VersionChange } from "../../core/cards/plan.ts";
import { scorecardTable } from "../../core/cards/scorecard-table.ts";
import { settings } from "../../lib/settings.ts";
import { postBody } from "../backlog.ts";
import { recorded, replay } from "../bare-requests.ts";
import type { BenchRow } from "../bench-row.ts";
import { holdDelivery } from "../hold-delivery.ts";
import { median, milliseconds } from "../median.ts";
import type { PlayedCard } from "../played-cards.ts";
import { type Bench, type BenchOptions, startPipelines } from "../start-pipelines.ts";
import { requestsOfSubmission } from "../tutorial-pipeline/concurrency.ts";

const rounds = { 1: 41, 100: 31, 1000: 15 } as const;
/** As many cards as an environment sees in the first minutes of a busy day: the compiler works in them. */
const roundsOfWarmUp = 10;
type Size = keyof typeof rounds;
/** The least time that DynamoDB and SQS take to answer within a region. */
const engineMilliseconds = 5;
const credentials = { accessKeyId: "local", secretAccessKey: "local" };

/** Submitting over HTTP, against the bare requests that it comes to and against what a tutorial builds. */
export async function run(): Promise<BenchRow[]> {
  const near = await measured({}, async (bench) => {
    const rows: BenchRow[] = [];
    for (const size of [1, 100, 1000] as const) rows.push(...rowsOf(size, await submissionsOf(bench, size)));
    return rows;
  });
  const far = await measured({ engineMilliseconds }, async (bench) => {
    const rows: BenchRow[] = [];
    for (const size of [100, 1000] as const) rows.push(...farRowsOf(size, await submissionsOf(bench, size)));
    return rows;
  });
  return [...near, ...far];
}

async function measured(
  options: BenchOptions,
  measure: (bench: Bench) => Promise<BenchRow[]>,
): Promise<BenchRow[]> {
  const bench = await startPipelines(options);
  try {
    await holdDelivery(bench.ours);
    await holdDelivery(bench.tutorial);
    for (let round = 0; round < roundsOfWarmUp; round++) await roundOf(bench, `warm-up-${round}`, 1000);
    return await measure(bench);
  } finally {
    await bench.stop();
  }
}

/** Milliseconds that a submission takes. */
interface SubmissionTimes {
  readonly own: number;
  readonly floor: number;
  readonly plain: number;
}

async function submissionsOf(bench: Bench, size: Size): Promise<SubmissionTimes> {
  const times: SubmissionTimes[] = [];
  for (let round = 0; round < rounds[size]; round++) {
    times.push(await roundOf(bench, `s${size}-${round}`, size));
  }
  const settled = (of: keyof SubmissionTimes) =>
    median(times.slice(times.length >> 2).map((round) => round[of]));
  return { own: settled("own"), floor: settled("floor"), plain: settled("plain") };
}

async function roundOf(bench: Bench, name: string, size: Size): Promise<SubmissionTimes> {
  const { ours, tutorial, authorization, apiSet, nextCards } = bench;
  const body = JSON.stringify(nextCards(name, size));
  let answered = "";
  const own = await milliseconds(async () => {
    answered = await postBody(`${ours.api}/${apiSet}/ScorecardExchange`, authorization, body);
  });
  const bare = await bareRequests(bench, JSON.parse(answered));
  return {
    own,
    floor: await milliseconds(() => replay(bare, requestsOfSubmission)),
    plain: await milliseconds(() => postBody(`${tutorial.api}/cards`, authorization, body)),
  };
}

function rowsOf(size: Size, { own, floor, plain }: SubmissionTimes): BenchRow[] {
  const cardsInWords = size === 1 ? "1 card" : `${size} cards`;
  return [
    { name: `${cardsInWords}, submitted`, value: own, unit: "ms" },
    { name: `${cardsInWords}, the bare requests`, value: floor, unit: "ms" },
    { name: `${cardsInWords}, the tutorial's pipeline`, value: plain, unit: "ms" },
    {
      name: `${cardsInWords}, against the bare requests`,
      value: own / floor,
      unit: "x",
      ...(size > 1 && { bar: 1.4 }),
    },
    {
      name: `${cardsInWords}, cards a second against the tutorial`,
      value: plain / own,
      unit: "x",
      ...(size > 1 && { atLeast: 3 }),
    },
  ];
}

/** The same with DynamoDB and SQS as far away as they are in a region. */
function farRowsOf(size: Size, { own, floor, plain }: SubmissionTimes): BenchRow[] {
  const name = `${size} cards, engines ${engineMilliseconds} ms away`;
  return [
    { name: `${name}, submitted`, value: own, unit: "ms" },
    { name: `${name}, against the bare requests`, value: own / floor, unit: "x" },
    { name: `${name}, cards a second against the tutorial`, value: plain / own, unit: "x" },
  ];
}

/** What a submission asks of DynamoDB and SQS, and nothing else: the same for cards of other names. */
async function bareRequests({ ours, apiSet: name }: Bench, cards: readonly PlayedCard[]) {
  const apiSet = name as ApiSet;
  const at = (endpoint: string) => ({ endpoint, region: ours.region, credentials });
  const dynamodb = recorded(new DynamoDBClient(at(ours.dynamodb)));
  const sqs = recorded(new SQSClient(at(ours.sqs)));
  const table = scorecardTable(ours.cardTable, dynamodb.client);
  const now = Date.now();
  const acceptance = {
    now,
    requestId: randomUUID(),
    timing: postTiming(settings.test.delivery.postTimeoutSeconds),
  };
  const keys = cards.map(({ ExternalID }) => ({ apiSet, externalId: `${ExternalID}-bare` }));
  const changes = cards.map((card, index): VersionChange => {
    const key = keys[index] ?? { apiSet, externalId: "" };
    const plan = planCard(
      key,
      { index, externalId: key.externalId, contentHash: "x".repeat(43), content: contentOf(card) },
      undefined,
      acceptance,
    );
    if (plan.kind !== "change") throw new Error("A card that is not stored is new.");
    return plan.change;
  });
  await table.read(keys);
  const read = dynamodb.requests.splice(0);
  await sendWakeUps(
    sqs.client,
    ours.queueUrl,
    changes.map((change) => createFirstWakeUp(change)),
  );
  await table.write(changes);
  return [read, sqs.requests, dynamodb.requests];
}
