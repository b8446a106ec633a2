import {
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settings } from "../../lib/settings.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { type Pipeline, sharedPipelineWithNewVendors } from "./pipeline.ts";

let pipeline: Pipeline;
let lambda: LambdaClient;

beforeAll(async () => {
  pipeline = await sharedPipelineWithNewVendors();
  const { run } = pipeline.machine;
  lambda = new LambdaClient({ endpoint: run.lambda, region: run.region, credentials: localCredentials });
});
afterAll(async () => {
  await deliver(true);
  lambda.destroy();
  await pipeline.stop();
});

/** Enables or disables what invokes functions with messages of the delivery queue. */
async function deliver(Enabled: boolean): Promise<void> {
  const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
  const found = EventSourceMappings.filter(({ EventSourceArn }) => EventSourceArn?.includes("DeliveryQueue"));
  expect(found).toHaveLength(1);
  for (const { UUID } of found) await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
}

test("cards that were submitted one by one and wait share posts of more cards than a batch has messages", async () => {
  const vendor = pipeline.vendor(0);
  const { batchSize, postSize } = settings.test.delivery;
  const ids = Array.from({ length: 4 * postSize }, (_, n) => `single-${n}`);
  const logged = pipeline.logs.length;
  const received = () =>
    pipeline.standIn.received
      .filter(({ apiSet }) => apiSet === vendor.account.apiSet)
      .map(({ card }) => (card as { ExternalID: string }).ExternalID);
  await deliver(false);
  for (const ExternalID of ids) {
    expect((await vendor.submit([minimalCard(pipeline.standIn, { ExternalID })])).status).toBe(201);
  }
  expect(received()).toEqual([]);
  await deliver(true);
  for (let first = 0; first < ids.length; first += 100) {
    const some = ids.slice(first, first + 100);
    await expect.poll(() => vendor.states(some)).toEqual(some.map(() => "delivered"));
  }
  // A run that is killed on a busy machine has its cards posted again.
  expect(new Set(received())).toEqual(new Set(ids));
  const sizes = pipeline.logs
    .slice(logged)
    .filter((line) => line.includes("posted to the exchange"))
    .map((line) => JSON.parse(line.slice(line.indexOf("{"))).cards as number);
  expect(Math.max(...sizes)).toBeGreaterThan(batchSize);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(postSize);
});
