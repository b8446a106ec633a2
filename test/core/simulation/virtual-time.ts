/** Time that passes only as far as something happens in it: a day takes as long as what is done in it. */
export interface VirtualTime {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Has something happen so many milliseconds from now. */
  after(milliseconds: number, happens: () => void): void;
  sleep(milliseconds: number): Promise<void>;
  /** A signal that is aborted so many milliseconds from now. */
  limit(milliseconds: number): AbortSignal;
  /**
   * Runs the planned events one after the other until a promise is settled.
   *
   * @returns what it came to
   * @throws Error if nothing is to happen any more and it is not over
   */
  passUntil<T>(work: Promise<T>): Promise<T>;
}

interface Happening {
  readonly at: number;
  /** What is to happen at the same time happens in the order in which it was asked for. */
  readonly order: number;
  readonly happens: () => void;
}

/** Lets everything run that waits for nothing but promises. */
const promisesSettle = () => new Promise<void>((settled) => setImmediate(settled));

const isBefore = (one: Happening, other: Happening) =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** Time that begins when it is told to. */
export function virtualTime(start: number): VirtualTime {
  let now = start;
  let order = 0;
  /** A binary heap, the next first. */
  const heap: Happening[] = [];

  function push(happening: Happening): void {
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as Happening;
      if (!isBefore(happening, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = happening;
  }

  function pop(): Happening | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      const right = heap[child + 1];
      if (right !== undefined && isBefore(right, heap[child] as Happening)) child++;
      const below = heap[child] as Happening;
      if (!isBefore(below, last)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
    return first;
  }

  function after(milliseconds: number, happens: () => void): void {
    push({ at: now + Math.max(0, milliseconds), order: order++, happens });
  }

  return {
    now: () => now,
    after,
    sleep: (milliseconds) => new Promise((awake) => after(milliseconds, awake)),
    limit(milliseconds) {
      const limit = new AbortController();
      after(milliseconds, () => limit.abort());
      return limit.signal;
    },
    async passUntil(work) {
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      work.then(over, over);
      await promisesSettle();
      while (!isOver) {
        const next = pop();
        if (next === undefined) throw new Error("Nothing is left to happen.");
        now = next.at;
        next.happens();
        await promisesSettle();
      }
      return work;
    },
  };
}
