import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { minimalCard } from "../../../local/pipeline/minimal-card.ts";
import { startEndpoint, type VendorEndpoint } from "../../../local/pipeline/webhook-endpoint.ts";
import { type FaultyPipeline, startFaultyPipeline } from "./faulty-pipeline.ts";

vi.setConfig({ testTimeout: 300_000 });

const vendors = ["throttled", "calm"] as const;
let pipeline: FaultyPipeline;
let endpoints: Record<(typeof vendors)[number], VendorEndpoint>;
let isThrottled = true;
let refusals = 0;

beforeAll(async () => {
  pipeline = await startFaultyPipeline({ assembly: inject("assembly"), vendors, seed: 4 });
  endpoints = { throttled: await startEndpoint(), calm: await startEndpoint() };
  for (const name of vendors) {
    const body = JSON.stringify({ url: endpoints[name].url });
    expect((await pipeline.vendor(name).ask("POST", "Webhooks", body)).status).toBe(201);
  }
  pipeline.dynamodb.interfere = ({ operation, body }) => {
    // Counts and lists of one vendor: its partition key in the table of activity.
    const isWrite = operation === "UpdateItem" || operation === "BatchWriteItem";
    if (!isThrottled || !isWrite || !body.includes('"apiSet":{"S":"throttled"}')) return undefined;
    refusals++;
    return { kind: "refuse", error: "ProvisionedThroughputExceededException" };
  };
});
afterAll(async () => {
  for (const endpoint of Object.values(endpoints ?? {})) endpoint.stop();
  await pipeline?.stop();
});

const submit = async (name: string, externalIds: readonly string[]) => {
  const cards = externalIds.map((ExternalID) => minimalCard(pipeline.standIn, { ExternalID }));
  expect((await pipeline.vendor(name).submit(cards)).status).toBe(201);
};
const counted = async (name: string) => {
  const { accepted, delivered } = (await pipeline.vendor(name).ask("GET", "Activity")).body.totals;
  return { accepted, delivered };
};
const listed = async (name: string): Promise<string[]> => {
  const today = (await pipeline.vendor(name).ask("GET", "Activity")).body.to;
  const { body } = await pipeline.vendor(name).ask("GET", `ScorecardExchange?from=${today}`);
  return body.cards.map(({ externalId }: { externalId: string }) => externalId).toSorted();
};
/** Every delivered card, as often as it was told. */
const told = (name: (typeof vendors)[number]): string[] =>
  endpoints[name].received
    .map(({ body }) => JSON.parse(body))
    .filter(({ type }) => type === "scorecard.delivered")
    .flatMap(({ data }) => data.cards as { externalId: string }[])
    .map(({ externalId }) => externalId)
    .toSorted();

test("a vendor whose partition key is throttled delays no other and no webhook, and every webhook comes once", async () => {
  const names = Array.from({ length: 4 }, (_, round) =>
    Array.from({ length: 5 }, (_, card) => `${round}-${card}`),
  );
  for (const [round, some] of names.entries()) {
    for (const name of vendors) await submit(name, some);
    const soFar = names.slice(0, round + 1).flat();
    const counts = { accepted: soFar.length, delivered: soFar.length };
    await expect.poll(() => counted("calm")).toEqual(counts);
    for (const name of vendors) await expect.poll(() => told(name)).toEqual(soFar.toSorted());
    expect(await listed("calm")).toEqual(soFar.toSorted());
  }
  expect(refusals).toBeGreaterThan(0);
  expect(await counted("throttled")).toEqual({ accepted: 0, delivered: 0 });

  isThrottled = false;
  const all = names.flat().toSorted();
  const calm = [...all];
  // Late work is done by a run after its pause, and a run needs a change: another vendor's is enough.
  const countedAfterAnother = async () => {
    const another = `after-${calm.length}`;
    await submit("calm", [another]);
    calm.push(another);
    return counted("throttled");
  };
  await expect
    .poll(countedAfterAnother, { timeout: 200_000, interval: 1_000 })
    .toEqual({ accepted: all.length, delivered: all.length });
  await expect.poll(() => listed("throttled")).toEqual(all);
  await expect.poll(() => told("calm")).toEqual(calm.toSorted());
  expect(told("throttled")).toEqual(all);
});
