/**
 * Works on items, several at a time, and yields each result when it is there.
 *
 * After an error it begins no further item, yields the results of those in progress, and then throws the error.
 */
export async function* inParallel<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  type Ended = { readonly task: Promise<Ended>; readonly result?: Result; readonly cause?: unknown };
  const running = new Set<Promise<Ended>>();
  const failures: unknown[] = [];

  async function* results(): AsyncGenerator<Result> {
    const { task, result, ...failure } = await Promise.race(running);
    running.delete(task);
    if ("cause" in failure) failures.push(failure.cause);
    else yield result as Result;
  }

  try {
    for await (const item of items) {
      const task: Promise<Ended> = work(item).then(
        (result) => ({ task, result }),
        (cause: unknown) => ({ task, cause }),
      );
      running.add(task);
      while (running.size >= concurrency) yield* results();
      if (failures.length > 0) break;
    }
  } catch (cause) {
    failures.push(cause);
  }
  while (running.size > 0) yield* results();
  if (failures.length > 0) throw failures[0];
}
