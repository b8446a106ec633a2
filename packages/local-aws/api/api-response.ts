import type { OutgoingHttpHeaders } from "node:http";
import * as z from "zod";
import { metadataEnd } from "../functions/response-stream.ts";
import { GatewayRefusalError } from "./gateway-refusal.ts";

/** An HTTP response of the API to its client. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
  /** Whether it is sent as the integration streams it; API Gateway then does not compress it. */
  readonly streamed?: true;
}

const headerValue = z.union([z.string(), z.boolean().transform(String)]);

/** The metadata before the body of a streamed response: every field may be left out. */
const metadataSchema = z.strictObject({
  statusCode: z.coerce.number().int().min(100).max(599).default(200),
  headers: z.record(z.string(), headerValue).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(headerValue)).nullish(),
});

/** A function's result for a proxy event: every field may be left out, and no other field is allowed. */
const proxyResponseSchema = metadataSchema.extend({
  body: z.string().nullish(),
});

/** API Gateway looks for the end of a streamed response's metadata in the first 16 KB. */
const maxMetadataBytes = 16 * 1024;

/** Headers that a function cannot set: API Gateway returns them under another name. */
const remapped = new Set(["connection", "content-length", "date", "server", "www-authenticate"]);

function setHeader(headers: OutgoingHttpHeaders, name: string, value: string | string[]): void {
  const lower = name.toLowerCase();
  if (lower === "transfer-encoding") return;
  headers[remapped.has(lower) ? `x-amzn-remapped-${lower}` : lower] = value;
}

/**
 * Turns a function's result into the response to the client.
 *
 * @param result JSON text
 * @throws GatewayRefusalError DEFAULT_5XX (502) if the result does not have the form of a proxy response
 */
export function readProxyResponse(result: string): ApiResponse {
  let own: z.output<typeof proxyResponseSchema>;
  try {
    own = proxyResponseSchema.parse(JSON.parse(result));
  } catch (cause) {
    throw new GatewayRefusalError("DEFAULT_5XX", { cause });
  }
  return { status: own.statusCode, headers: toHeaders(own), body: Buffer.from(own.body ?? "") };
}

/**
 * Turns a function's stream into the response to the client. The stream is metadata as JSON, eight NUL bytes, and the body.
 *
 * @throws GatewayRefusalError DEFAULT_5XX (502) if the metadata is missing or of another form
 * @see API Gateway developer guide, Lambda proxy integration format for response streaming
 */
export function readStreamedResponse(streamed: Uint8Array): ApiResponse {
  const bytes = Buffer.from(streamed.buffer, streamed.byteOffset, streamed.byteLength);
  const end = bytes.subarray(0, maxMetadataBytes).indexOf(metadataEnd);
  try {
    if (end === -1) throw new Error("The response has no metadata in its first 16 KiB.");
    const own = metadataSchema.parse(JSON.parse(bytes.toString("utf8", 0, end)));
    const body = bytes.subarray(end + metadataEnd.length);
    return { status: own.statusCode, headers: toHeaders(own), body, streamed: true };
  } catch (cause) {
    throw new GatewayRefusalError("DEFAULT_5XX", { cause });
  }
}

function toHeaders(own: z.output<typeof metadataSchema>): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(own.headers ?? {})) setHeader(headers, name, value);
  for (const [name, values] of Object.entries(own.multiValueHeaders ?? {})) setHeader(headers, name, values);
  headers["content-type"] ??= "application/json";
  return headers;
}
