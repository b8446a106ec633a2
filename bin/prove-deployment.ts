import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import { errorLine } from "../command/base/error-line.ts";
import { exitAsDocumented, exitCode } from "../command/base/exit-code.ts";
import { settings } from "../lib/settings.ts";
import { proofSteps } from "../local/deployment/proof-steps.ts";
import {
  cdk,
  endpoint,
  leftOutByEmulator,
  readOutputs,
  stopUnion,
} from "../local/deployment/proved-stage.ts";
import { listStacks } from "../local/deployment/read-account.ts";

// `npm run deploy:prove`: goes through docs/deploy.md in an account that is a sandbox, or on an emulator as far as that goes.

exitAsDocumented(new Command("npm run deploy:prove --"))
  .description(
    "Deploys the test stage into an AWS account without other stacks, drives cards through it, updates, rolls back, restores and removes it, and writes docs/proved-on-aws.md: 90 minutes, about a dollar. With AWS_ENDPOINT_URL it plays what an emulator can, and names the rest.",
  )
  .parse();

const union = ["--app", "node local/deployment/union-app.ts", "--output", "cdk.out/union", "scorecard-union"];
const rows: string[] = [];

function tell(name: string, result: string): void {
  rows.push(`| ${name} | ${result} |`);
  console.log(`${new Date().toISOString().slice(11, 19)}  ${name}: ${result}`);
}

async function prove(): Promise<void> {
  const others = (await listStacks()).filter(({ StackName = "" }) => !StackName.startsWith("CDKToolkit"));
  if (others.length > 0)
    throw new Error(`This account has other stacks, such as ${others[0]?.StackName}. Use a sandbox.`);
  const { bootstrapQualifier: qualifier } = settings.test;
  const own = qualifier ? ["--qualifier", qualifier, "--toolkit-stack-name", `CDKToolkit-${qualifier}`] : [];
  try {
    await cdk("bootstrap", "-c", "stage=test", ...own);
    await cdk("deploy", "--require-approval=never", ...union);
    tell("bootstrap, and the union as a function", "done");
    if (endpoint !== undefined) tell("left out of the stack on an emulator", leftOutByEmulator);
    for (const { name, onlyOnAws, play } of proofSteps)
      tell(name, endpoint && onlyOnAws ? `left out: an emulator ${onlyOnAws}` : await play());
    const { DeployedCommit, WakeTopicArn = "" } = await readOutputs();
    const where = `${new Date().toISOString().slice(0, 10)}, ${WakeTopicArn.split(":")[3]}, commit ${DeployedCommit}.`;
    const table = ["| step | result |", "| --- | --- |", ...rows].join("\n");
    const page = `# Proved on AWS\n\n${where}\n\n${table}\n`;
    if (endpoint === undefined) await writeFile("docs/proved-on-aws.md", page);
  } finally {
    // Also after a failure: nothing should stay.
    await cdk("destroy", "--force", "-c", "stage=test");
    await cdk("destroy", "--force", ...union);
    tell("removed", "secrets and usage keys remain: docs/deploy.md, Take it down");
  }
}

try {
  await prove();
} catch (error) {
  console.error(`error: ${errorLine(error)}`);
  process.exitCode = exitCode.unfinished;
} finally {
  await stopUnion();
}
