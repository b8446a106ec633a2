import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  collectResponse,
  installResponseStreaming,
  streamingHandler,
} from "../../packages/local-aws/functions/response-stream.ts";

/** First argument of a function's process. */
export interface FunctionProcessOptions {
  readonly name: string;
  readonly bundle: string;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
  /** A folder of events, each a file that is called by its number. */
  readonly events: string;
}

/** What such a process says when it has answered all events. */
export interface FunctionProcessReport {
  /** The most that it had resident. */
  readonly bytes: number;
  /** How each answer begins, as JSON text; of a streamed one that is its metadata. */
  readonly answers: readonly string[];
  /** Of all invocations together. */
  readonly seconds: number;
}

const beginning = 400;

/**
 * The most that this process had resident, as Linux says. The figure of getrusage begins with the parent's, so it is
 * taken only where there is no other.
 */
function mostResidentBytes(): number {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}

const options: FunctionProcessOptions = JSON.parse(process.argv[2] ?? "{}");
installResponseStreaming();
const { handler } = await import(pathToFileURL(options.bundle).href);
const streams = streamingHandler(handler);
const answers: string[] = [];
const begun = performance.now();
for (let number = 0; number < readdirSync(options.events).length; number++) {
  const deadline = Date.now() + options.timeoutSeconds * 1000;
  const context = {
    awsRequestId: `memory-${number}`,
    functionName: options.name,
    functionVersion: "$LATEST",
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${options.name}`,
    memoryLimitInMB: String(options.memoryMegabytes),
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  // Parsed and written within the process, as Lambda's runtime does.
  const event: unknown = JSON.parse(readFileSync(join(options.events, `${number}.json`), "utf8"));
  if (streams === undefined) {
    const answer = JSON.stringify(await handler(event, context)) ?? "null";
    answers.push(answer.slice(0, beginning));
  } else {
    const answer = await collectResponse(streams, event, context);
    answers.push(answer.toString("latin1", 0, beginning));
  }
}
const seconds = (performance.now() - begun) / 1000;
const report: FunctionProcessReport = { bytes: mostResidentBytes(), answers, seconds };
process.send?.(report, () => process.exit(0));
