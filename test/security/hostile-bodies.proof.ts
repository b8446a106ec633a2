import { expect, test } from "vitest";
import { providePipeline, sharedPipelineWithNewVendors } from "../end-to-end/pipeline.ts";
import { sendHostileBodies } from "./hostile-bodies.ts";

const pipeline = await providePipeline(sharedPipelineWithNewVendors);

test("hostile bodies of up to ten megabytes are answered within two seconds and a megabyte, and never by 5xx", async () => {
  const answers = await sendHostileBodies(pipeline, [10_000, 100_000, 1_000_000, 5_000_000, 10_000_000]);
  const slowest = Math.max(...answers.map(({ milliseconds }) => milliseconds));
  console.log(`${answers.length} hostile bodies, each answered in ${slowest} ms or less`);
  const wrong = answers.filter(
    ({ status, milliseconds, bytes }) => status >= 500 || milliseconds > 2_000 || bytes > 1_000_000,
  );
  expect(wrong).toEqual([]);
}, 600_000);
