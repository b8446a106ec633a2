import { startDynamoDb } from "@scorecard-pipeline/local-aws/dynamodb";
import { startSqs } from "@scorecard-pipeline/local-aws/sqs";
import pMap from "p-map";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CountedEngine, countedEngine } from "../../bench/counted-engine.ts";
import { settings } from "../../lib/settings.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { variants } from "../../local/pipeline/settings-variants.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { type Pipeline, startPipeline } from "./pipeline.ts";

let pipeline: Pipeline;
let counted: { readonly dynamodb: CountedEngine; readonly sqs: CountedEngine };
let stopEngines: () => Promise<void>;

beforeAll(async () => {
  // The instances that the setting asks for are this machine; check-players has none.
  const capacity = {
    subnetIds: ["subnet-0123abcd"],
    securityGroupIds: ["sg-0123abcd"],
    mostProcessors: 12,
    invocationsAtOnce: 32,
  };
  const assembly = await assemblyOf({ ...variants.local(settings.test), capacity });
  const [dynamodb, sqs] = await Promise.all([startDynamoDb(), startSqs("us-east-1")]);
  counted = { dynamodb: await countedEngine(dynamodb.address), sqs: await countedEngine(sqs.address) };
  stopEngines = async () => {
    counted.dynamodb.stop();
    counted.sqs.stop();
    await Promise.all([dynamodb.stop(), sqs.stop()]);
  };
  pipeline = await startPipeline({
    assembly,
    concurrency: 32,
    dynamodb: counted.dynamodb.address,
    sqs: counted.sqs.address,
  });
});
afterAll(async () => {
  await pipeline.stop();
  await stopEngines();
});

/** The values of a metric in all lines of a function, added up. */
function total(functionName: string, metric: string): number {
  const lines = pipeline.logs.filter(
    (line) => line.startsWith(`${functionName}: {`) && line.includes(metric),
  );
  const values = lines.flatMap((line) => JSON.parse(line.slice(functionName.length + 2))[metric] ?? []);
  return values.reduce((sum: number, value: number) => sum + value, 0);
}

test("cards of two vendors, refused ones among them, go through environments that run many invocations at once", async () => {
  const vendors = [pipeline.vendor(0), pipeline.vendor(1)];
  const cards = Array.from({ length: 200 }, (_, n) => ({
    vendor: vendors[n % 2] as (typeof vendors)[number],
    card: minimalCard(pipeline.standIn, { ExternalID: `many-${n}` }),
    isRefused: n % 20 === 7,
  }));
  await pMap(
    cards,
    async ({ vendor, card, isRefused }) => {
      const { status, body } = await vendor.submit([isRefused ? { ...card, CourseHandicap: "many" } : card]);
      expect(status).toBe(isRefused ? 422 : 201);
      // Each answer is that of its own request.
      expect((isRefused ? body.errors[0].externalId : body[0].ExternalID) as string).toBe(card.ExternalID);
    },
    { concurrency: 50 },
  );
  const accepted = cards.filter(({ isRefused }) => !isRefused);
  for (const vendor of vendors) {
    const own = accepted.filter((one) => one.vendor === vendor).map(({ card }) => card.ExternalID);
    await expect.poll(() => vendor.states(own)).toEqual(own.map(() => "delivered"));
  }
  const received = pipeline.standIn.received.map(
    ({ apiSet, card }) => `${apiSet} ${(card as typeof card & { ExternalID: string }).ExternalID}`,
  );
  const sent = accepted.map(({ vendor, card }) => `${vendor.account.apiSet} ${card.ExternalID}`);
  expect(new Set(received)).toEqual(new Set(sent));
  await expect.poll(() => total("deliver-scorecards", "CardsDelivered")).toBe(accepted.length);
  expect(total("submit-scorecards", "CardsAccepted")).toBe(accepted.length);
  expect(total("submit-scorecards", "CardsRefused")).toBe(cards.length - accepted.length);
});

test("single cards that come at the same time share requests to AWS, and posts", async () => {
  const vendor = pipeline.vendor(0);
  const count = 300;
  const externalIds = Array.from({ length: count }, (_, n) => `shared-${n}`);
  const taken = () => [...counted.dynamodb.taken(), ...counted.sqs.taken()];
  const delivered = () => total("deliver-scorecards", "CardsDelivered");
  const before = { delivered: delivered(), posts: pipeline.standIn.requests.scorecards };
  taken();
  await pMap(
    externalIds,
    async (ExternalID) => {
      const { status } = await vendor.submit([minimalCard(pipeline.standIn, { ExternalID })]);
      expect(status).toBe(201);
    },
    { concurrency: 50 },
  );
  await expect.poll(() => delivered() - before.delivered).toBe(count);
  const requests = taken();
  const each = (operation: string) => requests.filter((one) => one.operation === operation).length / count;
  // Without sharing, each card takes a SendMessageBatch and more than one BatchExecuteStatement of its own.
  expect(each("SendMessageBatch")).toBeLessThan(0.3);
  expect(each("BatchExecuteStatement")).toBeLessThan(0.6);
  expect(each("DeleteMessageBatch")).toBeLessThan(0.3);
  expect((pipeline.standIn.requests.scorecards - before.posts) / count).toBeLessThan(0.15);
});
