import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleEach } from "../../lib/bundles.ts";
import { localCredentials } from "../../packages/local-aws/environment.ts";
import { maxPayloadBytes } from "../../packages/local-aws/functions/local-function.ts";
import type { DeployedFunction } from "../deployed-functions.ts";
import type { FunctionProcessOptions, FunctionProcessReport } from "./function-process.ts";

/** A function with all that it needs to run. */
export interface RunnableFunction extends Omit<DeployedFunction, "variables"> {
  /** Its environment, but for what Lambda itself sets. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The limits that Lambda's own runtime gives V8: a tenth of the memory for the young generation, the rest for the old.
 *
 * @see /var/runtime/bootstrap in the image public.ecr.aws/lambda/nodejs
 */
function heapLimits(memoryMegabytes: number): string[] {
  const young = Math.floor(memoryMegabytes / 10);
  return [
    "--expose-gc",
    "--max-http-header-size=81920",
    `--max-semi-space-size=${Math.floor(young / 2)}`,
    `--max-old-space-size=${memoryMegabytes - young}`,
  ];
}

let processBundle: string | undefined;

/** The process's module as JavaScript: Node's own type stripping would take memory beside the function. */
function bundledProcess(): string {
  const name = "function-process";
  processBundle ??= join(bundleEach({ [name]: "bench/memory/function-process.ts" }), name, "index.mjs");
  return processBundle;
}

/**
 * Starts a function's bundle in a process that does nothing else, and has it answer events one after the other.
 *
 * @throws Error if an event exceeds Lambda's limit, or the process ends before it has answered every event
 */
export async function invokeInOwnProcess(
  { name, bundle, memoryMegabytes, timeoutSeconds, environment }: RunnableFunction,
  events: Iterable<object>,
): Promise<FunctionProcessReport> {
  const folder = mkdtempSync(join(tmpdir(), "function-events-"));
  try {
    let number = 0;
    for (const event of events) {
      const text = JSON.stringify(event);
      if (Buffer.byteLength(text) > maxPayloadBytes)
        throw new Error(`${name} cannot be given so large an event.`);
      writeFileSync(join(folder, `${number++}.json`), text);
    }
    const options: FunctionProcessOptions = { name, bundle, memoryMegabytes, timeoutSeconds, events: folder };
    const child = fork(bundledProcess(), [JSON.stringify(options)], {
      execArgv: heapLimits(memoryMegabytes),
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: {
        AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
        AWS_LAMBDA_FUNCTION_NAME: name,
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
        LANG: "en_US.UTF-8",
        TZ: ":UTC",
        ...environment,
      },
    });
    const [report] = (await Promise.race([
      once(child, "message"),
      // Not "exit", which can come before a message that was sent.
      once(child, "close").then(([status, signal]) =>
        Promise.reject(new Error(`${name} ended with ${status ?? signal}.`)),
      ),
    ])) as [FunctionProcessReport];
    return report;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
