import { Readable } from "node:stream";
import middy from "@middy/core";
import { executionModeStreamifyResponse } from "@middy/core/StreamifyResponse";
import type { Context } from "aws-lambda";
import type { HttpResponse } from "./response.ts";
import { type VendorRequest, vendorApi } from "./vendor-api.ts";

/**
 * The same as {@link vendorApi}, for a route whose integration streams. A body may be bytes, and larger than what Lambda
 * returns otherwise. API Gateway does not compress it.
 *
 * @see API Gateway developer guide, Lambda proxy integration with payload response streaming
 */
export function streamedVendorApi(
  respond: (request: VendorRequest) => Promise<HttpResponse<string | Uint8Array>>,
) {
  const handler = vendorApi(respond);
  // `handler` ends before the time limit by itself.
  return middy({ executionMode: executionModeStreamifyResponse, timeoutEarlyInMillis: 0 }).handler(
    async (event: unknown, context: Context) => {
      const { body, ...metadata } = await handler(event, context);
      return { ...metadata, body: body.length === 0 ? "" : streamOf(body) };
    },
  );
}

/**
 * Middy takes no bytes, and cuts a long text into slices of 16,384 UTF-16 units, which breaks a character that two slices share.
 */
function streamOf(body: string | Uint8Array): Readable {
  return Readable.from([Buffer.from(body)]);
}
