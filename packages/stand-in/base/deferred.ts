/** A promise with the functions that settle it. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value | PromiseLike<Value>): void;
}

/** Stands in for `Promise.withResolvers`, which Node 20 does not have. */
export function deferred<Value = void>(): Deferred<Value> {
  let resolve!: Deferred<Value>["resolve"];
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
