/**
 * A lock that a thread holds while it must not be terminated: if a thread is terminated while zlib is being set up, Node
 * aborts the whole process.
 *
 * Whoever terminates the thread takes the lock first, and keeps it.
 */
export type EndingLock = Int32Array<SharedArrayBuffer>;

const free = 0;
const taken = 1;

/** A lock that two threads can share. */
export function endingLock(): EndingLock {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Takes the lock, after waiting for its holder.
 *
 * @param maxMilliseconds longest wait: a thread that crashes while it holds the lock never releases it
 */
export function take(lock: EndingLock, maxMilliseconds = Number.POSITIVE_INFINITY): void {
  while (Atomics.compareExchange(lock, 0, free, taken) !== free) {
    if (Atomics.wait(lock, 0, taken, maxMilliseconds) === "timed-out") return;
  }
}

/** Does work during which the thread must not be terminated. It never returns if the thread is being terminated. */
export function uninterrupted<Result>(lock: EndingLock, work: () => Result): Result {
  take(lock);
  try {
    return work();
  } finally {
    Atomics.store(lock, 0, free);
    Atomics.notify(lock, 0);
  }
}
