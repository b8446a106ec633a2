import { setTimeout as delay } from "node:timers/promises";

/** Answers after which the same request may be sent again. */
const passing = new Set([429, 503, 504]);
const longestAnswerMilliseconds = 30_000;
const firstPauseMilliseconds = 200;
const longestPauseMilliseconds = 5_000;

/** There was no answer: nobody was reached, the connection broke, or it took too long. Says where, and why. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";

  constructor(url: string, cause: unknown) {
    super(`There is no answer from ${new URL(url).origin}: ${reasonOf(cause)}.`, { cause });
  }
}

/** Why there is none: `fetch` itself says "fetch failed", and has the reason as its cause. */
function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `nothing came within ${longestAnswerMilliseconds / 1000} seconds`;
  }
  const { cause = error } = error as { cause?: unknown };
  const { message, code } = cause as NodeJS.ErrnoException;
  return message || code || String(error);
}

/**
 * Fetches, and waits out an API that is busy, starting or restarting: 429, 503, 504 and lost connections are tried
 * again, after Retry-After where the answer has one.
 *
 * @param deadline by the clock of `performance.now()`; after it nothing is tried again
 * @returns the last answer
 * @throws NoAnswer where there is none; the signal's reason when aborted
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
      if (performance.now() + pause > deadline) throw new NoAnswer(url, error);
    }
    await delay(pause, undefined, { signal });
  }
}

/**
 * The body of an answer.
 *
 * @throws NoAnswer where it breaks off; the signal's reason when aborted
 */
export async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    signal.throwIfAborted();
    throw new NoAnswer(response.url, error);
  }
}

/** Milliseconds that an answer asks to wait; undefined where it does not say, or says it as a date. */
export function retryAfter(response: Response): number | undefined {
  const seconds = response.headers.get("retry-after");
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : undefined;
}
