import type { SeededRandom } from "../../../stand-in/seeded-random.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** An execution environment. What it has asked for goes on when it is killed, but it hears of nothing any more. */
export interface Environment {
  isAlive(): boolean;
  kill(): void;
  /** Settled when it is killed. */
  readonly killed: Promise<undefined>;
}

/** An environment that has just started. */
export function environment(): Environment {
  const { promise: killed, resolve } = Promise.withResolvers<undefined>();
  let alive = true;
  return {
    isAlive: () => alive,
    kill() {
      alive = false;
      resolve(undefined);
    },
    killed,
  };
}

/** How likely which trouble is of a request to an engine, each from 0 to 1. */
export interface EngineFaults {
  /** The environment dies while the request is under way. */
  kill: number;
  /** Refused before anything is done. */
  refuse: number;
  /** Done, but the answer is lost. */
  loseAnswer: number;
  /** A part is left out of a batch. */
  leaveOut: number;
  /** It takes up to two seconds and a half. */
  slow: number;
}

/** One attempt at a request: what it does, piece by piece, and what it is answered once that is done. */
export interface Attempt<T> {
  readonly pieces: readonly (() => void)[];
  readonly answer: () => T;
}

/**
 * Makes a request from an environment.
 *
 * @param attempt describes the request, anew for each attempt
 * @throws what the last attempt failed with, or the signal's reason
 */
export type Request = <T>(
  from: Environment,
  attempt: () => Attempt<T>,
  signal: AbortSignal | undefined,
) => Promise<T>;

/** As many as the SDK makes. */
const attempts = 3;
const unanswered = new Promise<never>(() => undefined);

/** Makes requests as the SDK does, each piece of it done at a time of its own, and with the trouble that chance brings. */
export function requester(time: VirtualTime, random: SeededRandom, faults: EngineFaults): Request {
  function once<T>(
    from: Environment,
    { pieces, answer }: Attempt<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const takes = random.chance(faults.slow) ? random.whole(200, 2500) : random.whole(1, 30);
    const isRefused = random.chance(faults.refuse);
    const isAnswerLost = random.chance(faults.loseAnswer);
    const dies = random.chance(faults.kill);
    const hasLeft = !dies || random.chance(0.7);
    if (dies) time.after(random.whole(0, takes), from.kill);
    if (hasLeft && !isRefused) for (const piece of pieces) time.after(random.whole(0, takes), piece);
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(signal?.reason);
      signal?.addEventListener("abort", giveUp, { once: true });
      time.after(takes, () => {
        signal?.removeEventListener("abort", giveUp);
        if (!from.isAlive()) return;
        if (isRefused) reject(new Error("ThrottlingException"));
        else if (isAnswerLost) reject(new Error("ECONNRESET"));
        else resolve(answer());
      });
    });
  }

  return async (from, attempt, signal) => {
    for (let made = 1; ; made++) {
      if (!from.isAlive()) return unanswered;
      signal?.throwIfAborted();
      try {
        return await once(from, attempt(), signal);
      } catch (error) {
        if (signal?.aborted || made === attempts) throw error;
        await time.sleep(random.whole(20, 200));
      }
    }
  };
}
