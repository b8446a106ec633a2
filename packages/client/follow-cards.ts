import { ApiError } from "./api-error.ts";
import { finalStates, waitingStates } from "./card-states.ts";
import { inParallel } from "./in-parallel.ts";
import { pause } from "./pause.ts";

/** A card's state, with all other fields of its status. */
interface CardState {
  readonly externalId: string;
  readonly state: string;
}

/** The cards to follow, how to read their states, and for how long. */
export interface FollowOptions<Status extends CardState> {
  /** Reads the states of at most 100 cards, without retries. */
  readonly read: (externalIds: readonly string[]) => Promise<readonly Status[]>;
  readonly externalIds: Iterable<string>;
  /** By the clock of `performance.now()`. */
  readonly deadline: number;
  /** Longest pause between two requests, unless the API asks for more. */
  readonly maxPauseMilliseconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The API's limit on the cards of one status query. */
const cardsPerQuery = 100;
const concurrentQueries = 4;
const minPauseMilliseconds = 500;
/** Statuses that a retry does not change: the request or the account is wrong. */
const permanent = new Set([400, 401, 403, 404]);

/** A card that was never accepted is `refused` or `unknown`. */
const settledStates: readonly string[] = [...finalStates, "refused", "unknown"];

/** Whether a card stays in a state unless someone corrects, withdraws or redrives it. */
export function isSettled(state: string): boolean {
  return settledStates.includes(state);
}

/** Whether a card in this state is to be posted. */
export function isWaiting(state: string): boolean {
  return waitingStates.includes(state);
}

/**
 * Polls a vendor's cards until each is settled or the deadline has passed. The pause between two polls grows while
 * nothing changes. A transient error is retried, after Retry-After if the response has one.
 *
 * @returns the status of each card whose state has changed, as the changes come; a card that could not be read has none
 * @throws ApiError if the API refuses the request or the account; the signal's reason when aborted
 */
export async function* followCards<Status extends CardState>(
  options: FollowOptions<Status>,
): AsyncGenerator<Status> {
  const { read, deadline, maxPauseMilliseconds = 5_000, signal } = options;
  const states = new Map<string, string>();
  const minPause = Math.min(minPauseMilliseconds, maxPauseMilliseconds);
  let open = [...new Set(options.externalIds)];
  let wait = minPause;

  for (;;) {
    let hasChanged = false;
    /** Milliseconds to wait, from the Retry-After of the API's last responses. */
    let longerPause = 0;
    const answers = inParallel(queriesOf(open), concurrentQueries, async (asked) => {
      try {
        return await read(asked);
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ApiError) {
          if (permanent.has(error.status)) throw error;
          longerPause = Math.max(longerPause, error.retryAfterMilliseconds ?? 0);
        }
        return [];
      }
    });
    for await (const statuses of answers) {
      for (const status of statuses) {
        if (states.get(status.externalId) === status.state) continue;
        states.set(status.externalId, status.state);
        hasChanged = true;
        yield status;
      }
    }
    open = open.filter((externalId) => !isSettled(states.get(externalId) ?? ""));
    if (open.length === 0 || performance.now() >= deadline) return;
    wait = hasChanged ? minPause : Math.min(maxPauseMilliseconds, wait * 1.5);
    const untilDeadline = Math.max(0, deadline - performance.now());
    await pause(Math.min(Math.max(wait, longerPause), untilDeadline), signal);
  }
}

/** Splits ExternalIDs into lists that one status query may have. */
export function* queriesOf(externalIds: readonly string[]): Generator<string[]> {
  for (let first = 0; first < externalIds.length; first += cardsPerQuery) {
    yield externalIds.slice(first, first + cardsPerQuery);
  }
}
