import { afterAll, beforeAll, expect, test } from "vitest";
import { type Pipeline, sharedPipelineWithNewVendors } from "../end-to-end/pipeline.ts";
import { sendHostileBodies } from "./hostile-bodies.ts";

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await sharedPipelineWithNewVendors();
});
afterAll(() => pipeline?.stop());

test("hostile bodies of up to ten megabytes are answered within two seconds and a megabyte, and never by 5xx", async () => {
  const answers = await sendHostileBodies(pipeline, [10_000, 100_000, 1_000_000, 10_000_000]);
  console.log(`${answers.length} hostile bodies`);
  /** What API Gateway refuses by itself takes the local run as long as it takes to read it. */
  const allowed = (shape: string) => (shape.endsWith(", 10000000") ? 10_000 : 2_000);
  const wrong = answers.filter(
    ({ shape, status, milliseconds, bytes }) =>
      status >= 500 || milliseconds > allowed(shape) || bytes > 1_000_000,
  );
  expect(wrong).toEqual([]);
}, 600_000);
