import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const app = fileURLToPath(new URL("../../bin/scorecard-pipeline.ts", import.meta.url));

test("an unknown stage is refused with an error that names the known ones", async () => {
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ stage: "nope" }) };
  await expect(promisify(execFile)(process.execPath, [app], { env })).rejects.toMatchObject({
    code: 1,
    stderr: "There is no stage nope. Choose test or production, or leave it out for both.\n",
  });
}, 60_000);

test("production is refused as long as it has placeholders, with what to set and where", async () => {
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ stage: "production" }) };
  const refusal = await promisify(execFile)(process.execPath, [app], { env }).catch(
    (error: unknown) => error,
  );
  expect(refusal).toMatchObject({ code: 1, stderr: expect.stringContaining("lib/settings.ts") });
  for (const setting of ["union.baseAddress", "alarms.runbook", "alarms.address", "monthlyBudgetUsDollars"]) {
    expect(refusal).toMatchObject({ stderr: expect.stringContaining(`${setting}: `) });
  }
}, 60_000);
