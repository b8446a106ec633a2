import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { demoAccounts, startStandIn } from "@scorecard-pipeline/stand-in";
import { Command } from "commander";
import { exitAsDocumented, exitCode } from "../command/base/exit-code.ts";
import { address, count } from "../command/base/option-values.ts";
import { processTerminal } from "../command/base/terminal.ts";
import { settings } from "../lib/settings.ts";
import { stackName } from "../lib/stage-settings.ts";
import { demoVendors } from "../local/pipeline/demo-accounts.ts";
import { rehearsalCards } from "../local/pipeline/rehearsal.ts";
import { trialContext } from "../local/trial/adapt-stack.ts";
import type { ProgramEnd } from "../local/trial/deploy-adapted.ts";
import {
  apiAddresses,
  baseAddress,
  invokeFunction,
  leftovers,
  refusedResources,
} from "../local/trial/endpoint.ts";
import { runTrial, type StepResult } from "../local/trial/run-trial.ts";

interface Options {
  readonly api?: string;
  readonly keep?: true;
  readonly patience: number;
}

const stage = "test";
const [vendor] = demoVendors;
const mirror = demoAccounts.find(({ username }) => username === "pipeline-mirror");

const command = exitAsDocumented(new Command("npm run deploy:try --"))
  .description(
    "Deploys the test stage to the AWS-compatible endpoint at AWS_ENDPOINT_URL, delivers cards through it, and removes it.",
  )
  .option("--api <address>", "base address of the API at the endpoint, if it is not found", address)
  .option("--patience <seconds>", "longest time to wait for a card's state", count, 120)
  .option("--keep", "do not remove the stack")
  .parse();
const options = command.opts<Options>();
const endpoint = process.env.AWS_ENDPOINT_URL ?? "";
const region = process.env.AWS_REGION ?? "eu-west-1";
if (!URL.canParse(endpoint) || new URL(endpoint).hostname.endsWith(".amazonaws.com")) {
  command.error(
    "error: Set AWS_ENDPOINT_URL to the address of an emulator of AWS, e.g. http://127.0.0.1:4566.",
  );
}
if (vendor === undefined || mirror === undefined) throw new Error("The demo accounts are missing.");

const folder = await mkdtemp(join(tmpdir(), "scorecards-trial-"));
// The SDK reads these in this process, and so do the programs that it starts.
Object.assign(process.env, {
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? "test",
  AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY ?? "test",
  // The CDK caches which account belongs to a key. The next emulator may have another account.
  CDK_HOME: folder,
});

const { signal } = processTerminal(process);
const root = fileURLToPath(new URL("..", import.meta.url));
const cdk = fileURLToPath(import.meta.resolve("aws-cdk/bin/cdk"));
const scorecards = fileURLToPath(new URL("scorecards.js", import.meta.url));

function run(
  program: string,
  parameters: readonly string[],
  environment?: Readonly<Record<string, string>>,
): Promise<ProgramEnd> {
  const child = spawn(process.execPath, [program, ...parameters], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (data: string) => {
      texts[name] += data;
    });
  }
  const { promise, resolve, reject } = Promise.withResolvers<ProgramEnd>();
  child.on("error", reject);
  child.on("close", (code) => resolve({ code: code ?? exitCode.unfinished, ...texts }));
  return promise;
}

const standIn = await startStandIn({
  port: 0,
  seed: 1,
  clubs: 10,
  accounts: demoAccounts,
  now: () => new Date(),
});
const context = ["-c", `stage=${stage}`, "--no-notices", "--output", join(folder, "cdk.out")];
const adapted = (adaptation: Parameters<typeof trialContext>[0]) => [
  "-c",
  `trial=${trialContext(adaptation)}`,
];
const { bootstrapQualifier: qualifier } = settings.test;
const bootstrapOptions =
  qualifier === undefined
    ? []
    : ["--qualifier", qualifier, "--toolkit-stack-name", `CDKToolkit-${qualifier}`];
const nothingLeftOut = { leaveOut: [], withoutApiKeys: false, withoutStreaming: false };
const runName = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
const cards = rehearsalCards(standIn, settings.test.union, runName, new Date()).filter(
  (one) => one.vendor.apiSet === vendor.apiSet,
);

console.log(`Endpoint ${endpoint}, region ${region}; the union is at ${standIn.address}.`);
const begun = performance.now();
let results: StepResult[];
try {
  results = await runTrial(
    {
      bootstrap: () => run(cdk, ["bootstrap", ...context, ...bootstrapOptions]),
      deploy: (adaptation) =>
        run(cdk, [
          "deploy",
          ...context,
          ...adapted(adaptation),
          "--require-approval=never",
          "--parameters",
          `UnionBaseAddress=${standIn.address}`,
        ]),
      diff: (adaptation) => run(cdk, ["diff", ...context, ...adapted(adaptation)]),
      destroy: () => run(cdk, ["destroy", "--force", ...context, ...adapted(nothingLeftOut)]),
      refusedResources: () => refusedResources(stackName(stage)),
      leftovers: () => leftovers(stackName(stage), stage),
      scorecards: (parameters, environment) => {
        const ofStage = parameters.includes("--api") ? [] : ["--stage", stage];
        return run(scorecards, [...parameters, ...ofStage], environment);
      },
      invoke: (name, event) => invokeFunction(stackName(stage), name, event),
      apiAddresses: async () =>
        options.api === undefined
          ? apiAddresses(await baseAddress(stackName(stage)), endpoint)
          : [options.api],
      standIn,
      vendor,
      mirror,
      async writeCards(round) {
        const card = cards.shift()?.card;
        if (card?.ExternalID === undefined) throw new Error("There are no cards left.");
        const path = join(folder, `${round}.json`);
        await writeFile(path, JSON.stringify([card]));
        return { path, externalId: card.ExternalID };
      },
    },
    { keep: options.keep ?? false, patienceSeconds: options.patience },
    ({ step, result, detail }) => {
      const seconds = String(Math.round((performance.now() - begun) / 1000)).padStart(4);
      console.log(`${seconds} s  ${result.padEnd(7)}  ${step}: ${detail}`);
    },
  );
} finally {
  await standIn.stop();
  await rm(folder, { recursive: true, force: true });
}

const having = (result: string) => results.filter((one) => one.result === result).length;
console.log(`${having("ok")} steps done, ${having("skipped")} things skipped, ${having("failed")} failed.`);
if (having("failed") > 0) {
  const [major] = process.versions.node.split(".");
  console.log(
    `Functions need Node ${major}; an endpoint that starts them as processes needs it in its PATH.`,
  );
}
if (having("failed") > 0 || signal.aborted) process.exitCode = exitCode.unfinished;
else process.exitCode = having("skipped") > 0 ? exitCode.refused : exitCode.done;
