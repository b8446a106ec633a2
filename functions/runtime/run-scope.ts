import { AsyncLocalStorage } from "node:async_hooks";

const runs = new AsyncLocalStorage<object>();

/** Does the work of one run, with values of its own: an environment may have many runs at a time. */
export const inOwnRun = <Result>(work: () => Result): Result => runs.run({}, work);

/**
 * A value that each run has of its own.
 *
 * @param create makes the value of a run, when it is first asked for
 * @returns the value of the current run; one for all code outside of a run
 * @example
 * const counts = ofRun(() => new Map<string, number>());
 * await inOwnRun(async () => counts().set("cards", 1));
 */
export function ofRun<Value extends object>(create: () => Value): () => Value {
  const values = new WeakMap<object, Value>();
  const outside = {};
  return () => {
    const run = runs.getStore() ?? outside;
    const value = values.get(run) ?? create();
    values.set(run, value);
    return value;
  };
}
