import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { exitAsDocumented } from "../command/exit-code.ts";
import { address, port } from "../command/option-values.ts";
import { demoVendors } from "../local/pipeline/demo-accounts.ts";
import { startOneMachine } from "../local/pipeline/one-machine.ts";
import { runFilePath, writeRunFile } from "../local/pipeline/run-file.ts";
import { playSample } from "../local/pipeline/sample-run.ts";
import { synthesize } from "../local/pipeline/synthesize.ts";
import { addFaultOptions, type FaultOptions, faultsOf } from "../stand-in/control/fault-options.ts";
import { CourseFileError } from "../stand-in/register/open-golf-api.ts";

interface Options extends FaultOptions {
  readonly port: number;
  readonly once?: true;
  readonly sample: boolean;
  readonly json?: true;
  readonly verbose?: true;
  readonly union?: string;
  readonly dynamodb?: string;
  readonly sqs?: string;
  readonly courses?: string;
}

const command = addFaultOptions(exitAsDocumented(new Command("npm start --")))
  .description("Brings the whole pipeline up on this machine, from the template that would be deployed.")
  .option("--port <number>", "the API's port, 0 for any", port, 3000)
  .option(
    "--once",
    "exit after the sample: 0 if every good card was delivered, for which it waits three minutes, and every bad one refused",
  )
  .option("--no-sample", "do not submit the sample tournament")
  .option("--union <address>", "this upstream instead of the stand-in; it gets no sample", address)
  .option("--courses <file>", "real courses for the stand-in, in the OpenGolfAPI format")
  .option("--dynamodb <address>", "this DynamoDB instead of the embedded one", address)
  .option("--sqs <address>", "this SQS instead of the embedded one", address)
  .option("--json", "one line of JSON on stdout when ready; everything else on stderr")
  .option("--verbose", "show what the functions log")
  .parse();
const options = command.opts<Options>();

/** With --json, stdout belongs to the one line. */
const out = options.json ? process.stderr : process.stdout;
const say = (text: string) => out.write(`${text}\n`);

const assembly = fileURLToPath(new URL("../cdk.out", import.meta.url));
say("Synthesizing the stack …");
await synthesize(assembly);

/** Says what a person can do something about; throws what is none of that. */
function endWith(error: NodeJS.ErrnoException): never {
  if (error.code === "EADDRINUSE") {
    command.error(
      `error: Port ${options.port} is taken. Choose another with --port, or 0 for any that is free.`,
    );
  }
  if (error instanceof CourseFileError) command.error(`error: ${error.message}`);
  throw error;
}

const machine = await startOneMachine({
  assembly,
  port: options.port,
  union: options.union,
  dynamodb: options.dynamodb,
  sqs: options.sqs,
  coursesFile: options.courses,
  faults: faultsOf(options),
  log: ({ function: name, text }) => {
    if (options.verbose) process.stderr.write(`${name}: ${text}\n`);
  },
  progress: (step) => say(`${step[0]?.toUpperCase()}${step.slice(1)} …`),
}).catch(endWith);
const { run, union, standIn } = machine;
const forgetRun = await writeRunFile(runFilePath(process.env), randomUUID(), run, demoVendors);
const stop = () => Promise.all([forgetRun(), machine.stop()]);

const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    ended.abort();
    stop().finally(() => process.exit(0));
  });
}

if (options.json) {
  const { api, dynamodb, sqs } = run;
  process.stdout.write(`${JSON.stringify({ api, union, dynamodb, sqs, accounts: demoVendors })}\n`);
} else {
  say(`\nThe API is at   ${run.api}`);
  say(`The union is at ${union}`);
  if (standIn !== undefined) say(`Its control at  ${standIn.control}`);
  for (const { username, password, resources } of demoVendors) {
    say(`Account         ${username}:${password}  may use ${resources.join(", ")}`);
  }
  say("");
}

let good = true;
if (options.sample && standIn !== undefined) {
  good = await playSample({ api: run.api, standIn, out, signal: ended.signal }).catch((error: unknown) => {
    if (ended.signal.aborted) return false;
    throw error;
  });
} else if (options.sample) {
  say("No sample: made-up cards are not for somebody else's union.");
}

if (options.once && !ended.signal.aborted) {
  await stop();
  process.exit(good ? 0 : 1);
}
if (!ended.signal.aborted) say("\nServing until Ctrl-C.");
