import { afterAll, beforeAll, expect, test } from "vitest";
import { type Pipeline, sharedPipelineWithNewVendors } from "../end-to-end/pipeline.ts";
import { sendHostileBodies } from "./hostile-bodies.ts";

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await sharedPipelineWithNewVendors();
});
afterAll(() => pipeline?.stop());

test("a hostile body is refused at every operation, and quickly, in less than a megabyte", async () => {
  const answers = await sendHostileBodies(pipeline, [300_000]);
  console.log(`${answers.length} hostile bodies`);
  expect(answers.length).toBeGreaterThan(100);
  const wrong = answers.filter(
    ({ status, milliseconds, bytes }) => status >= 500 || milliseconds > 10_000 || bytes > 1_000_000,
  );
  expect(wrong).toEqual([]);
});
