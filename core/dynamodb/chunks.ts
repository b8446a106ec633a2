import pMap from "p-map";

/** Cuts a list into parts of a size, the last one with what is left. */
export function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}

/**
 * Works on parts, some at a time, and waits for every one of them, also where one fails: what was still under way
 * after an answer would be frozen together with the function, and go on in its next run, when it is out of date.
 *
 * @returns the results in the order in which they came
 * @throws the first failure, once nothing is under way any more
 */
export async function mapSettled<T, R>(
  parts: Iterable<T>,
  concurrency: number,
  work: (part: T) => Promise<R>,
): Promise<R[]> {
  const failures: unknown[] = [];
  const results: R[] = [];
  const settle = async (part: T) => {
    try {
      results.push(await work(part));
    } catch (error) {
      failures.push(error);
    }
  };
  await pMap(parts, settle, { concurrency });
  if (failures.length > 0) throw failures[0];
  return results;
}
