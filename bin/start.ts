import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startLoopbackServer } from "@scorecard-pipeline/local-aws/loopback-server";
import type { StandIn } from "@scorecard-pipeline/stand-in";
import { addFaultOptions, readFaults } from "@scorecard-pipeline/stand-in/fault-options";
import { Command, Option } from "commander";
import { exitAsDocumented } from "../command/base/exit-code.ts";
import { address, port } from "../command/base/option-values.ts";
import { settings } from "../lib/settings.ts";
import { mailLine, watchAlarms } from "../local/pipeline/alarm-watch.ts";
import { type IncidentName, incidentNames } from "../local/pipeline/incidents.ts";
import { keptAssembly, sourcesKey } from "../local/pipeline/kept-assembly.ts";
import { rehearsalSpeed } from "../local/pipeline/settings-variants.ts";
import { synthesize } from "../local/pipeline/synthesize.ts";
import { UnwritableFolderError, writableFolder } from "../local/pipeline/writable-folder.ts";
import { type UnionName, unionNames, unions } from "../unions/unions.ts";

interface Options {
  readonly port: number;
  readonly once?: true;
  readonly sample: boolean;
  readonly json?: true;
  readonly verbose?: true;
  readonly union?: string;
  readonly unionProfile?: UnionName;
  readonly dynamodb?: string;
  readonly sqs?: string;
  readonly fault?: IncidentName;
}

const command = addFaultOptions(exitAsDocumented(new Command("npm start --")))
  .description("Runs the whole pipeline on this machine, from the template that would be deployed.")
  .option("--port <number>", "the API's port, 0 for any free one", port, 3000)
  .option(
    "--once",
    "exit after the sample: with 0 if within three minutes every valid card was delivered and every invalid one refused, else with 1",
  )
  .option("--no-sample", "do not submit the sample tournament")
  .option("--union <address>", "use this union instead of the stand-in, without the sample", address)
  .addOption(
    new Option(
      "--union-profile <name>",
      "the union to be, stand-in and settings; by default that of lib/settings.ts",
    ).choices(unionNames),
  )
  .option("--dynamodb <address>", "use this DynamoDB instead of the embedded one", address)
  .option("--sqs <address>", "use this SQS instead of the embedded one", address)
  .option("--json", "print one line of JSON on stdout when ready, and everything else on stderr")
  .addOption(
    new Option(
      "--fault <name>",
      "rehearse an incident instead of the sample: alarms ring after seconds, a vendor sends a card every two seconds",
    )
      .choices(incidentNames)
      .conflicts(["union", "once"]),
  )
  .option("--verbose", "show the functions' logs")
  .parse();
const options = command.opts<Options>();

/** With --json, stdout is only for the line of JSON. */
const out = options.json ? process.stderr : process.stdout;
const print = (text: string) => out.write(`${text}\n`);

/** Prints what happens while the pipeline runs. */
function tellAt(line: string): void {
  print(`${new Date().toLocaleTimeString("en-GB")}  ${line}`);
}

/** Exits with a message for an error that the user can correct; throws any other error. */
function exitWith(error: NodeJS.ErrnoException): never {
  if (error.code === "EADDRINUSE") {
    command.error(`error: Port ${options.port} is taken. Choose another with --port, or 0 for any free one.`);
  }
  if (error instanceof UnwritableFolderError) command.error(`error: ${error.message}`);
  throw error;
}

// A port that is in use is reported before anything is built.
if (options.port !== 0)
  await (await startLoopbackServer(() => undefined, options.port).catch(exitWith)).stop();

// The engines take long to load: not before the options are known to be right, and while the stack is synthesized.
const loading = Promise.all([
  import("../local/pipeline/one-machine.ts"),
  import("../local/pipeline/demo-accounts.ts"),
  import("../local/pipeline/run-file.ts"),
]);
const root = fileURLToPath(new URL("..", import.meta.url));
const assemblies = join(root, "cdk.out");
await writableFolder(assemblies).catch(exitWith);
const variant = options.fault === undefined ? "local" : "rehearsal";
const key = sourcesKey(root, [variant, options.unionProfile]);
const synthesizeStack = (output: string) => {
  print("Synthesizing the stack …");
  return synthesize(output, variant, options.unionProfile);
};
const assembly = await keptAssembly(assemblies, key, synthesizeStack, new Date());
const unionProfile = options.unionProfile === undefined ? settings.test.union : unions[options.unionProfile];

