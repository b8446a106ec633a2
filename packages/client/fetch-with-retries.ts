import { pause } from "./pause.ts";

/** Statuses after which a request is retried. */
const retryable = new Set([429, 503, 504]);
const timeoutMilliseconds = 30_000;
const firstPauseMilliseconds = 200;
const maxPauseMilliseconds = 5_000;

/** There was no response: the server could not be reached, the connection broke, or the request timed out. */
export class NoResponseError extends Error {
  override readonly name = "NoResponseError";

  constructor(url: string, cause: unknown) {
    super(`No response from ${new URL(url).origin}: ${toReason(cause)}.`, { cause });
  }
}

/** Why there is no response. `fetch` only says "fetch failed"; its cause has the reason. */
function toReason(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `it timed out after ${timeoutMilliseconds / 1000} seconds`;
  }
  const { cause } = error as { cause?: unknown };
  const { message, code } = (cause ?? error) as { message?: string; code?: string };
  return message || code || String(error);
}

/** A response that was read to its end. */
export interface ReadResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** How one attempt of a request ended. */
export interface AttemptResult {
  /** Absent if there was no response. */
  readonly status?: number;
  /** Identifies the request to the operator of the API. */
  readonly requestId?: string | undefined;
  readonly milliseconds: number;
}

/** What identifies a request to the operator of the API; undefined if the response has no id. */
export const toRequestId = (headers: Headers): string | undefined =>
  headers.get("x-amzn-requestid") ?? undefined;

/** How long a request is retried, and by which `fetch`. */
export interface Retries {
  /** No retry after this time, by the clock of `performance.now()`. */
  readonly deadline: number;
  readonly fetch: typeof fetch;
  readonly onAttempt?: (result: AttemptResult) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches, and retries after 429, 503, 504 and lost connections: the API is busy, starting or restarting. Waits for
 * Retry-After if the response has it. Any request to the API may be repeated, because it has the same effect as once.
 *
 * @returns the last response
 * @throws NoResponseError if there is none; the signal's reason when aborted
 */
export async function fetchWithRetries(
  url: string,
  init: RequestInit,
  { deadline, fetch, onAttempt, signal }: Retries,
): Promise<ReadResponse> {
  for (let attempt = 0; ; attempt += 1) {
    let wait = Math.min(maxPauseMilliseconds, firstPauseMilliseconds * 2 ** attempt);
    const begun = performance.now();
    const report = (read?: ReadResponse) =>
      onAttempt?.({
        ...(read && { status: read.status, requestId: toRequestId(read.headers) }),
        milliseconds: Math.round(performance.now() - begun),
      });
    try {
      const limit = AbortSignal.timeout(timeoutMilliseconds);
      const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      const response = await fetch(url, { ...init, signal: either });
      const { status, headers } = response;
      const read = { status, headers, text: await response.text() };
      report(read);
      wait = retryAfter(headers) ?? wait;
      if (!retryable.has(status) || performance.now() + wait > deadline) return read;
    } catch (error) {
      report();
      signal?.throwIfAborted();
      if (performance.now() + wait > deadline) throw new NoResponseError(url, error);
    }
    await pause(wait, signal);
  }
}

/** A response's Retry-After in milliseconds; undefined if it has none, or has a date. */
export function retryAfter(headers: Headers): number | undefined {
  const seconds = headers.get("retry-after");
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}
