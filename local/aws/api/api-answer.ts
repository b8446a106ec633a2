import type { OutgoingHttpHeaders } from "node:http";
import * as z from "zod";
import { GatewayRefusal } from "./gateway-refusal.ts";

/** An answer on its way to the client. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

const headerValue = z.union([z.string(), z.boolean().transform(String)]);

/** A function's answer to a proxy event: every field may be left out, and no other field is allowed. */
const answerSchema = z.strictObject({
  statusCode: z.coerce.number().int().min(100).max(599).default(200),
  headers: z.record(z.string(), headerValue).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(headerValue)).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** Headers that API Gateway does not let a function set, but passes on under another name. */
const remapped = new Set(["connection", "content-length", "date", "server", "www-authenticate"]);

function setHeader(headers: OutgoingHttpHeaders, name: string, value: string | string[]): void {
  const lower = name.toLowerCase();
  if (lower === "transfer-encoding") return;
  headers[remapped.has(lower) ? `x-amzn-remapped-${lower}` : lower] = value;
}

/**
 * Turns a function's answer into the answer to the client.
 *
 * @param answer JSON text
 * @param binary whether the API hands this client binary bodies
 * @throws GatewayRefusal DEFAULT_5XX (502) where it is not of a proxy answer's form
 */
export function readAnswer(answer: string, binary: boolean): ApiAnswer {
  let own: z.output<typeof answerSchema>;
  try {
    own = answerSchema.parse(JSON.parse(answer));
  } catch (cause) {
    throw new GatewayRefusal("DEFAULT_5XX", { cause });
  }
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(own.headers ?? {})) setHeader(headers, name, value);
  for (const [name, values] of Object.entries(own.multiValueHeaders ?? {})) setHeader(headers, name, values);
  headers["content-type"] ??= "application/json";
  const encoding = own.isBase64Encoded && binary ? "base64" : "utf8";
  return { status: own.statusCode, headers, body: Buffer.from(own.body ?? "", encoding) };
}
