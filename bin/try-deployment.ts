import { spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { address, count } from "../command/base/option-values.ts";
import { settings } from "../lib/settings.ts";

// `npm run deploy:try`: deploys the test stage into an account that has none, sends a card through it, and removes it. The CDK, the
// AWS SDK and the scorecards command read account, region and, for an emulator, AWS_ENDPOINT_URL from the environment.

interface Options {
  readonly union?: string;
  readonly api?: string;
  readonly patience: number;
  readonly keep?: true;
}

const options = new Command("npm run deploy:try --")
  .description("Deploys the test stage, has a card delivered by it, and removes it with all that it stored.")
  .option("--union <address>", "base address of the union, if not that of lib/settings.ts", address)
  .option("--api <address>", "base address of the API, if not the stack's output; {id} is the API's ID")
  .option("--patience <seconds>", "longest time to wait for the mirror, and for the card", count, 1_200)
  .option("--keep", "do not remove the stack")
  .parse()
  .opts<Options>();

/** An environment variable without which the trial cannot end. */
function readVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: docs/deploy.md lists what a trial reads.`);
  return value;
}

const mirror = { username: readVariable("MIRROR_USERNAME"), password: readVariable("MIRROR_PASSWORD") };
const vendor = { username: readVariable("VENDOR_USERNAME"), password: readVariable("VENDOR_PASSWORD") };
const begun = performance.now();
let isDeploying = false;

/** Runs a program of the project. @returns its stdout @throws Error if its exit code is above `maxStatus` */
function run(
  program: string,
  parameters: readonly string[],
  environment: Record<string, string> = {},
  maxStatus = 0,
): string {
  const { status, stdout } = spawnSync(process.execPath, [program, ...parameters], {
    env: { ...process.env, ...environment },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1 << 28,
  });
  if (status === null || status > maxStatus)
    throw new Error(`${parameters.slice(0, 2).join(" ")} ended with ${status}.\n${stdout}`);
  return stdout;
}

const cdk = (...parameters: string[]) =>
  run(fileURLToPath(import.meta.resolve("aws-cdk/bin/cdk")), [...parameters, "-c", "stage=test"]);
const command = fileURLToPath(new URL("scorecards.js", import.meta.url));
const ofStage = ["--stage", "test"];
const asUnion = (password: string) => ({ SCORECARDS_UNION_PASSWORD: password });
const report = (step: string) =>
  console.log(`${String(Math.round((performance.now() - begun) / 1_000)).padStart(5)} s  ${step}`);

/** Waits until the schedule has mirrored clubs. @returns how many */
async function awaitMirror(): Promise<number> {
  const deadline = performance.now() + options.patience * 1_000;
  for (;;) {
    // Its exit code is 1 if the union has entries that cannot be mirrored.
    const { clubs } = JSON.parse(run(command, ["mirror", ...ofStage, "--json"], {}, 1));
    if (clubs > 0) return clubs;
    if (performance.now() > deadline) throw new Error(`No club is mirrored after ${options.patience} s.`);
    await delay(15_000);
  }
}

/** Goes through the first deployment of docs/deploy.md, up to a card that the union has. */
async function deployAndSend(): Promise<void> {
  const { bootstrapQualifier: qualifier } = settings.test;
  cdk(
    "bootstrap",
    ...(qualifier ? ["--qualifier", qualifier, "--toolkit-stack-name", `CDKToolkit-${qualifier}`] : []),
  );
  report("bootstrapped");
  const union = options.union === undefined ? [] : ["--parameters", `UnionBaseAddress=${options.union}`];
  isDeploying = true;
  cdk("deploy", "--require-approval=never", ...union);
  report("deployed");
  run(command, ["account", "mirror", mirror.username, ...ofStage], asUnion(mirror.password));
  report(`mirrored ${await awaitMirror()} clubs`);
  const added = JSON.parse(
    run(command, ["account", "add", vendor.username, ...ofStage, "--json"], asUnion(vendor.password)),
  );
  const restApi = new URL(added.api).hostname.split(".")[0] ?? "";
  const api = options.api?.replace("{id}", restApi) ?? added.api;
  const smoke = ["smoke", "--api", api, "--timeout", String(options.patience), "--json"];
  const asVendor = { SCORECARDS_USERNAME: vendor.username, SCORECARDS_PASSWORD: added.password };
  const { good, seconds } = JSON.parse(run(command, smoke, asVendor));
  report(`a card is ${good.state} after ${seconds} s, and a bad one was refused`);
}

try {
  await deployAndSend();
} finally {
  // Also after a failure: nothing of a trial should stay.
  if (isDeploying && !options.keep) {
    cdk("destroy", "--force");
    report("removed; docs/deploy.md says how to remove secrets and usage keys");
  }
}
