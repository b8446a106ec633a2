import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

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
  for (const setting of ["union.baseAddress", "alarms.runbook", "alarms.address"]) {
    expect(refusal).toMatchObject({ stderr: expect.stringContaining(`${setting}: `) });
  }
}, 60_000);

/** The commands of a page that look at the stack of production, as they are pasted. */
const lookedAt = [...readFileSync("docs/deploy.md", "utf8").matchAll(/^npx (cdk .+allow-placeholders.+)$/gm)];

test("production with placeholders can be looked at without an AWS account, by the commands of docs/deploy.md", async () => {
  const folder = await mkdtemp(join(tmpdir(), "looked-at-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "empty.json"), "{}");
  const assembly = join(folder, "cdk.out");
  const env = { PATH: process.env.PATH, HOME: folder, CDK_HOME: folder, CDK_NOTICES: "false" };
  const paste = async (command: string | undefined, changed: Record<string, string>) => {
    const here = String(command).replace("empty.json", join(folder, "empty.json"));
    const all = { env: { ...env, ...changed } };
    const { stdout, stderr } = await promisify(execFile)("bash", ["-c", `node_modules/.bin/${here}`], all);
    return stdout + stderr;
  };
  const [synth, diff, ...others] = lookedAt.map(([, command]) => command);
  expect([synth, diff, others]).toEqual([
    expect.stringMatching(/^cdk synth/),
    expect.stringMatching(/^cdk diff/),
    [],
  ]);

  await paste(synth, { CDK_OUTPUT: assembly });
  expect(await readdir(assembly)).toContain("scorecard-pipeline-production.template.json");
  // What was just synthesized, because another synthesis would take as long again.
  const differences = await paste(diff, { CDK_APP: assembly });
  expect(differences).toContain("Number of stacks with differences: 1");
  expect(differences).toContain("[+] AWS::Lambda::Function Delivery/deliver-scorecards");
}, 90_000);
