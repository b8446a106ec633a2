import { setTimeout as delay } from "node:timers/promises";
import pMap from "p-map";
import {
  type CardStatus,
  mostCardsAsked,
  statusesOfCards,
  UnexpectedAnswer,
} from "../../client/vendor-api.ts";
import { chunks } from "../../core/store/chunks.ts";
import type { VendorAccess } from "../vendor-access.ts";

/** What following cards takes. */
export interface FollowOptions {
  readonly access: VendorAccess;
  readonly externalIds: readonly string[];
  /** By the clock of `performance.now()`. */
  readonly deadline: number;
  /** A card has another state than when it was last asked for. */
  readonly onChange: (status: CardStatus) => void;
  readonly signal: AbortSignal;
}

const parallelQuestions = 4;
const shortestPauseMilliseconds = 500;
const longestPauseMilliseconds = 5_000;
/** What the API will not answer differently next time: the request or the account is wrong. */
const lasting = new Set([400, 401, 403, 404]);

/** Whether nothing more becomes of a card by itself. */
export function isOutcome(state: string): boolean {
  return ["delivered", "rejected", "withdrawn", "undelivered", "unknown"].includes(state);
}

/**
 * Follows cards until each has an outcome, or the deadline has passed. It asks more seldom as long as nothing changes,
 * and an answer that fails for now is asked for again.
 *
 * @returns the last known status by ExternalID; none for a card of which nothing was learnt
 * @throws UnexpectedAnswer where the API refuses the request or the account; the reason of the signal
 */
export async function followCards(options: FollowOptions): Promise<Map<string, CardStatus>> {
  const { access, externalIds, deadline, onChange, signal } = options;
  const { api, vendor } = access;
  const statuses = new Map<string, CardStatus>();
  let open: readonly string[] = [...new Set(externalIds)];
  let pause = shortestPauseMilliseconds;

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
      if (error instanceof UnexpectedAnswer && lasting.has(error.status)) throw error;
    }
    return changed;
  }

  for (;;) {
    const answers = await pMap(chunks(open, mostCardsAsked), ask, { concurrency: parallelQuestions });
    open = open.filter((externalId) => !isOutcome(statuses.get(externalId)?.state ?? ""));
    if (open.length === 0 || performance.now() >= deadline) return statuses;
    pause = answers.includes(true)
      ? shortestPauseMilliseconds
      : Math.min(longestPauseMilliseconds, pause * 1.5);
    await delay(Math.max(0, Math.min(pause, deadline - performance.now())), undefined, { signal });
  }
}
