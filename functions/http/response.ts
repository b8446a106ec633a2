import * as z from "zod/mini";
import { headerFinder, headersSchema } from "./request.ts";

/** A response to a request behind API Gateway. Bytes are a body as it is sent, e.g. gzipped. */
export interface HttpResponse<Body extends string | Uint8Array = string> {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** The header of a JSON document in a response. */
export const jsonContentType = { "Content-Type": "application/json; charset=utf-8" };

/** A response with a JSON document, or with the text of one. */
export function json(
  statusCode: number,
  document: unknown,
  headers: Record<string, string> = {},
): HttpResponse {
  return {
    statusCode,
    headers: { ...jsonContentType, ...headers },
    body: typeof document === "string" ? document : JSON.stringify(document),
  };
}

/** Most bytes of a response's body: Lambda returns at most 6 MB, headers included. */
export const maxResponseBytes = 6_200_000;

/** Bytes of a body in a function's response. That is JSON, in which the body is a text with escaped quotes. */
function bytesInResponse(body: string): number {
  return Buffer.byteLength(JSON.stringify(body));
}

/** Whether a body made of these JSON texts fits into a response. */
export function fitsResponse(texts: readonly string[]): boolean {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > maxResponseBytes) return false;
  // Escaping doubles a text at most, so most bodies need not be escaped to be measured.
  return (
    bytes * 2 <= maxResponseBytes ||
    texts.reduce((sum, text) => sum + bytesInResponse(text), 0) <= maxResponseBytes
  );
}

/** The first entries of a list that together take at most `bytes` of a response. */
export function firstThatFit<Entry>(entries: readonly Entry[], bytes: number): readonly Entry[] {
  let left = bytes;
  const tooMany = entries.findIndex((entry) => {
    left -= bytesInResponse(JSON.stringify(entry));
    return left < 0;
  });
  return tooMany === -1 ? entries : entries.slice(0, tooMany);
}

/** The methods and headers of the whole API, since one function answers the preflights of all routes. */
const allowedByPreflight = {
  "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
  "Access-Control-Allow-Headers":
    "Accept, Authorization, Content-Encoding, Content-Type, If-None-Match, Prefer, Token",
  // Seconds: the longest that Chromium keeps it.
  "Access-Control-Max-Age": "7200",
};

/** Headers that scripts may read, besides the few that browsers show to every script. */
const exposedToScripts = {
  "Access-Control-Expose-Headers":
    "ETag, Preference-Applied, Retry-After, Scorecard-Corrections, Scorecard-Warnings, x-amzn-RequestId",
};

const eventSchema = z.object({ headers: headersSchema });

/**
 * Allows pages of some origins to use the API. A page must send an account's credentials itself: browsers are never
 * told to add any.
 *
 * @param allowed origins separated by spaces; undefined or empty for none, and then no header is set
 * @returns the headers of a response and of the response to a preflight, for an event of API Gateway
 * @see Fetch standard, CORS protocol
 */
export function crossOrigin(allowed: string | undefined) {
  const origins = new Set((allowed ?? "").split(" ").filter((origin) => origin !== ""));
  const headersWith =
    (ifAllowed: Readonly<Record<string, string>>) =>
    (event: unknown): Readonly<Record<string, string>> => {
      if (origins.size === 0) return {};
      const origin = headerFinder(eventSchema.safeParse(event).data?.headers)("origin");
      // Caches must keep responses apart by origin, even those to origins that are not allowed.
      if (origin === undefined || !origins.has(origin)) return { Vary: "Origin" };
      return { Vary: "Origin", "Access-Control-Allow-Origin": origin, ...ifAllowed };
    };
  return {
    responseHeaders: headersWith(exposedToScripts),
    preflightHeaders: headersWith(allowedByPreflight),
  };
}
