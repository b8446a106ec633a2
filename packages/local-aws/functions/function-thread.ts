import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type ConnectEngine, engineAt } from "../base/engine-connection.ts";
import { aloneHeap, sharedHeap } from "../base/heap-limits.ts";
import { endingLock, take } from "./ending-lock.ts";
import type { ReportedError } from "./function-error.ts";
import type { InvokeMessage, RuntimeData, RuntimeMessage, ThreadData, ThreadMessage } from "./runtime.ts";

/** Longest wait for zlib before the thread is terminated; compressing one document takes less. */
const packingMilliseconds = 1000;
/** A thread that does not answer for so long is terminated. */
const unresponsiveMilliseconds = 1000;

/** An environment to host, and what hears of it. */
export interface HostedSettings {
  readonly runtime: RuntimeData;
  /** All of its environment variables: it inherits none from this process. */
  readonly variables: Readonly<Record<string, string>>;
  /** Called with each message of the environment until it ends. */
  readonly heard: (message: RuntimeMessage) => void;
  /** Called if the thread breaks down. @param isCause whether no other environment of the thread can have been the cause */
  readonly lost: (reported: ReportedError, isCause: boolean) => void;
  /** Called with each line that an environment prints which has the thread alone. */
  readonly log: (line: string) => void;
  /** Whether it is starting or has an invocation. */
  readonly isBusy: () => boolean;
}

/** An environment in a thread. */
export interface HostedEnvironment {
  invoke(invocation: Omit<InvokeMessage, "kind" | "environment">): void;
  /** Ends it. Resolves when none of its code runs any more; for that its thread is terminated if it does not respond. */
  end(): Promise<void>;
}

/** A thread with execution environments. */
export interface FunctionThread {
  readonly isAlive: () => boolean;
  /** How many environments of this code it has. */
  count(code: string): number;
  host(settings: HostedSettings): HostedEnvironment;
  collectGarbage(): void;
}

/** The script that each thread begins with: this package's own file, or in the repository the text of a bundle. */
const runtimeModule =
  extname(import.meta.url) === ".js" ? new URL("./runtime.js", import.meta.url) : await bundledRuntime();

/** The runtime without its types. A thread that strips them by itself takes 11 MB and 20 ms more. */
async function bundledRuntime(): Promise<string> {
  const { build, stop } = await import("esbuild");
  const entry = fileURLToPath(new URL("./runtime.ts", import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "cjs",
    write: false,
  });
  // Its process would stay as long as this one.
  await stop();
  return outputFiles[0]?.text ?? "";
}

function describeLoss(error: unknown): ReportedError {
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY") {
    const errorMessage = "Runtime exited with error: signal: killed";
    return { errorType: "Runtime.OutOfMemory", errorMessage, trace: [] };
  }
  return { errorType: name, errorMessage: message, trace: stack.split("\n") };
}

const describeExit = (how: string): ReportedError => ({
  errorType: "Runtime.ExitError",
  errorMessage: `Runtime exited with error: ${how}`,
  trace: [],
});

type OnlyEnvironment = Pick<HostedSettings, "runtime" | "variables" | "log">;

function startWorker(workerData: ThreadData, only: OnlyEnvironment | undefined): Worker {
  const worker = new Worker(runtimeModule, {
    eval: typeof runtimeModule === "string",
    workerData,
    execArgv: [],
    name: only?.runtime.functionName ?? "functions",
    resourceLimits: only === undefined ? sharedHeap : aloneHeap(only.runtime.memoryMegabytes),
    env: only?.variables ?? {},
    ...(only !== undefined && { stdout: true, stderr: true }),
  });
  if (only !== undefined) {
    createInterface(worker.stdout).on("line", only.log);
    createInterface(worker.stderr).on("line", only.log);
  }
  return worker;
}

/** Connects a thread to the engines that the variables of its environments name. */
function engineConnections(worker: Worker): (variables: Readonly<Record<string, string>>) => void {
  const connected = new WeakSet<ConnectEngine>();
  return (variables) => {
    for (const [name, address] of Object.entries(variables)) {
      const engine = name.startsWith("AWS_ENDPOINT_URL_") ? engineAt(address) : undefined;
      if (engine === undefined || connected.has(engine)) continue;
      connected.add(engine);
      const port = engine();
      worker.postMessage({ kind: "connect", address, port } satisfies ThreadMessage, [port]);
    }
  };
}

