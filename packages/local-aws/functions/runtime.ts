import { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import zlib from "node:zlib";
import { type EndingLock, uninterrupted } from "./ending-lock.ts";
import type { ReportedError } from "./function-error.ts";
import { collectResponse, installResponseStreaming, streamingHandler } from "./response-stream.ts";

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

/** The data of an execution environment, and the lock that its thread shares with the main thread. */
export interface ThreadData extends RuntimeData {
  readonly ending: EndingLock;
}

/** An invocation, as sent to the environment. */
export interface Invocation {
  readonly requestId: string;
  /** JSON text. */
  readonly event: string;
  /** When it times out, in milliseconds since 1970. */
  readonly deadline: number;
}

/**
 * A message from the environment: ready once, then one answer or error for each invocation. An answer is JSON text, or
 * the bytes that a handler streamed.
 */
export type RuntimeMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly answer: string | Uint8Array }
  | { readonly kind: "error"; readonly error: ReportedError };

type Handler = (event: unknown, context: object) => unknown;

const {
  code,
  handler: handlerName,
  functionName,
  functionArn,
  memoryMegabytes,
  ending,
} = workerData as ThreadData;

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

async function loadHandler(): Promise<Handler> {
  const [, module = "", name = ""] = /^(.*)\.([^.]+)$/.exec(handlerName) ?? [];
  const file = [".mjs", ".js", ".cjs"].map((extension) => join(code, module + extension)).find(existsSync);
  if (file === undefined) throw new Error(`${code} has no module ${module}`);
  const handler: unknown = (await import(pathToFileURL(file).href))[name];
  if (typeof handler !== "function") throw new Error(`${handlerName} is undefined or not exported`);
  return handler as Handler;
}

function contextOf({ requestId, deadline }: Invocation): object {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: functionArn,
    memoryLimitInMB: String(memoryMegabytes),
    awsRequestId: requestId,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

async function run(invocation: Invocation): Promise<void> {
  try {
    const event: unknown = JSON.parse(invocation.event);
    const context = contextOf(invocation);
    const answer = streams
      ? await collectResponse(streams, event, context)
      : (JSON.stringify(await handler(event, context)) ?? "null");
    say({ kind: "answer", answer });
  } catch (error) {
    say({ kind: "error", error: report(error) });
  }
}

guardZlib();
installResponseStreaming();
const handler = await loadHandler();
const streams = streamingHandler(handler);
parentPort?.on("message", (invocation: Invocation) => void run(invocation));
say({ kind: "ready" });
