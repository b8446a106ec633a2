/** Time that passes only as far as something happens in it: a day takes as long as what is done in it. */
export interface VirtualTime {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Has something happen so many milliseconds from now. */
  after(milliseconds: number, happens: () => void): void;
  sleep(milliseconds: number): Promise<void>;
  /** A signal that is aborted so many milliseconds from now. */
  timeout(milliseconds: number): AbortSignal;
  /**
   * Lets happen what is to happen, one thing after the other, until this is over.
   *
   * @returns what it came to
   * @throws Error where nothing is to happen any more and it is not over
   */
  passUntil<T>(work: Promise<T>): Promise<T>;
}

interface Happening {
  readonly at: number;
  readonly happens: () => void;
}

/** Lets everything run that waits for nothing but promises. */
const promisesSettle = () => new Promise<void>((settled) => setImmediate(settled));

/** Time that begins when it is told to. */
export function virtualTime(start: number): VirtualTime {
  let now = start;
  /** The latest first. */
  const ahead: Happening[] = [];

  function after(milliseconds: number, happens: () => void): void {
    const at = now + Math.max(0, milliseconds);
    // What is to happen at the same time happens in the order in which it was asked for.
    let [low, high] = [0, ahead.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ahead[middle] as Happening).at > at) low = middle + 1;
      else high = middle;
    }
    ahead.splice(low, 0, { at, happens });
  }

  return {
    now: () => now,
    after,
    sleep: (milliseconds) => new Promise((awake) => after(milliseconds, awake)),
    timeout(milliseconds) {
      const controller = new AbortController();
      after(milliseconds, () => controller.abort(new DOMException("The time is up.", "TimeoutError")));
      return controller.signal;
    },
    async passUntil(work) {
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      work.then(over, over);
      await promisesSettle();
      while (!isOver) {
        const next = ahead.pop();
        if (next === undefined) throw new Error("Nothing is left to happen.");
        now = next.at;
        next.happens();
        await promisesSettle();
      }
      return work;
    },
  };
}
