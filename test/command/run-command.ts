import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, onTestFinished } from "vitest";
import { type CommandProcess, runAs } from "../../command/base/command-process.ts";
import { scorecardsProgram } from "../../command/program.ts";
import { settings } from "../../lib/settings.ts";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { writeRunFile } from "../../local/pipeline/run-file.ts";
import { clientsOf } from "../end-to-end/local-clients.ts";
import { type Pipeline, startPipeline } from "../end-to-end/pipeline.ts";
import { hurried } from "../hurried-settings.ts";
import { recordRequests } from "./recorded-requests.ts";

/** What a run of the command came to. */
export interface Ended {
  /** Null where it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of stdout, each parsed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
  readonly json: any[];
}

/** A run of the command that goes on. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The command as somebody starts it who has `npm start` running beside. */
export interface CommandLine {
  /** A folder of one's own, which is taken away in the end. */
  readonly folder: string;
  /** Starts a process, where the process itself is what is tested: a signal, or an environment that the AWS SDK reads. */
  start(parameters: readonly string[], environment?: Record<string, string>): Running;
  /** Runs the same command within this process, which takes a tenth of the time. */
  run(parameters: readonly string[], environment?: Record<string, string>, input?: string): Promise<Ended>;
  stop(): Promise<void>;
}

const bin = fileURLToPath(new URL("../../bin/scorecards.js", import.meta.url));

/**
 * A command waits as long as the settings say, which have to be those of the pipeline beside it until that stops: the next file of this
 * worker may judge what is deployed.
 */
const deployed = settings.test;

/** Ends a command within this process, where `process.exit` would end a process of its own. */
class ExitError extends Error {
  override name = "ExitError";
}

function ended(code: number | null, stdout: string, stderr: string): Ended {
  return {
    code,
    stdout,
    stderr,
    get json() {
      return stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    },
  };
}

async function runWithin(
  parameters: readonly string[],
  env: Record<string, string>,
  input: string,
): Promise<Ended> {
  const texts = { stdout: "", stderr: "" };
  const streamTo = (name: keyof typeof texts) =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        texts[name] += text;
        done();
      },
    });
  const own: CommandProcess = {
    env,
    stdin: Readable.from(input === "" ? [] : [input]),
    stdout: streamTo("stdout"),
    stderr: streamTo("stderr"),
    exit(code) {
      own.exitCode = code;
      throw new ExitError();
    },
    once: () => undefined,
  };
  try {
    await runAs(own, () => scorecardsProgram().parseAsync(parameters, { from: "user" }));
  } catch (error) {
    if (!(error instanceof ExitError)) throw error;
  }
  return ended(Number(own.exitCode ?? 0), texts.stdout, texts.stderr);
}

/** A command line beside a pipeline. */
export async function commandLine(pipeline: Pick<Pipeline, "machine" | "vendor">): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), "scorecards-command-"));
  settings.test = hurried;
  const runFile = join(folder, "local-run.json");
  const accounts = [pipeline.vendor(0).account, pipeline.vendor(1).account, ...demoVendors.slice(2)];
  const forget = await writeRunFile(runFile, randomUUID(), pipeline.machine.run, accounts);
  const start: CommandLine["start"] = (parameters, environment = {}) => {
    const { PATH } = process.env;
    const child = spawn(process.execPath, [bin, ...parameters], {
      cwd: folder,
      env: { PATH, SCORECARDS_LOCAL_RUN: runFile, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const texts = { stdout: "", stderr: "" };
    child.stdout.on("data", (data) => {
      texts.stdout += data;
    });
    child.stderr.on("data", (data) => {
      texts.stderr += data;
    });
    const { promise, resolve, reject } = Promise.withResolvers<Ended>();
    child.on("error", reject);
    child.on("close", (code) => resolve(ended(code, texts.stdout, texts.stderr)));
    return { child, ended: promise };
  };
  return {
    folder,
    start,
    run: (parameters, environment = {}, input = "") =>
      runWithin(parameters, { SCORECARDS_LOCAL_RUN: runFile, ...environment }, input),
    async stop() {
      settings.test = deployed;
      await forget();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A pipeline with a command line beside it, and clients of its services, for the tests of one file, after which they end.
 *
 * @param start brings the pipeline up; one of the file's own if left out
 * @param isRecorded whether the command's requests to the services are recorded
 */
export async function provideCommand(start: () => Promise<Pipeline> = startPipeline, isRecorded = false) {
  const pipeline = await start();
  const recorder = isRecorded ? await recordRequests(pipeline.machine.run) : undefined;
  const { machine } = pipeline;
  const command = await commandLine({
    ...pipeline,
    machine: { ...machine, run: recorder?.run ?? machine.run },
  });
  afterAll(async () => {
    await command.stop();
    recorder?.stop();
    await pipeline.stop();
  });
  /** Holds delivery until the test releases it, or has ended. */
  const hold = (...options: readonly string[]) => {
    onTestFinished(async () => void (await command.run(["release"])));
    return command.run(["hold", ...options]);
  };
  return {
    ...clientsOf(pipeline.machine.run),
    pipeline,
    command,
    hold,
    requests: () => recorder?.requests() ?? [],
    vendor: pipeline.vendor(0),
    card: pipeline.card,
  };
}
