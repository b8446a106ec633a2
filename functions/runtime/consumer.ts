import middy from "@middy/core";
import type { Context } from "aws-lambda";
import type * as z from "zod/mini";
import type { Figures } from "./metrics.ts";

/** How a function handles the events of a queue, a stream or a schedule. */
interface ConsumerOptions<Event, Response> {
  /** Starts the log of a run. Left out by a function that logs nothing: the logger is a twelfth of a small bundle. */
  readonly logInvocation?: (context: Context) => void;
  readonly event: z.ZodMiniType<Event>;
  /** Published at the end of each run, whether it succeeds or fails. */
  readonly figures?: Pick<Figures, "publish">;
  /** @returns the function's response; see `batchResponse` for a queue or a stream */
  readonly run: (event: Event, remainingMilliseconds: () => number) => Promise<Response>;
}

/**
 * Creates the handler of a queue, a stream or a schedule, as `vendorApi` does for requests. If a run throws, Lambda logs and counts
 * the error, and hands over all messages or records of the event again.
 *
 * @example
 * export const handler = consumer({
 *   logInvocation,
 *   event: z.object({ Records: z.array(z.object({ messageId: z.string(), body: z.string() })) }),
 *   figures,
 *   run: async ({ Records }, remainingMilliseconds) => batchResponse(await deliver(Records, remainingMilliseconds)),
 * });
 */
export function consumer<Event, Response>({
  logInvocation,
  event: schema,
  figures,
  run,
}: ConsumerOptions<Event, Response>) {
  return middy<unknown, Response>({
    // Otherwise middy answers 5 ms before the time limit, and the interrupted run would resume beside the next one.
    timeoutEarlyInMillis: 0,
    requestEnd: () => figures?.publish(),
  })
    .before(({ context }) => logInvocation?.(context))
    .handler((event, context: Context) => run(schema.parse(event), () => context.getRemainingTimeInMillis()));
}

/**
 * A partial batch response: Lambda hands over these messages again, or the records of a stream from the first of these on.
 *
 * @param failed message IDs of a queue, or sequence numbers of a stream
 * @see AWS Lambda developer guide, Implementing partial batch responses
 */
export function batchResponse(failed: readonly string[]) {
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
