import { setTimeout as delay } from "node:timers/promises";

/** How often and how soon unprocessed entries are sent again. */
export interface RetryLimits {
  readonly attempts: number;
  /** In milliseconds. After n attempts the wait is at most this times 2^n, and at most a second. */
  readonly backoffBase: number;
  /** If true, an attempt that processes something starts the count again, as for a result that comes in several parts. */
  readonly progressResets?: boolean;
}

const maxWaitMilliseconds = 1000;

/**
 * Sends a batch, and sends entries that the service left unprocessed again until none is left. Waits have full jitter, so
 * that throttled callers do not all return at once.
 *
 * @param send sends entries, and returns those to send again
 * @returns the entries that are still unprocessed after the last attempt
 * @throws what `send` throws
 */
export async function retryUnprocessed<Entry>(
  batch: readonly Entry[],
  { attempts, backoffBase, progressResets = false }: RetryLimits,
  send: (entries: readonly Entry[]) => Promise<readonly Entry[]>,
): Promise<readonly Entry[]> {
  let left = batch;
  for (let failures = 0; ; ) {
    const unprocessed = await send(left);
    if (unprocessed.length === 0) return [];
    failures = progressResets && unprocessed.length < left.length ? 0 : failures + 1;
    left = unprocessed;
    if (failures === attempts) return left;
    await delay(Math.random() * Math.min(backoffBase * 2 ** failures, maxWaitMilliseconds));
  }
}
