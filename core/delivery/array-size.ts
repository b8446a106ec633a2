/** How many cards go in one post for a vendor, learnt from what came of the last ones. */
export interface ArraySize {
  current(): number;
  /** A post went through: the next one may be twice as large. */
  grow(): void;
  /**
   * A post took too long, or broke the exchange wherever it was cut: the next one is half as large. An exchange that
   * is too slow for large arrays gets smaller ones, and many bad cards among good ones are told apart in the end.
   */
  shrink(): void;
}

/** Begins with the largest arrays, and never goes beyond them. */
export function arraySize(largest: number): ArraySize {
  let size = largest;
  return {
    current: () => size,
    grow() {
      size = Math.min(largest, size * 2);
    },
    shrink() {
      size = Math.max(1, Math.floor(size / 2));
    },
  };
}
