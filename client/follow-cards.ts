import { setTimeout as delay } from "node:timers/promises";
import { type CardStatus, inBatches, UnexpectedResponseError } from "./vendor-api.ts";

/** What {@link followCards} needs. */
export interface FollowOptions {
  /** Reads the states of at most 100 cards, without retries. */
  readonly read: (externalIds: readonly string[], signal: AbortSignal) => Promise<readonly CardStatus[]>;
  readonly externalIds: readonly string[];
  /** By the clock of `performance.now()`. */
  readonly deadline: number;
  /** Called when a card's state has changed. */
  readonly onChange: (status: CardStatus) => void;
  /** Longest pause between two requests, unless the API asks for more. */
  readonly longestPauseMilliseconds?: number;
  readonly signal: AbortSignal;
}

const shortestPauseMilliseconds = 500;
/** Statuses that a retry does not change: the request or the account is wrong. */
const permanent = new Set([400, 401, 403, 404]);

/** Whether a card stays in a state unless someone corrects, withdraws or redrives it. */
export function isSettled(state: string): boolean {
  return ["delivered", "rejected", "withdrawn", "undelivered", "unknown"].includes(state);
}

/**
 * Polls a vendor's cards until each is settled or the deadline has passed. The pause between two polls grows while
 * nothing changes. A transient error is retried, after Retry-After if the response has one.
 *
 * @returns the last known status by ExternalID; a card that could not be read is missing
 * @throws UnexpectedResponseError if the API refuses the request or the account; the signal's reason when aborted
 */
export async function followCards(options: FollowOptions): Promise<Map<string, CardStatus>> {
  const { read, externalIds, deadline, onChange, longestPauseMilliseconds = 5_000, signal } = options;
  const statuses = new Map<string, CardStatus>();
  const shortestPause = Math.min(shortestPauseMilliseconds, longestPauseMilliseconds);
  let open: readonly string[] = [...new Set(externalIds)];
  let pause = shortestPause;
  /** Milliseconds that the API asked to wait in its last responses. */
  let longerPause = 0;

  async function ask(asked: readonly string[]): Promise<boolean> {
    let changed = false;
    try {
      for (const status of await read(asked, signal)) {
        if (statuses.get(status.externalId)?.state === status.state) continue;
        statuses.set(status.externalId, status);
        onChange(status);
        changed = true;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UnexpectedResponseError)) return changed;
      if (permanent.has(error.status)) throw error;
      longerPause = Math.max(longerPause, error.retryAfterMilliseconds ?? 0);
    }
    return changed;
  }

  for (;;) {
    longerPause = 0;
    const answers = await inBatches(open, ask);
    open = open.filter((externalId) => !isSettled(statuses.get(externalId)?.state ?? ""));
    if (open.length === 0 || performance.now() >= deadline) return statuses;
    pause = answers.includes(true) ? shortestPause : Math.min(longestPauseMilliseconds, pause * 1.5);
    const untilDeadline = Math.max(0, deadline - performance.now());
    await delay(Math.min(Math.max(pause, longerPause), untilDeadline), undefined, { signal });
  }
}
