import { setTimeout as delay } from "node:timers/promises";

/** Statuses after which a request is retried. */
const retryable = new Set([429, 503, 504]);
const timeoutMilliseconds = 30_000;
const firstPauseMilliseconds = 200;
const longestPauseMilliseconds = 5_000;

/** There was no response: the server could not be reached, the connection broke, or the request timed out. */
export class NoResponseError extends Error {
  override readonly name = "NoResponseError";

  constructor(url: string, cause: unknown) {
    super(`No response from ${new URL(url).origin}: ${reasonOf(cause)}.`, { cause });
  }
}

/** Why there is no response: the message of `fetch` is only "fetch failed", and its cause has the reason. */
function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `it timed out after ${timeoutMilliseconds / 1000} seconds`;
  }
  const { cause = error } = error as { cause?: unknown };
  const { message, code } = cause as NodeJS.ErrnoException;
  return message || code || String(error);
}

/**
 * Fetches, and retries while an API is busy, starting or restarting: after 429, 503, 504 and lost connections, and after
 * Retry-After if the response has it.
 *
 * @param deadline no retry after this time, by the clock of `performance.now()`
 * @returns the last response
 * @throws NoResponseError if there is none; the signal's reason when aborted
 */
export async function fetchWithRetries(
  url: string,
  init: RequestInit,
  deadline: number,
  signal: AbortSignal,
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    let pause = Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** attempt);
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]);
      const response = await fetch(url, { ...init, signal: limit });
      pause = retryAfter(response) ?? pause;
      if (!retryable.has(response.status) || performance.now() + pause > deadline) return response;
      await response.body?.cancel();
    } catch (error) {
      signal.throwIfAborted();
      if (performance.now() + pause > deadline) throw new NoResponseError(url, error);
    }
    await delay(pause, undefined, { signal });
  }
}

/**
 * The body of a response.
 *
 * @throws NoResponseError if the connection breaks; the signal's reason when aborted
 */
export async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    signal.throwIfAborted();
    throw new NoResponseError(response.url, error);
  }
}

/** A response's Retry-After in milliseconds; undefined if it has none, or has a date. */
export function retryAfter(response: Response): number | undefined {
  const seconds = response.headers.get("retry-after");
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}
