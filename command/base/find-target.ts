import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import type * as z from "zod";
import { dataVersion } from "../../lib/data-version.ts";
import { type Stage, stackName } from "../../lib/stage-settings.ts";
import { readRunFile, runFilePath } from "../../local/pipeline/run-file.ts";
import { commandProcess } from "./command-process.ts";
import { describeStack, signIn } from "./sign-in.ts";
import { outputsSchema, type Target, type TargetStage } from "./target.ts";
import type { Terminal } from "./terminal.ts";

/** The stage whose template the local run uses. */
export const localStage = "test";

async function findLocal(): Promise<Target> {
  const run = await readRunFile(runFilePath(commandProcess().env));
  if (run === undefined) {
    throw new Error(
      "No local run is running. Start one with `npm start` in another terminal, or choose a deployed stage with --stage.",
    );
  }
  const { id, api, region, services, accounts } = run;
  const outputs = outputsSchema.safeParse(run.outputs);
  if (!outputs.success) {
    throw new Error(
      `The local run lacks the outputs ${missingIn(outputs.error)}. Stop it and start it again with \`npm start\`.`,
    );
  }
  return {
    stage: localStage,
    id,
    where: undefined,
    api,
    outputs: outputs.data,
    accounts,
    client: (service) => ({ endpoint: services[service], region, credentials: localCredentials }),
  };
}

/** Names of the outputs that are missing. */
const missingIn = ({ issues }: z.ZodError) => issues.map(({ path }) => path.join(".")).join(", ");

async function findDeployed(stage: Stage): Promise<Target> {
  const name = stackName(stage);
  const signedIn = signIn();
  const stack = await describeStack(name, signedIn);
  const given = Object.fromEntries((stack?.Outputs ?? []).map((one) => [one.OutputKey, one.OutputValue]));
  const outputs = outputsSchema.safeParse(given);
  const at = (stack?.LastUpdatedTime ?? stack?.CreationTime)?.toISOString();
  if (!outputs.success) {
    throw new Error(
      `The stack ${name} lacks the outputs ${missingIn(outputs.error)}. Deploy it again with this version.`,
    );
  }
  return {
    stage,
    id: stack?.StackId ?? name,
    where: describePlace(stage, stack?.StackId ?? ""),
    deployed: at && outputs.data.DeployedCommit ? { commit: outputs.data.DeployedCommit, at } : undefined,
    api: outputs.data.BaseAddress.replace(/\/+$/, ""),
    outputs: outputs.data,
    accounts: [],
    client: () => ({ credentials: signedIn.credentials }),
  };
}

/**
 * The stage, account and region of a stack.
 *
 * @example describePlace("test", "arn:aws:cloudformation:eu-north-1:123456789012:stack/…") // "stage test, AWS account 123456789012, eu-north-1"
 */
export function describePlace(stage: Stage, stackId: string): string {
  const [, , , region = "unknown region", account = "unknown"] = stackId.split(":");
  return `stage ${stage}, AWS account ${account}, ${region}`;
}

/**
 * Finds the pipeline of a stage. A deployed one is found by its stack's outputs, with the AWS credentials and region of
 * the environment; the local one by the file that it keeps while it runs.
 *
 * @param terminal of a command that changes something, which shows first where that is
 * @throws Error that says what to do if there is none, or if its data was written by a later version
 */
export async function findTarget(stage: TargetStage, terminal?: Pick<Terminal, "note">): Promise<Target> {
  const target = await (stage === "local" ? findLocal() : findDeployed(stage));
  const { DataVersion: deployed = 1 } = target.outputs;
  if (deployed > dataVersion) {
    throw new Error(
      `The data of stage ${stage} has version ${deployed}, and this version of the command knows ${dataVersion}. Use the commit that is deployed there.`,
    );
  }
  if (target.where !== undefined) terminal?.note(`Working on ${target.where}.`);
  return target;
}
