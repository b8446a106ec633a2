import * as z from "zod/mini";
import { headerFinder, headersSchema } from "./gateway-event.ts";

/** Headers that scripts may read, besides the few that browsers show to every script. */
const exposed = "ETag, Preference-Applied, Retry-After, Scorecard-Warnings, x-amzn-RequestId";

/** What a page may send: the methods and headers of the whole API. */
const preflight = {
  "Access-Control-Allow-Methods": "GET, POST, DELETE",
  "Access-Control-Allow-Headers":
    "Accept, Authorization, Content-Encoding, Content-Type, If-None-Match, Prefer, Token",
  // Seconds: the longest that Chromium keeps it.
  "Access-Control-Max-Age": "7200",
};

type Headers = Readonly<Record<string, string>>;

const eventSchema = z.object({ headers: headersSchema });

function originOf(event: unknown): string | undefined {
  return headerFinder(eventSchema.safeParse(event).data?.headers)("origin");
}

/** Headers that tell a browser whether a page of another origin may use the API. */
export interface CrossOrigin {
  /** For the answer to a request; `event` is API Gateway's. */
  answerHeaders(event: unknown): Headers;
  /** For the answer to a preflight. */
  preflightHeaders(event: unknown): Headers;
}

/**
 * Lets pages of some origins use the API. A page has to send an account's credentials itself: browsers are never
 * asked to add any of their own.
 *
 * @param allowed origins with spaces between; undefined or empty for none, and then no header is set
 * @see Fetch standard, CORS protocol
 */
export function crossOrigin(allowed: string | undefined): CrossOrigin {
  const origins = new Set((allowed ?? "").split(" ").filter((origin) => origin !== ""));
  const headers = (event: unknown, more: Headers): Headers => {
    if (origins.size === 0) return {};
    const origin = originOf(event);
    // Caches have to keep answers apart by origin, those to refused origins too.
    if (origin === undefined || !origins.has(origin)) return { Vary: "Origin" };
    return { Vary: "Origin", "Access-Control-Allow-Origin": origin, ...more };
  };
  return {
    answerHeaders: (event) => headers(event, { "Access-Control-Expose-Headers": exposed }),
    preflightHeaders: (event) => headers(event, preflight),
  };
}
