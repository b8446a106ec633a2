import { afterAll, beforeAll, expect, test } from "vitest";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { hurried } from "../hurried-settings.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { type Pipeline, startPipeline } from "./pipeline.ts";

let pipeline: Pipeline;

beforeAll(async () => {
  const assembly = await assemblyOf({ ...hurried, rollout: "canary" });
  pipeline = await startPipeline({ assembly });
});
afterAll(() => pipeline?.stop());

test("a stage whose functions are behind aliases runs here as it is, with one version that has all invocations", async () => {
  const vendor = pipeline.vendor(0);
  const { status } = await vendor.submit([minimalCard(pipeline.standIn, { ExternalID: "behind an alias" })]);
  expect(status).toBe(201);
  await expect.poll(() => vendor.states(["behind an alias"])).toEqual(["delivered"]);
  expect((await vendor.submit([minimalCard(pipeline.standIn, { ExternalID: "" })])).status).toBe(422);
});