const [{ startOneMachine }, { demoOperator, demoVendors }, { runFilePath, writeRunFile }] = await loading;
const machine = await startOneMachine({
  assembly,
  port: options.port,
  union: options.union,
  unionProfile: options.unionProfile,
  dynamodb: options.dynamodb,
  sqs: options.sqs,
  faults: readFaults(command),
  // Alarms watch what schedules measure.
  ...(options.fault !== undefined && { alarmSpeed: rehearsalSpeed, rateSpeed: rehearsalSpeed }),
  log: ({ function: name, text }) => {
    if (name === "notices") tellAt(mailLine(text));
    if (options.verbose) process.stderr.write(`${name}: ${text}\n`);
  },
  progress: (step) => print(`${step[0]?.toUpperCase()}${step.slice(1)} …`),
}).catch(exitWith);
const { run, union, standIn } = machine;
const removeRunFile = await writeRunFile(runFilePath(process.env), randomUUID(), run, demoVendors);
const stopAlarms = watchAlarms(run.ringing, tellAt);
const stop = () => {
  stopAlarms();
  return Promise.all([removeRunFile(), machine.stop()]);
};

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    interrupted.abort();
    void stop().finally(() => process.exit(0));
  });
}

if (options.json) {
  const { api, dynamodb, sqs } = run;
  const control = standIn?.control;
  process.stdout.write(`${JSON.stringify({ api, union, control, dynamodb, sqs, accounts: demoVendors })}\n`);
} else {
  print(`\nThe API is at   ${run.api}`);
  print(`The union is at ${union}`);
  if (standIn !== undefined) print(`Its control at  ${standIn.control}`);
  for (const { username, password, resources } of [...demoVendors, demoOperator]) {
    print(`Account         ${username}:${password}  may use ${resources.join(", ")}`);
  }
  print(`SQS, also yours ${run.sqs}`);
  print(`Portal          ${run.api}/portal`);
  print(`Login page      ${run.api}/login.aspx`);
  print(`API reference   ${run.api}/reference`);
  print(`OpenAPI         ${run.api}/openapi.json`);
  print("Your first card docs/vendors.md, ten steps");
  print("");
}

/** Begins the incident, and submits a card every two seconds until the run ends. */
async function rehearse(fault: IncidentName, union: StandIn): Promise<void> {
  const { incidentCard, beginIncident, rehearsalCards, submitOne, unionsIncidents } = await import(
    "../local/pipeline/rehearsal.ts"
  );
  const now = new Date();
  const cards = rehearsalCards(
    union,
    unionProfile,
    now.toISOString().slice(0, 19).replaceAll(/[-:]/g, ""),
    now,
  );
  await beginIncident(fault, { run, standIn: union, cards });
  print(`Rehearsing ${fault}. Alarms are printed with their section of docs/runbook.md; go on from there.`);
  if (unionsIncidents.has(fault)) {
    print("To have the union repaired, in another terminal:");
    print(`  curl -X PUT ${union.control}/faults -d '{}'`);
  }
  const affected = incidentCard(fault, cards);
  if (affected !== undefined) {
    print("To see the card that it happens to:");
    print(`  npm run scorecards -- status ${affected.card.ExternalID} --vendor ${affected.vendor.apiSet}`);
  }
  print("");
  for (const card of cards) {
    if (interrupted.signal.aborted) return;
    // The rehearsal shows refused and lost cards by itself.
    await submitOne(run.api, card).catch(() => undefined);
    await delay(2_000, undefined, { signal: interrupted.signal }).catch(() => undefined);
  }
}

let passed = true;
if (options.fault !== undefined && standIn !== undefined) {
  await rehearse(options.fault, standIn);
} else if (options.sample && standIn !== undefined) {
  const { playSample } = await import("../local/pipeline/sample-run.ts");
  passed = await playSample({
    api: run.api,
    union: unionProfile,
    standIn,
    out,
    signal: interrupted.signal,
  }).catch((error: unknown) => {
    if (interrupted.signal.aborted) return false;
    throw error;
  });
} else if (options.sample) {
  print("The sample is skipped: its cards are invented, and --union names another union.");
}

if (options.once && !interrupted.signal.aborted) {
  await stop();
  process.exit(passed ? 0 : 1);
}
if (!interrupted.signal.aborted) {
  print("\nPress Ctrl-C to stop.");
  await machine.settled;
  run.collectGarbage();
}
