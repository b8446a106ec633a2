import { ApiError } from "./api-error.ts";
import { type AttemptResult, fetchWithRetries, type ReadResponse } from "./fetch-with-retries.ts";
import { gzipped } from "./gzipped.ts";

/** A cached response of the API and its ETag, as plain data. Only clubs and courses are cached, never persons. */
export interface RememberedAnswer {
  readonly etag: string;
  /** JSON text. */
  readonly text: string;
}

/** A cache of responses by URL: a `Map`, or one with the same methods that also evicts. */
export interface AnswerCache {
  get(url: string): RememberedAnswer | undefined;
  set(url: string, answer: RememberedAnswer): unknown;
}

/** An API and the account to use it with. */
export interface ClientOptions {
  /** Base address, `https://{host}/{stage}`, without the API set. */
  readonly api: string;
  readonly username: string;
  readonly password: string;
  /** By default the user name. */
  readonly apiSet?: string;
  /** How long a request is retried while the API is busy or cannot be reached; 120 by default, 0 for never. */
  readonly retrySeconds?: number;
  /** Clubs and courses in it are downloaded only if they have changed. By default nothing is cached. */
  readonly cache?: AnswerCache;
  /** By default the global one. */
  readonly fetch?: typeof fetch;
  /** Called after each attempt of a request, e.g. to log it: it has no credentials, no person and no card's content. */
  readonly onAttempt?: (attempt: RequestAttempt) => void;
}

/** One attempt of a request. */
export interface RequestAttempt extends AttemptResult {
  readonly method: string;
  /** Below the base address, without the query, which may have a member's number. */
  readonly path: string;
}

/** Options of every request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  readonly retrySeconds?: number | undefined;
}

/** Method, body and expected status of a request. */
interface RequestDetails extends RequestOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** JSON text. */
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Status of success; by default 200. */
  readonly expected?: number;
}

/**
 * Sends a request to a path below the API set.
 *
 * @throws ApiError for any other status than the expected one; NoResponseError if there is no response; the signal's reason
 *   when aborted
 */
export type SendRequest = (path: string, details?: RequestDetails) => Promise<ReadResponse>;

/** Shorter bodies are not worth compressing. */
const bytesWorthCompressing = 8_192;

/** @throws TypeError if the base address has credentials or is no address of the web */
export function connect(options: ClientOptions): SendRequest {
  const { username, password, apiSet = username, retrySeconds: usualRetrySeconds = 120, cache } = options;
  const api = baseAddress(options.api);
  const authorization = `Basic ${base64(`${username}:${password}`)}`;
  return async (path, details = {}) => {
    const { method = "GET", json, expected = 200, signal, retrySeconds = usualRetrySeconds } = details;
    const headers: Record<string, string> = {
      Accept: "application/json",
      Authorization: authorization,
      ...details.headers,
    };
    const init: RequestInit = { method, headers };
    if (json !== undefined) {
      headers["Content-Type"] = "application/json";
      init.body = json;
      const compressed = json.length >= bytesWorthCompressing ? await gzipped(json) : undefined;
      if (compressed !== undefined) {
        headers["Content-Encoding"] = "gzip";
        init.body = compressed;
      }
    }
    const url = `${api}/${encodeURIComponent(apiSet)}/${path}`;
    const remembered = cache?.get(url);
    if (remembered !== undefined) headers["If-None-Match"] = remembered.etag;
    const response = await fetchWithRetries(url, init, {
      // `fetch` is called without an object: browsers throw if it is called as a method of another one.
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      onAttempt: (attempt) =>
        options.onAttempt?.({ method, path: url.slice(api.length).replace(/\?.*/, ""), ...attempt }),
      deadline: performance.now() + retrySeconds * 1_000,
      signal,
    });
    if (response.status === 304 && remembered !== undefined) {
      return { ...response, status: expected, text: remembered.text };
    }
    if (response.status !== expected) throw new ApiError(api, response);
    const { headers: about, text } = response;
    const etag = about.get("etag");
    const isPersonal = about.get("cache-control")?.includes("no-store");
    // Responses with `changedsince` are not cached: each request asks for changes since another time.
    if (etag !== null && !isPersonal && !path.includes("changedsince=")) cache?.set(url, { etag, text });
    return response;
  };
}

/** A base address without a slash at its end. The error does not repeat an address that may have a password. */
function baseAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new TypeError("`api` is no address. Give the base address, https://{host}/{stage}.");
  }
  const { username, password } = new URL(text);
  if (username || password) {
    throw new TypeError("`api` has credentials. Give them as `username` and `password`.");
  }
  return text.replace(/\/+$/, "");
}

/** Base64 of a text's UTF-8. */
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
