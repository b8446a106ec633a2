import { UnionUnavailableError } from "../union/union-unavailable-error.ts";

/** The clocks of {@link unionPause}. */
export interface PauseDependencies {
  readonly now: () => Date;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** The longest that this run can wait, in milliseconds. */
  readonly maxMilliseconds: () => number;
}

/** The pause that the union asks for by Retry-After, shared by all requests of a sync. */
export interface UnionPause {
  /** When it ends, in milliseconds since 1970, UTC; 0 if the union has not asked for one. */
  until(): number;
  /**
   * Makes a request when the pause is over, and again after a pause that its answer asks for.
   *
   * @returns undefined if the pause lasts longer than this run can wait
   * @throws what the request throws, if that asks for no pause
   */
  ask<T>(request: () => Promise<T>): Promise<T | undefined>;
}

/** How often a request is made that is answered with Retry-After each time. */
const attempts = 3;

/** Starts with the pause that an earlier sync was asked for. */
export function unionPause(earlier: number, { now, sleep, maxMilliseconds }: PauseDependencies): UnionPause {
  let until = earlier;
  async function isOver(): Promise<boolean> {
    for (;;) {
      const wait = until - now().getTime();
      if (wait <= 0) return true;
      if (wait > maxMilliseconds()) return false;
      await sleep(wait);
    }
  }

  return {
    until: () => until,
    async ask(request) {
      for (let attempt = 0; attempt < attempts && (await isOver()); attempt++) {
        try {
          return await request();
        } catch (error) {
          const seconds = error instanceof UnionUnavailableError ? error.retryAfterSeconds : undefined;
          if (seconds === undefined) throw error;
          until = Math.max(until, now().getTime() + seconds * 1000);
        }
      }
      return undefined;
    },
  };
}
