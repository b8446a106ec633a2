/**
 * A lock that is held while a thread must not be ended: Node aborts the whole process where a thread ends while zlib is
 * being set up.
 *
 * Whoever ends the thread takes the lock first, and keeps it.
 */
export type EndingLock = Int32Array<SharedArrayBuffer>;

const free = 0;
const taken = 1;

/** A lock that two threads can share. */
export function endingLock(): EndingLock {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Takes the lock: waits until whoever has it is done, and lets nobody else have it.
 *
 * @param mostMilliseconds how long to wait at most: a thread that broke down with the lock never gives it back
 */
export function take(lock: EndingLock, mostMilliseconds = Number.POSITIVE_INFINITY): void {
  while (Atomics.compareExchange(lock, 0, free, taken) !== free) {
    if (Atomics.wait(lock, 0, taken, mostMilliseconds) === "timed-out") return;
  }
}

/** Does work that must not be interrupted. Where the thread is being ended, this never returns. */
export function uninterrupted<Result>(lock: EndingLock, work: () => Result): Result {
  take(lock);
  try {
    return work();
  } finally {
    Atomics.store(lock, 0, free);
    Atomics.notify(lock, 0);
  }
}
