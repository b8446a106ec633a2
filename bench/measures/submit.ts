import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { ApiSet } from "../../core/accounts/account.ts";
import { type PlannedChange, planCard } from "../../core/cards/delivery/plan.ts";
import { sendWakeUps } from "../../core/cards/delivery/queue.ts";
import { scorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import { postTiming } from "../../core/cards/delivery/timing.ts";
import { contentOf } from "../../core/cards/life/card-content.ts";
import { settings } from "../../lib/settings.ts";
import { postBody } from "../backlog.ts";
import { recorded, replay } from "../bare-requests.ts";
import type { BenchRow } from "../bench-row.ts";
import { holdDelivery } from "../hold-delivery.ts";
import { median, milliseconds } from "../median.ts";
import type { PlayedCard } from "../played-cards.ts";
import { type Bench, startPipelines } from "../start-pipelines.ts";

const rounds = { 1: 41, 100: 31, 1000: 15 } as const;
/** As many cards as an environment sees in the first minutes of a busy day: the compiler works in them. */
const roundsOfWarmUp = 10;
type Size = keyof typeof rounds;
/** Bare requests under way at once: as many as the pipeline's own at the most. */
const parallelRequests = 20;
const credentials = { accessKeyId: "local", secretAccessKey: "local" };

/** Submitting over HTTP, against the bare requests that it comes to. */
export async function run(): Promise<BenchRow[]> {
  const bench = await startPipelines();
  try {
    await holdDelivery(bench.ours);
    for (let round = 0; round < roundsOfWarmUp; round++) await roundOf(bench, `warm-up-${round}`, 1000);
    const rows: BenchRow[] = [];
    for (const size of [1, 100, 1000] as const)
      rows.push(...toRows(size, await measureSubmissions(bench, size)));
    return rows;
  } finally {
    await bench.stop();
  }
}

/** Milliseconds that a submission takes. */
interface SubmissionTimes {
  readonly own: number;
  readonly floor: number;
}

async function measureSubmissions(bench: Bench, size: Size): Promise<SubmissionTimes> {
  const times: SubmissionTimes[] = [];
  for (let round = 0; round < rounds[size]; round++) {
    times.push(await roundOf(bench, `s${size}-${round}`, size));
  }
  const settled = (of: keyof SubmissionTimes) =>
    median(times.slice(times.length >> 2).map((round) => round[of]));
  return { own: settled("own"), floor: settled("floor") };
}

async function roundOf(bench: Bench, name: string, size: Size): Promise<SubmissionTimes> {
  const { ours, authorization, apiSet, nextCards } = bench;
  const body = JSON.stringify(nextCards(name, size));
  let answered = "";
  const own = await milliseconds(async () => {
    answered = await postBody(`${ours.api}/${apiSet}/ScorecardExchange`, authorization, body);
  });
  const bare = await bareRequests(bench, JSON.parse(answered));
  return {
    own,
    floor: await milliseconds(() => replay(bare, parallelRequests)),
  };
}

function toRows(size: Size, { own, floor }: SubmissionTimes): BenchRow[] {
  const cardsInWords = size === 1 ? "1 card" : `${size} cards`;
  return [
    { name: `${cardsInWords}, submitted`, value: own, unit: "ms" },
    { name: `${cardsInWords}, the bare requests`, value: floor, unit: "ms" },
    {
      name: `${cardsInWords}, against the bare requests`,
      value: own / floor,
      unit: "x",
      ...(size > 1 && { bar: 1.4 }),
    },
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
    timing: postTiming(settings.test.timing.post),
  };
  const keys = cards.map(({ ExternalID }) => ({ apiSet, externalId: `${ExternalID}-bare` }));
  const planned = cards.map((card, index): PlannedChange => {
    const key = keys[index] ?? { apiSet, externalId: "" };
    const plan = planCard(
      key,
      { index, externalId: key.externalId, contentHash: "x".repeat(43), content: contentOf(card) },
      undefined,
      acceptance,
    );
    if (plan.kind !== "change") throw new Error("A card that is not stored is new.");
    return plan;
  });
  await table.read(keys);
  const read = dynamodb.requests.splice(0);
  await sendWakeUps(
    sqs.client,
    ours.queueUrl,
    planned.flatMap(({ wakeUps }) => wakeUps),
  );
  await table.write(planned.map(({ change }) => change));
  return [read, sqs.requests, dynamodb.requests];
}
