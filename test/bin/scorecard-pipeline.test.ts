import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const app = fileURLToPath(new URL("../../bin/scorecard-pipeline.ts", import.meta.url));

test("a stage that there is none of is refused, with those that there are", async () => {
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ stage: "nope" }) };
  await expect(promisify(execFile)(process.execPath, [app], { env })).rejects.toMatchObject({
    code: 1,
    stderr: "There is no stage nope. Choose test or production, or none for both.\n",
  });
}, 60_000);
