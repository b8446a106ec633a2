import { AsyncLocalStorage } from "node:async_hooks";
import { existsSync, readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import zlib from "node:zlib";
import { collectGarbage } from "../base/collect-garbage.ts";
import { type EndingLock, uninterrupted } from "./ending-lock.ts";
import { connectEngine } from "./engine-request.ts";
import { type EnvironmentGlobals, environmentGlobals, globalNames } from "./environment-globals.ts";
import type { ReportedError } from "./function-error.ts";
import { collectResponse, installResponseStreaming, streamingHandler } from "./response-stream.ts";
import { compileModule, type EvaluateModule, UnsharedModuleError } from "./shared-module.ts";

/** The function's code, handler and identity, which an execution environment gets when it starts. */
export interface RuntimeData {
  /** Folder of the function's bundle. */
  readonly code: string;
  /** Module and export, such as index.handler. */
  readonly handler: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMegabytes: number;
}

/** The data of a thread. */
export interface ThreadData {
  /** Shared with the main thread. */
  readonly ending: EndingLock;
}

interface StartMessage {
  readonly kind: "start";
  readonly environment: number;
  readonly runtime: RuntimeData;
  readonly variables: Readonly<Record<string, string>>;
  /** Whether it is the only one that this thread ever has. Its variables are the thread's, and so is what it prints. */
  readonly isAlone: boolean;
}

/** An invocation, as sent to the environment. */
export interface InvokeMessage {
  readonly kind: "invoke";
  readonly environment: number;
  readonly requestId: string;
  /** JSON text. */
  readonly event: string;
  /** When it times out, in milliseconds since 1970. */
  readonly deadline: number;
}

/** A message to the thread. */
export type ThreadMessage =
  | StartMessage
  | InvokeMessage
  | { readonly kind: "end"; readonly environment: number }
  | { readonly kind: "collectGarbage" }
  | { readonly kind: "connect"; readonly address: string; readonly port: MessagePort };

/**
 * A message from an environment: ready once, or unshared if it needs a thread of its own; then lines that it prints, and one answer or
 * error for each invocation. An answer is JSON text, or the bytes that a handler streamed. After a crash or its end there are no others.
 */
export type RuntimeMessage = { readonly environment: number } & (
  | { readonly kind: "ready" | "unshared" | "ended" }
  | { readonly kind: "log"; readonly line: string }
  | { readonly kind: "answer"; readonly answer: string | Uint8Array }
  | { readonly kind: "error" | "crash"; readonly error: ReportedError }
);

type Handler = (event: unknown, context: object) => unknown;

interface HostedEnvironment {
  readonly number: number;
  readonly runtime: RuntimeData;
  readonly variables: Readonly<Record<string, string>>;
  /** Undefined for one that has the thread alone. */
  readonly globals: EnvironmentGlobals | undefined;
  handler: Handler | undefined;
}

const { ending } = workerData as ThreadData;
const hosted = new Map<number, HostedEnvironment>();
/** The environment whose code runs. */
const running = new AsyncLocalStorage<HostedEnvironment>();

/** Delays the termination of the thread while zlib compresses or decompresses. */
function guardZlib(): void {
  const { deflateRawSync, gunzipSync, gzipSync, inflateRawSync } = zlib;
  zlib.deflateRawSync = (...given) => uninterrupted(ending, () => deflateRawSync(...given));
  zlib.inflateRawSync = (...given) => uninterrupted(ending, () => inflateRawSync(...given));
  zlib.gunzipSync = (...given) => uninterrupted(ending, () => gunzipSync(...given));
  zlib.gzipSync = (...given) => uninterrupted(ending, () => gzipSync(...given));
  syncBuiltinESMExports();
}

function say(message: RuntimeMessage): void {
  parentPort?.postMessage(message);
}

function report(error: unknown): ReportedError {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? "").split("\n") };
}

function endEnvironment(number: number): void {
  hosted.get(number)?.globals?.end();
  hosted.delete(number);
}

function crash({ number }: HostedEnvironment, error: ReportedError): void {
  if (hosted.has(number)) say({ kind: "crash", environment: number, error });
  endEnvironment(number);
}

const exited = (code: number): ReportedError => ({
  errorType: "Runtime.ExitError",
  errorMessage: `Runtime exited with error: exit status ${code}`,
  trace: [],
});

