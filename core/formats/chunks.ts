import pMap from "p-map";

/** Splits a list into chunks of a size; the last one may be shorter. */
export function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}

/** Halves a list until the JSON of each part has at most `maxCharacters`, or the part has one item. The parts keep the order. */
export function splitByLength<T>(all: readonly T[], maxCharacters: number): T[][] {
  if (all.length <= 1 || JSON.stringify(all).length <= maxCharacters) return [[...all]];
  return chunks(all, Math.ceil(all.length / 2)).flatMap((half) => splitByLength(half, maxCharacters));
}

/** Splits a list into lists without a repeated key: the first items of all keys, then the second ones, and so on. */
export function withoutRepeats<T>(all: readonly T[], keyOf: (item: T) => string): T[][] {
  const counts = new Map<string, number>();
  const countRepeats = (item: T): number => {
    const key = keyOf(item);
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return before;
  };
  return [...Map.groupBy(all, countRepeats).values()];
}

/**
 * Maps items concurrently and waits for all of them, even if one fails: Lambda freezes what is still running when a function
 * returns, and resumes it in the next run, when it is out of date.
 *
 * @returns the results in the order of completion
 * @throws the first failure, after all have settled
 */
export async function mapSettled<T, R>(
  items: readonly T[],
  concurrency: number,
  map: (item: T) => Promise<R>,
): Promise<R[]> {
  const failures: unknown[] = [];
  const results: R[] = [];
  const settle = async (item: T) => {
    try {
      results.push(await map(item));
    } catch (error) {
      failures.push(error);
    }
  };
  // Most lists have one item, for which a pool would cost more than anything else here.
  await (items.length <= concurrency ? Promise.all(items.map(settle)) : pMap(items, settle, { concurrency }));
  if (failures.length > 0) throw failures[0];
  return results;
}
