import { setTimeout as delay } from "node:timers/promises";
import {
  type CardStatus,
  inQuestions,
  statusesOfCards,
  UnexpectedAnswer,
  type Vendor,
} from "./vendor-api.ts";

/** What following cards takes. */
export interface FollowOptions {
  readonly api: string;
  readonly vendor: Vendor;
  readonly externalIds: readonly string[];
  /** By the clock of `performance.now()`. */
  readonly deadline: number;
  /** A card has another state than when it was last asked for. */
  readonly onChange: (status: CardStatus) => void;
  /** The longest that it waits before it asks again, unless the API asks for more. */
  readonly longestPauseMilliseconds?: number;
  readonly signal: AbortSignal;
}

const shortestPauseMilliseconds = 500;
/** What the API will not answer differently next time: the request or the account is wrong. */
const lasting = new Set([400, 401, 403, 404]);

/** Whether nothing more becomes of a card by itself. */
export function isSettled(state: string): boolean {
  return ["delivered", "rejected", "withdrawn", "undelivered", "unknown"].includes(state);
}

/**
 * Follows a vendor's cards until each is settled, or the deadline has passed. As long as nothing changes it asks less
 * and less often. An answer that fails for now is asked for again, after Retry-After where it has one.
 *
 * @returns the last known status by ExternalID; none for a card of which nothing was learnt
 * @throws UnexpectedAnswer where the API refuses the request or the account; the reason of the signal
 */
export async function followCards(options: FollowOptions): Promise<Map<string, CardStatus>> {
  const { api, vendor, externalIds, deadline, onChange, longestPauseMilliseconds = 5_000, signal } = options;
  const statuses = new Map<string, CardStatus>();
  const shortestPause = Math.min(shortestPauseMilliseconds, longestPauseMilliseconds);
  let open: readonly string[] = [...new Set(externalIds)];
  let pause = shortestPause;
  /** What the API asked for in its last answers. */
  let longerPause = 0;

  async function ask(asked: readonly string[]): Promise<boolean> {
    let changed = false;
    try {
      for (const status of await statusesOfCards(api, vendor, asked, 0, signal)) {
        if (statuses.get(status.externalId)?.state === status.state) continue;
        statuses.set(status.externalId, status);
        onChange(status);
        changed = true;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UnexpectedAnswer)) return changed;
      if (lasting.has(error.status)) throw error;
      longerPause = Math.max(longerPause, error.retryAfterMilliseconds ?? 0);
    }
    return changed;
  }

  for (;;) {
    longerPause = 0;
    const answers = await inQuestions(open, ask);
    open = open.filter((externalId) => !isSettled(statuses.get(externalId)?.state ?? ""));
    if (open.length === 0 || performance.now() >= deadline) return statuses;
    pause = answers.includes(true) ? shortestPause : Math.min(longestPauseMilliseconds, pause * 1.5);
    const untilDeadline = Math.max(0, deadline - performance.now());
    await delay(Math.min(Math.max(pause, longerPause), untilDeadline), undefined, { signal });
  }
}
