import { randomUUID } from "node:crypto";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { environmentHeap } from "../heap-limits.ts";
import { endingLock, take } from "./ending-lock.ts";
import { FunctionError, type ReportedError } from "./function-error.ts";
import type { Invocation, RuntimeData, RuntimeMessage, ThreadData } from "./runtime.ts";

/** Lambda's own limit on loading a function's code. */
const initialisationMilliseconds = 10_000;
/** Longest wait for zlib before the thread is terminated; compressing one document takes less. */
const packingMilliseconds = 1000;

/** A running instance of a function, which handles one invocation at a time. */
export interface ExecutionEnvironment {
  /** False once it has ended; it then accepts no more invocations. */
  readonly alive: () => boolean;
  /** Whether its code is loaded. */
  readonly ready: () => boolean;
  /**
   * Invokes the function.
   *
   * @param event JSON text
   * @returns JSON text, or the bytes that the function streamed
   * @throws FunctionError if the function threw or ran out of time, or the environment ended
   */
  invoke(event: string): Promise<string | Uint8Array>;
  /** Ends it at once, as a crash would. */
  end(): Promise<void>;
}

/** Settings of an environment. */
interface EnvironmentSettings {
  readonly runtime: RuntimeData;
  /** All of its environment variables: it inherits none from this process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  /** Called with each line that the function prints. */
  readonly log: (text: string) => void;
}

/** The module that each thread begins with: this package's own, or in the repository one that is bundled. */
const runtimeModule =
  extname(import.meta.url) === ".js" ? new URL("./runtime.js", import.meta.url) : await bundledRuntime();

/** The runtime without its types. A thread that strips them by itself takes 11 MB and 20 ms more, and there are dozens. */
async function bundledRuntime(): Promise<URL> {
  const { build } = await import("esbuild");
  const entry = fileURLToPath(new URL("./runtime.ts", import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
  });
  return new URL(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`);
}

interface Waiting {
  resolve(answer: string | Uint8Array): void;
  reject(error: FunctionError): void;
}

function failure(errorType: string, errorMessage: string): ReportedError {
  return { errorType, errorMessage, trace: [] };
}

/** An error that the function did not catch, as Lambda reports it. */
function uncaught(error: unknown): ReportedError {
  if (!(error instanceof Error)) return failure("Runtime.UnhandledPromiseRejection", String(error));
  if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY") {
    return failure("Runtime.OutOfMemory", "Runtime exited with error: signal: killed");
  }
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? "").split("\n") };
}

/**
 * Starts an execution environment: a worker thread that loads the function's real bundle.
 *
 * Unlike on Lambda, it is not frozen between invocations, and it has the time zone of this process.
 */
export function startExecutionEnvironment(settings: EnvironmentSettings): ExecutionEnvironment {
  const { runtime, variables, timeoutSeconds, log } = settings;
  const ending = endingLock();
  const workerData: ThreadData = { ...runtime, ending };
  const worker = new Worker(runtimeModule, {
    workerData,
    env: variables,
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: environmentHeap(runtime.memoryMegabytes),
    name: runtime.functionName,
  });
  createInterface(worker.stdout).on("line", log);
  createInterface(worker.stderr).on("line", log);

  let terminating: Promise<unknown> | undefined;
  const terminate = (): Promise<unknown> => {
    if (terminating === undefined) {
      take(ending, packingMilliseconds);
      terminating = worker.terminate();
    }
    return terminating;
  };

  const ready = Promise.withResolvers<void>();
  // If the code fails to load before an invocation waits for it, the next invocation gets the error.
  ready.promise.catch(() => undefined);
  let isReady = false;
  let ended: FunctionError | undefined;
  let waiting: Waiting | undefined;

  const endWith = (reported: ReportedError): void => {
    ended ??= new FunctionError(reported);
    ready.reject(ended);
    waiting?.reject(ended);
  };

  worker.on("message", (message: RuntimeMessage) => {
    if (message.kind === "ready") {
      isReady = true;
      ready.resolve();
    } else if (message.kind === "answer") waiting?.resolve(message.answer);
    else waiting?.reject(new FunctionError(message.error));
  });
  worker.on("error", (error) => endWith(uncaught(error)));
  worker.on("exit", (code) =>
    endWith(failure("Runtime.ExitError", `Runtime exited with error: exit status ${code}`)),
  );

  const limit = (milliseconds: number): NodeJS.Timeout =>
    setTimeout(() => {
      const seconds = (milliseconds / 1000).toFixed(2);
      endWith(failure("Sandbox.Timedout", `Task timed out after ${seconds} seconds`));
      void terminate();
    }, milliseconds);

  const initialisation = limit(initialisationMilliseconds);
  ready.promise.finally(() => clearTimeout(initialisation)).catch(() => undefined);

  return {
    alive: () => ended === undefined,
    ready: () => isReady,
    async invoke(event) {
      await ready.promise;
      if (ended !== undefined) throw ended;
      const { promise, ...own } = Promise.withResolvers<string | Uint8Array>();
      waiting = own;
      const milliseconds = timeoutSeconds * 1000;
      const timer = limit(milliseconds);
      const invocation: Invocation = { requestId: randomUUID(), event, deadline: Date.now() + milliseconds };
      worker.postMessage(invocation);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        waiting = undefined;
      }
    },
    async end() {
      endWith(failure("Runtime.ExitError", "Runtime exited with error: signal: killed"));
      await terminate();
    },
  };
}
