import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import { Logger } from "@aws-lambda-powertools/logger";
import type { Context } from "aws-lambda";
import { measure } from "./metrics.ts";

/** An event by its name, with counts or durations; never a person, nor a card's content. */
export type LogEvent = { readonly message: string } & Readonly<
  Record<string, string | number | readonly string[]>
>;

// With JSON logs Lambda sets this to INFO by default, and Powertools would prefer it to the stage's own level.
delete process.env.AWS_LAMBDA_LOG_LEVEL;

/** Reads its level from `POWERTOOLS_LOG_LEVEL` and the function's name from `POWERTOOLS_SERVICE_NAME`. */
const logger = new Logger();

/**
 * Sets the invocation that the following lines belong to.
 *
 * @param keys added to each line. `requestId` is API Gateway's: the vendor sees it as x-amzn-RequestId, the access log has
 *   it, and each card's message carries it to its delivery
 */
export function logInvocation(context: Context, keys: Readonly<Record<string, string>> = {}): void {
  logger.resetKeys();
  // Powertools' addContext would add the function's name, ARN and memory too: a third of a line, and its log group says them.
  logger.appendKeys({ function_request_id: context.awsRequestId, ...keys });
}

/** Writes one line of structured log. */
export function log({ message, ...details }: LogEvent): void {
  logger.info(message, details);
}

/** Writes one line about something that needs attention, with the error that caused it, if any. */
export function logError({ message, ...details }: LogEvent, error?: unknown): void {
  const cause = error instanceof Error ? { name: error.name, stack: sourceStack(error) } : {};
  logger.error(message, { ...details, ...cause });
}

/** Logs and counts an error that no code handles. */
export function reportUnexpected(error: unknown): void {
  logError({ message: "unexpected error" }, error);
  measure({ UnexpectedErrors: 1 });
}

/** A position in a bundle, as a stack shows it. Paths without a colon keep the search linear. */
const position = /(file:\/\/[^\s():]+\.mjs):(\d+):(\d+)/g;

const sourceMaps = new Map<string, SourceMap | undefined>();

function readSourceMap(bundle: string): SourceMap | undefined {
  if (!sourceMaps.has(bundle)) {
    try {
      sourceMaps.set(bundle, new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(bundle)}.map`, "utf8"))));
    } catch {
      sourceMaps.set(bundle, undefined);
    }
  }
  return sourceMaps.get(bundle);
}

/**
 * An error's stack with positions in the sources instead of in the bundle.
 *
 * It reads the source map at the first error. Node's --enable-source-maps would read it at every cold start, which then
 * takes a quarter longer.
 */
export function sourceStack({ stack = "" }: Error): string {
  return stack.replace(position, (found: string, bundle: string, line: string, column: string) => {
    const origin = readSourceMap(bundle)?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !("fileName" in origin)) return found;
    return `${origin.fileName.replace(/^(\.\.\/)+/, "")}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}
