import { Logger } from "@aws-lambda-powertools/logger";
import type { Context } from "aws-lambda";
import { sourceStack } from "./source-stack.ts";

/** What happened: its name, and counts or durations; never a person, nor a card's content. */
export type LogEvent = { readonly message: string } & Readonly<
  Record<string, string | number | readonly string[]>
>;

// Where a function's logs are JSON, Lambda's own filter lets INFO and above through unless it is told otherwise. It says
// so here, and Powertools would go by that instead of by the stage's own level.
delete process.env.AWS_LAMBDA_LOG_LEVEL;

/** Takes its level from `POWERTOOLS_LOG_LEVEL`, and the function's name from `POWERTOOLS_SERVICE_NAME`. */
const logger = new Logger();

/**
 * Names the invocation that the following lines belong to.
 *
 * @param keys what each line carries from now on. `requestId` is API Gateway's: the vendor sees it as
 *   x-amzn-RequestId, the access log has it, and each card's message takes it along to its delivery
 */
export function logInvocation(context: Context, keys: Readonly<Record<string, string>> = {}): void {
  logger.resetKeys();
  logger.addContext(context);
  logger.appendKeys(keys);
}

/** Writes one line of structured log. */
export function log({ message, ...details }: LogEvent): void {
  logger.info(message, details);
}

/** Writes one line about something that somebody should look into, and about the error behind it where there is one. */
export function logError({ message, ...details }: LogEvent, error?: unknown): void {
  const behind = error instanceof Error ? { name: error.name, stack: sourceStack(error) } : {};
  logger.error(message, { ...details, ...behind });
}
