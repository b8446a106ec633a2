import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { CloudFormationClient, DescribeStackResourcesCommand } from "@aws-sdk/client-cloudformation";
import { InvokeCommand, LambdaClient, UpdateFunctionConfigurationCommand } from "@aws-sdk/client-lambda";
import { demoAccounts, startStandIn } from "@scorecard-pipeline/stand-in";
import { settings } from "../../lib/settings.ts";
import { stackName } from "../../lib/stage-settings.ts";
import { rehearsalCards } from "../pipeline/rehearsal.ts";
import { synthesize } from "../pipeline/synthesize.ts";
import { readTemplate, replaceTemplate } from "../releases/roll-back.ts";
import { synthesizeCommit } from "../releases/synthesize-release.ts";
import { listStacks } from "./read-account.ts";

/** The address of an emulator of AWS; undefined in an account. */
export const endpoint = process.env.AWS_ENDPOINT_URL;
/** What MiniStack 1.5.33 does not do of the stack and its API. */
export const leftOutByEmulator =
  "alarms on metric math, usage keys that the authorizer names, gzipped requests, functions that ignore AWS_ENDPOINT_URL";

const stack = stackName("test");
const root = fileURLToPath(new URL("../..", import.meta.url));
// The CDK caches which account belongs to a key. The next emulator may have another account.
if (endpoint !== undefined) process.env.CDK_HOME = await mkdtemp(join(tmpdir(), "cdk-home-"));

/** Runs a program of the project. @returns its stdout @throws Error with what it printed */
export async function run(program: string, parameters: readonly string[], environment = {}): Promise<string> {
  const options = { cwd: root, env: { ...process.env, ...environment }, maxBuffer: 1 << 28 };
  return (await promisify(execFile)(process.execPath, [program, ...parameters], options)).stdout;
}

/** Runs the CDK. */
export const cdk = (...parameters: string[]): Promise<string> =>
  run(fileURLToPath(import.meta.resolve("aws-cdk/bin/cdk")), [...parameters, "--no-notices"]);

/** Runs the scorecards command. */
export const scorecards = (parameters: readonly string[], environment = {}): Promise<string> =>
  run("bin/scorecards.js", parameters, environment);

/** The outputs of a stack. */
export async function readOutputs(name = stack): Promise<Readonly<Record<string, string>>> {
  const { Outputs = [] } = (await listStacks()).find(({ StackName }) => StackName === name) ?? {};
  return Object.fromEntries(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue ?? ""]));
}

// The union in this process: an emulator's functions reach it, and its members sign the cards.
const now = () => new Date();
const standIn = await startStandIn({ port: 0, seed: 1, clubs: 10, accounts: demoAccounts, now });
/** Ends what the proof has started. */
export const stopUnion = (): Promise<void> => standIn.stop();

/** Deploys the test stage as docs/deploy.md says, or as it was at a commit; to an emulator without what that refuses. */
export async function deployStage(commit?: string): Promise<void> {
  const { UnionAddress } = await readOutputs("scorecard-union");
  const address = endpoint === undefined ? UnionAddress?.replace(/\/$/, "") : standIn.address;
  const parameters = ["--require-approval=never", "--parameters", `UnionBaseAddress=${address}`];
  if (commit === undefined && endpoint === undefined) {
    await cdk("deploy", "-c", "stage=test", ...parameters);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "scorecards-proof-"));
  const assembly = commit === undefined ? folder : await synthesizeCommit(commit, folder, ["stage=test"]);
  if (commit === undefined) await synthesize(assembly);
  if (endpoint !== undefined) await adaptToEmulator(assembly);
  await cdk("deploy", stack, "--app", assembly, ...parameters);
}

async function adaptToEmulator(assembly: string): Promise<void> {
  const { Resources, ...others } = await readTemplate(assembly, "test");
  const made = Object.entries(Resources).filter(
    ([, { Type, Properties }]) => Type !== "AWS::CloudWatch::Alarm" || Properties?.Metrics === undefined,
  );
  const variable = '"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS":';
  const text = JSON.stringify({ ...others, Resources: Object.fromEntries(made) });
  const adapted = text
    .replaceAll(',{"usageKey":[]}', "")
    .replaceAll(`${variable}"true"`, `${variable}"false"`);
  await replaceTemplate(assembly, "test", JSON.parse(adapted));
}

/** Invokes a function of the stage. */
export async function invoke(name: string, event: unknown): Promise<unknown> {
  const described = new DescribeStackResourcesCommand({ StackName: stack });
  const { StackResources = [] } = await new CloudFormationClient().send(described);
  // The CDK makes logical IDs from the construct's path, without its hyphens.
  const made = StackResources.find(
    ({ ResourceType, LogicalResourceId = "" }) =>
      ResourceType === "AWS::Lambda::Function" && LogicalResourceId.includes(name.replaceAll("-", "")),
  );
  const asked = { FunctionName: made?.PhysicalResourceId, Payload: JSON.stringify(event) };
  const { Payload = [] } = await new LambdaClient().send(new InvokeCommand(asked));
  return JSON.parse(Buffer.from(Payload).toString());
}

/** Takes the union away, and gives it back. */
export async function setOutage(outage: boolean): Promise<void> {
  standIn.faults.outage = outage;
  const { UnionFunction: FunctionName } = await readOutputs("scorecard-union");
  const Environment = { Variables: { OUTAGE: String(outage) } };
  await new LambdaClient().send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment }));
}

/** The base address at which the API answers. */
export async function findApi(): Promise<string> {
  const { RestApiId, BaseAddress = "" } = await readOutputs();
  return endpoint ? `${endpoint}/restapis/${RestApiId}/test/_user_request_` : BaseAddress;
}

/** Sends a vendor's request; to an emulator without gzip. */
export const send: typeof fetch = (address, request) => {
  const { "Content-Encoding": encoding, ...headers } = { ...request?.headers } as Record<string, string>;
  if (endpoint === undefined || encoding !== "gzip") return fetch(address, request);
  return fetch(address, { ...request, headers, body: gunzipSync(request?.body as Uint8Array) });
};

const cards: string[] = [];
/** The next valid cards, as JSON. */
export function takeCards(count: number): string[] {
  while (cards.length < count) {
    const name = `proof-${Date.now()}-${cards.length}`;
    const more = rehearsalCards(standIn, settings.test.union, name, now());
    cards.push(...more.map(({ card }) => JSON.stringify(card)));
  }
  return cards.splice(0, count);
}
