import * as z from "zod/mini";
import { headerFinder, headersSchema } from "./gateway-event.ts";

/** Headers that scripts may read beside the few that every script may. */
const exposed = "ETag, Preference-Applied, Retry-After, Scorecard-Warnings, x-amzn-RequestId";

/** What a page may send: the methods and headers of the whole API. */
const preflight = {
  "Access-Control-Allow-Methods": "GET, POST, DELETE",
  "Access-Control-Allow-Headers":
    "Accept, Authorization, Content-Encoding, Content-Type, If-None-Match, Prefer, Token",
  // As long as browsers keep it.
  "Access-Control-Max-Age": "7200",
};

type Headers = Readonly<Record<string, string>>;

const eventSchema = z.object({ headers: headersSchema });

function originOf(event: unknown): string | undefined {
  return headerFinder(eventSchema.safeParse(event).data?.headers)("origin");
}

/** Headers by which browsers let pages of other origins use the API, or do not. */
export interface CrossOrigin {
  /** Of the answer to a request, given as API Gateway's event. */
  answerHeaders(event: unknown): Headers;
  /** Of the answer to a preflight. */
  preflightHeaders(event: unknown): Headers;
}

/**
 * Pages of which origins may use the API. A page must have an account's credentials itself: those that a browser
 * would add on its own are never asked for.
 *
 * @param allowed origins with spaces between; undefined or empty for none, and then no header is set
 * @see Fetch standard, CORS protocol
 */
export function crossOrigin(allowed: string | undefined): CrossOrigin {
  const origins = new Set((allowed ?? "").split(" ").filter((origin) => origin !== ""));
  const headers = (event: unknown, more: Headers): Headers => {
    if (origins.size === 0) return {};
    const origin = originOf(event);
    // The answer differs by origin, also for whom it is not allowed.
    if (origin === undefined || !origins.has(origin)) return { Vary: "Origin" };
    return { Vary: "Origin", "Access-Control-Allow-Origin": origin, ...more };
  };
  return {
    answerHeaders: (event) => headers(event, { "Access-Control-Expose-Headers": exposed }),
    preflightHeaders: (event) => headers(event, preflight),
  };
}
