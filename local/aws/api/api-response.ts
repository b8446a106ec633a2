import type { OutgoingHttpHeaders } from "node:http";
import * as z from "zod";
import { GatewayRefusalError } from "./gateway-refusal.ts";

/** An HTTP response of the API to its client. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

const headerValue = z.union([z.string(), z.boolean().transform(String)]);

/** A function's result for a proxy event: every field may be left out, and no other field is allowed. */
const proxyResponseSchema = z.strictObject({
  statusCode: z.coerce.number().int().min(100).max(599).default(200),
  headers: z.record(z.string(), headerValue).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(headerValue)).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

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
 * @param binary whether this client gets binary bodies
 * @throws GatewayRefusalError DEFAULT_5XX (502) if the result does not have the form of a proxy response
 */
export function readProxyResponse(result: string, binary: boolean): ApiResponse {
  let own: z.output<typeof proxyResponseSchema>;
  try {
    own = proxyResponseSchema.parse(JSON.parse(result));
  } catch (cause) {
    throw new GatewayRefusalError("DEFAULT_5XX", { cause });
  }
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(own.headers ?? {})) setHeader(headers, name, value);
  for (const [name, values] of Object.entries(own.multiValueHeaders ?? {})) setHeader(headers, name, values);
  headers["content-type"] ??= "application/json";
  const encoding = own.isBase64Encoded && binary ? "base64" : "utf8";
  return { status: own.statusCode, headers, body: Buffer.from(own.body ?? "", encoding) };
}
