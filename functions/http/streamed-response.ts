import type { Context } from "aws-lambda";
import type { HttpResponse } from "./response.ts";

/** A response whose body may be bytes. */
export type StreamedResponse = HttpResponse<string | Uint8Array>;

/**
 * Streams the response of a middy handler. A body may be bytes, and larger than what Lambda returns otherwise. API Gateway
 * does not compress it.
 *
 * The middy handler is inside: middy's own mode for streaming delays a first response by 7 % (decision 19).
 *
 * @see API Gateway developer guide, Lambda proxy integration with payload response streaming
 */
export function streamedResponse(handler: (event: unknown, context: Context) => Promise<StreamedResponse>) {
  return awslambda.streamifyResponse(async (event: unknown, stream, context: Context) => {
    const { body, ...metadata } = await handler(event, context);
    const response = awslambda.HttpResponseStream.from(stream, metadata);
    // The metadata is sent by the first `write`, of an empty body as well, but never by `end`.
    response.write(body);
    const ended = Promise.withResolvers<void>();
    response.once("error", ended.reject);
    response.end(() => ended.resolve());
    await ended.promise;
  });
}