/** Tells environments that their thread broke down, and each whether no other one can have been the cause. */
function reportLoss(
  lost: readonly (readonly [number: number, settings: HostedSettings])[],
  reported: ReportedError,
  isEnding: (number: number) => boolean,
): void {
  const suspects = lost.filter(([number, { isBusy }]) => isBusy() || isEnding(number));
  for (const [number, each] of lost) {
    const isCause = suspects.every(([other]) => other === number);
    each.lost(reported, isCause);
  }
}

/** @param only undefined for a thread of several environments */
export function startThread(only?: OnlyEnvironment): FunctionThread {
  const ending = endingLock();
  const worker = startWorker({ ending }, only);
  const connect = engineConnections(worker);
  const environments = new Map<number, HostedSettings>();
  /** Environments that are to end, until the thread acknowledges it. */
  const ends = new Map<number, PromiseWithResolvers<void>>();
  let alive = true;
  let started = 0;

  /** The process may end if no environment is left. */
  const keepProcess = (): void => {
    if (environments.size > 0 || only !== undefined) worker.ref();
    else worker.unref();
  };
  const breakDown = (reported: ReportedError): void => {
    alive = false;
    const lost = [...environments];
    environments.clear();
    reportLoss(lost, reported, (number) => ends.has(number));
    for (const { resolve } of ends.values()) resolve();
  };
  const terminate = async (): Promise<void> => {
    alive = false;
    take(ending, packingMilliseconds);
    await worker.terminate();
  };
  worker.on("message", (message: RuntimeMessage) => {
    if (message.kind === "ended") ends.get(message.environment)?.resolve();
    else environments.get(message.environment)?.heard(message);
  });
  worker.on("error", (error) => breakDown(describeLoss(error)));
  worker.on("exit", (code) => breakDown(describeExit(`exit status ${code}`)));
  const send = (message: ThreadMessage): void => worker.postMessage(message);
  const endInThread = async (environment: number): Promise<void> => {
    const acknowledged = Promise.withResolvers<void>();
    ends.set(environment, acknowledged);
    const late = setTimeout(() => void terminate(), unresponsiveMilliseconds);
    send({ kind: "end", environment });
    await acknowledged.promise;
    clearTimeout(late);
    ends.delete(environment);
    environments.delete(environment);
    keepProcess();
  };

  return {
    isAlive: () => alive,
    collectGarbage: () => send({ kind: "collectGarbage" }),
    count: (code) => [...environments.values()].filter(({ runtime }) => runtime.code === code).length,
    host(settings) {
      const environment = ++started;
      environments.set(environment, settings);
      keepProcess();
      const { runtime, variables } = settings;
      if (only === undefined) connect(variables);
      send({ kind: "start", environment, runtime, variables, isAlone: only !== undefined });
      return {
        invoke: (invocation) => send({ kind: "invoke", environment, ...invocation }),
        async end() {
          if (!environments.has(environment)) return;
          if (only !== undefined) return await terminate();
          const known = ends.get(environment);
          if (known !== undefined) return await known.promise;
          await endInThread(environment);
        },
      };
    },
  };
}

/** As many as can run at once. They are kept until the process ends: another local run in it finds its code compiled. */
const sharedThreads: (FunctionThread | undefined)[] = Array.from({
  length: Math.min(availableParallelism(), 4),
});
const homes = new Map<string, number>();

/** The thread with the fewest environments of a function's code, so that a busy function can use every processor. */
export function sharedThread(code: string): FunctionThread {
  const home = homes.get(code) ?? homes.size % sharedThreads.length;
  homes.set(code, home);
  const counts = sharedThreads.map((thread) => (thread?.isAlive() ? thread.count(code) : 0));
  const fewest = Math.min(...counts);
  // At home the code is compiled already.
  const place = counts[home] === fewest ? home : counts.indexOf(fewest);
  const known = sharedThreads[place];
  const thread = known?.isAlive() ? known : startThread();
  sharedThreads[place] = thread;
  return thread;
}

/** Has the threads that environments share collect their garbage. */
export function collectSharedThreads(): void {
  for (const thread of sharedThreads) if (thread?.isAlive()) thread.collectGarbage();
}
