import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { demoVendors } from "../../local/pipeline/demo-accounts.ts";
import { writeRunFile } from "../../local/pipeline/run-file.ts";
import type { Pipeline } from "../end-to-end/pipeline.ts";

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
  start(parameters: readonly string[], environment?: Record<string, string>, input?: string): Running;
  run(parameters: readonly string[], environment?: Record<string, string>, input?: string): Promise<Ended>;
  stop(): Promise<void>;
}

const bin = fileURLToPath(new URL("../../bin/scorecards.js", import.meta.url));

/** A command line beside a pipeline. */
export async function commandLine(pipeline: Pipeline): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), "scorecards-command-"));
  const runFile = join(folder, "local-run.json");
  const forget = await writeRunFile(runFile, randomUUID(), pipeline.machine.run, demoVendors);
  const start: CommandLine["start"] = (parameters, environment = {}, input = "") => {
    const { PATH } = process.env;
    const child = spawn(process.execPath, [bin, ...parameters], {
      cwd: folder,
      env: { PATH, SCORECARDS_LOCAL_RUN: runFile, ...environment },
    });
    // A command that is refused has ended before it reads anything.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    const texts = { stdout: "", stderr: "" };
    child.stdout.on("data", (data) => {
      texts.stdout += data;
    });
    child.stderr.on("data", (data) => {
      texts.stderr += data;
    });
    const { promise, resolve, reject } = Promise.withResolvers<Ended>();
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({
        code,
        ...texts,
        get json() {
          return texts.stdout
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line));
        },
      }),
    );
    return { child, ended: promise };
  };
  return {
    folder,
    start,
    run: (...given) => start(...given).ended,
    async stop() {
      await forget();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
