import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { settings } from "../../lib/settings.ts";
import { startFaultyPipeline } from "../../test/end-to-end/faults/faulty-pipeline.ts";
import { minimalCard } from "../../test/end-to-end/good-card.ts";
import { vendorOf } from "../../test/end-to-end/pipeline.ts";
import { drainBacklog, fillBacklog, postCards } from "../backlog.ts";
import type { BenchRow } from "../bench-row.ts";
import { readUnits, writeUnitCounter } from "../cost/dynamodb-units.ts";
import { sqsRequests } from "../cost/sqs-requests.ts";
import { listPrices } from "../list-prices.ts";
import { median, milliseconds } from "../median.ts";
import { playedCards } from "../played-cards.ts";
import { type Bench, startPipelines } from "../start-pipelines.ts";

const backlogs = [1_000, 10_000, 100_000] as const;
const submissionSizes = [10, 100, 1_000] as const;
const submissionsOfEachSize = 9;
const vendorNumbers = [1, 10, 50] as const;
const cardsOfVendors = 2_000;
const cardsPerSubmission = 40;

/** What a card costs as submissions, backlog and vendors grow tenfold and a hundredfold; clubs are in `mirror`. */
export async function run(): Promise<BenchRow[]> {
  const bench = await startPipelines();
  try {
    await drained(bench, "warm-up", 500);
    return [...(await submissions(bench)), ...(await backlog(bench)), ...(await vendors())];
  } finally {
    await bench.stop();
  }
}

/** Milliseconds a card of taking a backlog of so many cards out of the queue. */
async function drained({ ours, union, authorization, apiSet }: Bench, name: string, count: number) {
  await fillBacklog(ours, `/${apiSet}/ScorecardExchange`, authorization, playedCards(union, name, count));
  return (await drainBacklog(ours)) / count;
}

async function submissions({ ours, union, authorization, apiSet }: Bench): Promise<BenchRow[]> {
  const perCard: number[] = [];
  for (const size of submissionSizes) {
    const times: number[] = [];
    for (let round = 0; round < submissionsOfEachSize; round++) {
      const cards = playedCards(union, `size-${size}-${round}`, size);
      const post = () => postCards(`${ours.api}/${apiSet}/ScorecardExchange`, authorization, cards);
      times.push((await milliseconds(post)) / size);
    }
    perCard.push(median(times));
  }
  return growth("a card of a submission of", submissionSizes, perCard);
}

async function backlog(bench: Bench): Promise<BenchRow[]> {
  const perCard: number[] = [];
  for (const size of backlogs) perCard.push(await drained(bench, `backlog-${size}`, size));
  return growth("a card of a backlog of", backlogs, perCard);
}

async function vendors(): Promise<BenchRow[]> {
  const assembly = mkdtempSync(join(tmpdir(), "scorecard-scale-"));
  const app = new App({ outdir: assembly });
  new PipelineStack(app, "scorecard-pipeline-test", { settings: settings.test });
  app.synth();
  const names = Array.from({ length: Math.max(...vendorNumbers) }, (_, vendor) => `vendor-${vendor}`);
  const pipeline = await startFaultyPipeline({ assembly, vendors: names, seed: 1 });
  let dollars = 0;
  const writeUnits = writeUnitCounter();
  const price = (operation: string, passedOn: string, answered: string) => {
    const request = { operation, sent: JSON.parse(passedOn), answered: JSON.parse(answered || "{}") };
    dollars += writeUnits(request) * listPrices.writeUnit + readUnits(request) * listPrices.readUnit;
    // Polling is the event source's, and does not depend on how many vendors there are.
    if (operation !== "ReceiveMessage") dollars += sqsRequests(request) * listPrices.sqsRequest;
  };
  pipeline.dynamodb.done = price;
  pipeline.sqs.done = price;
  const perMillion: number[] = [];
  try {
    for (const count of vendorNumbers) {
      await pipeline.setDelivery(false);
      dollars = 0;
      for (let start = 0; start < cardsOfVendors; start += cardsPerSubmission) {
        const account = pipeline.accounts[(start / cardsPerSubmission) % count];
        if (account === undefined) throw new Error("There are too few vendors.");
        const cards = Array.from({ length: cardsPerSubmission }, (_, card) =>
          minimalCard(pipeline.standIn, { ExternalID: `of-${count}-${start + card}` }),
        );
        await vendorOf(pipeline.run.api, account).submit(cards);
      }
      const received = pipeline.standIn.received.length;
      await pipeline.setDelivery(true);
      while (pipeline.standIn.received.length < received + cardsOfVendors) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      // The outcomes are recorded and the messages deleted after the exchange's answer.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      perMillion.push((dollars / cardsOfVendors) * 1_000_000);
    }
  } finally {
    await pipeline.stop();
    rmSync(assembly, { recursive: true });
  }
  return growth("a million cards at DynamoDB and SQS, vendors:", vendorNumbers, perMillion, "USD");
}

/** A row for each size, and how much more a card of the largest costs than one of the smallest. */
function growth(name: string, sizes: readonly number[], perCard: readonly number[], unit = "ms"): BenchRow[] {
  const rows = sizes.map((size, at) => ({ name: `${name} ${size}`, value: perCard[at] ?? 0, unit }));
  const ratio = (perCard.at(-1) ?? 0) / (perCard[0] ?? 1);
  return [...rows, { name: "  the largest against the smallest", value: ratio, unit: "x", bar: 1.2 }];
}
