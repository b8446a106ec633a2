import { setTimeout as delay } from "node:timers/promises";

/** Answers after which the same request may be sent again. */
const passing = new Set([429, 503, 504]);
const longestAnswerMilliseconds = 30_000;
const firstPauseMilliseconds = 200;
const longestPauseMilliseconds = 5_000;

/**
 * Fetches, and waits out an API that is busy, starting or restarting: 429, 503, 504 and lost connections are tried
 * again, after Retry-After where the answer has one.
 *
 * @param deadline by the clock of `performance.now()`; after it nothing is tried again
 * @returns the last answer
 * @throws the last connection error; the signal's reason when aborted
 */
export async function patientFetch(
  url: string,
  init: RequestInit,
  deadline: number,
  signal: AbortSignal,
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    let pause = Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** attempt);
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(longestAnswerMilliseconds)]);
      const response = await fetch(url, { ...init, signal: limit });
      pause = retryAfter(response) ?? pause;
      if (!passing.has(response.status) || performance.now() + pause > deadline) return response;
      await response.body?.cancel();
    } catch (error) {
      signal.throwIfAborted();
      if (performance.now() + pause > deadline) throw error;
    }
    await delay(pause, undefined, { signal });
  }
}

/** Milliseconds that an answer asks to wait; undefined where it does not say, or says it as a date. */
export function retryAfter(response: Response): number | undefined {
  const seconds = response.headers.get("retry-after");
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}
