import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  for (const setting of ["unionBaseAddress", "alarms.runbook", "alarms.address"]) {
    expect(refusal).toMatchObject({ stderr: expect.stringContaining(`${setting}: `) });
  }
}, 60_000);

test("production with placeholders is made to be looked at if that is asked for", async () => {
  const outdir = await mkdtemp(join(tmpdir(), "looked-at-"));
  const context = { stage: "production", "allow-placeholders": true };
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: outdir };
  await promisify(execFile)(process.execPath, [app], { env });
  expect(await readdir(outdir)).toContain("scorecard-pipeline-production.template.json");
  await rm(outdir, { recursive: true });
}, 60_000);
