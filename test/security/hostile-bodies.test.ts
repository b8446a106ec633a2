import { expect, test } from "vitest";
import { providePipeline, sharedPipelineWithNewVendors } from "../end-to-end/pipeline.ts";
import { sendHostileBodies } from "./hostile-bodies.ts";

const pipeline = await providePipeline(sharedPipelineWithNewVendors);

test("a hostile body is refused at every operation, and ten times its length has at most fifteen times the answer and the log", async () => {
  const [short, long] = [30_000, 300_000];
  const characters = () => pipeline.logs.reduce((sum, line) => sum + line.length, 0);
  const before = characters();
  const ofShort = await sendHostileBodies(pipeline, [short]);
  const between = characters();
  const ofLong = await sendHostileBodies(pipeline, [long]);
  const after = characters();
  console.log(`${ofShort.length + ofLong.length} hostile bodies`);
  expect(ofLong.length).toBeGreaterThan(100);
  const wrong = ofLong.filter(
    ({ status, bytes }, place) =>
      status >= 500 || bytes > 1_000_000 || bytes > 15 * (ofShort[place]?.bytes ?? 0),
  );
  expect(wrong).toEqual([]);
  // Functions on a schedule log a little, too.
  expect(after - between).toBeLessThan(15 * (between - before) + 20_000);
});