/** Compiled modules by their source: each is compiled once for all environments of this thread. */
const modules = new Map<string, EvaluateModule>();

/** @throws UnsharedModuleError */
function evaluateShared(file: string, { values }: EnvironmentGlobals): Promise<Record<string, unknown>> {
  const source = readFileSync(file, "utf8");
  const evaluate = modules.get(source) ?? compileModule(source, pathToFileURL(file).href, globalNames);
  modules.set(source, evaluate);
  return evaluate(values);
}

function findModule({ code, handler }: RuntimeData): { readonly file: string; readonly name: string } {
  const [, module = "", name = ""] = /^(.*)\.([^.]+)$/.exec(handler) ?? [];
  const file = [".mjs", ".js", ".cjs"].map((extension) => join(code, module + extension)).find(existsSync);
  if (file === undefined) throw new Error(`${code} has no module ${module}`);
  return { file, name };
}

async function start({ environment: number, runtime, variables, isAlone }: StartMessage): Promise<void> {
  try {
    const { file, name } = findModule(runtime);
    if (!isAlone && !file.endsWith(".mjs")) throw new UnsharedModuleError("It may be a CommonJS module.");
    const globals = isAlone
      ? undefined
      : environmentGlobals(file, {
          variables,
          log: (line) => say({ kind: "log", environment: number, line }),
          exit: (code) => crash(environment, exited(code)),
        });
    const environment: HostedEnvironment = { number, runtime, variables, globals, handler: undefined };
    hosted.set(number, environment);
    await running.run(environment, async () => {
      const exports =
        globals === undefined ? await import(pathToFileURL(file).href) : await evaluateShared(file, globals);
      const handler: unknown = exports[name];
      if (typeof handler !== "function") throw new Error(`${runtime.handler} is undefined or not exported`);
      environment.handler = handler as Handler;
    });
    if (hosted.has(number)) say({ kind: "ready", environment: number });
  } catch (error) {
    endEnvironment(number);
    if (error instanceof UnsharedModuleError) say({ kind: "unshared", environment: number });
    else say({ kind: "crash", environment: number, error: report(error) });
  }
}

function createContext(
  { runtime, variables }: HostedEnvironment,
  { requestId, deadline }: InvokeMessage,
): object {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: runtime.functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: runtime.functionArn,
    memoryLimitInMB: String(runtime.memoryMegabytes),
    awsRequestId: requestId,
    logGroupName: variables.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: variables.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

async function invoke(environment: HostedEnvironment, invocation: InvokeMessage): Promise<void> {
  const { number, handler } = environment;
  const answer = (message: RuntimeMessage): void => {
    if (hosted.has(number)) say(message);
  };
  try {
    const event: unknown = JSON.parse(invocation.event);
    const context = createContext(environment, invocation);
    const streams = streamingHandler(handler);
    answer({
      kind: "answer",
      environment: number,
      answer: streams
        ? await collectResponse(streams, event, context)
        : (JSON.stringify(await handler?.(event, context)) ?? "null"),
    });
  } catch (error) {
    answer({ kind: "error", environment: number, error: report(error) });
  }
}

/** An error that no code handles ends the environment whose code it is, and no other of the thread. */
function crashByError(error: unknown): void {
  const environment = running.getStore();
  if (environment === undefined) throw error;
  const isError = error instanceof Error;
  crash(environment, {
    ...report(error),
    ...(!isError && { errorType: "Runtime.UnhandledPromiseRejection" }),
  });
}

guardZlib();
installResponseStreaming();
// Node would print it where nobody knows whose it is.
process.removeAllListeners("warning").on("warning", ({ name, message }) => {
  const environment = running.getStore();
  if (environment !== undefined)
    say({ kind: "log", environment: environment.number, line: `${name}: ${message}` });
});
process.on("uncaughtException", crashByError);
process.on("unhandledRejection", crashByError);
parentPort?.on("message", (message: ThreadMessage) => {
  if (message.kind === "start") void start(message);
  else if (message.kind === "connect") connectEngine(message.address, message.port);
  else if (message.kind === "collectGarbage") collectGarbage();
  else if (message.kind === "end") {
    endEnvironment(message.environment);
    say({ kind: "ended", environment: message.environment });
  } else {
    const environment = hosted.get(message.environment);
    if (environment !== undefined) running.run(environment, () => void invoke(environment, message));
  }
});
