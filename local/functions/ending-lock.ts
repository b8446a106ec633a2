/**
 * What a thread does while it must not be ended: Node aborts the whole process where a thread ends between zlib's
 * being made and its being set up.
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
 * Waits until nothing is being done that must not be interrupted, and lets nothing of it begin any more.
 *
 * @param mostMilliseconds after which it is not waited for: a thread that broke down in the middle never leaves the lock
 */
export function take(lock: EndingLock, mostMilliseconds = Number.POSITIVE_INFINITY): void {
  while (Atomics.compareExchange(lock, 0, free, taken) !== free) {
    if (Atomics.wait(lock, 0, taken, mostMilliseconds) === "timed-out") return;
  }
}

/** Does what must not be interrupted; where the thread is being ended, this does not return. */
export function uninterrupted<Result>(lock: EndingLock, work: () => Result): Result {
  take(lock);
  try {
    return work();
  } finally {
    Atomics.store(lock, 0, free);
    Atomics.notify(lock, 0);
  }
}
