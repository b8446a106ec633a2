import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { synthesize } from "../../local/pipeline/synthesize.ts";

/** The commands of a page that look at the stack of production, as they are pasted. */
const documentedCommands = [
  ...readFileSync("docs/deploy.md", "utf8").matchAll(/^npx (cdk .+allow-placeholders.+)$/gm),
];

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
  const [synth, diff, ...others] = documentedCommands.map(([, command]) => command);
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

test("a local run has the template that the CDK CLI synthesizes, without the CLI's metadata", async () => {
  const folder = await mkdtemp(join(tmpdir(), "synthesized-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [own, cli] = [join(folder, "own"), join(folder, "cli")];
  await synthesize(own);
  const options = ["synth", "--quiet", "--no-notices", "-c", "stage=test", "--output", cli];
  await promisify(execFile)("node_modules/.bin/cdk", options, {
    env: { ...process.env, CDK_VALIDATION: "false" },
  });
  expect(await templateIn(own)).toEqual(await templateIn(cli));
}, 90_000);

async function templateIn(assembly: string): Promise<object> {
  const name = (await readdir(assembly)).find((file) => file.endsWith(".template.json")) ?? "";
  const text = readFileSync(join(assembly, name), "utf8");
  // The name of a deployment has a hash of the API's metadata, too.
  const { Resources, Conditions: _, ...rest } = JSON.parse(text.replaceAll(/(ApiDeployment)\w+/g, "$1"));
  const { CDKMetadata, ...own } = Resources as Record<string, { readonly Metadata?: object }>;
  const resources = Object.entries(own).map(([id, { Metadata, ...resource }]) => [id, resource] as const);
  return { ...rest, Resources: Object.fromEntries(resources) };
}
