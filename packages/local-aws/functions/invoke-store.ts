import { AsyncLocalStorage } from "node:async_hooks";

type InvocationValues = Record<PropertyKey, unknown>;

/** The key of the request ID, by which libraries find it. */
const requestIdKey = Symbol.for("_AWS_LAMBDA_REQUEST_ID");

/**
 * Adds to the global scope the store by which Lambda's Node.js runtime tells invocations apart that run at the same time. Libraries
 * such as Powertools keep the values of an invocation in it.
 *
 * @returns runs the work of an invocation with a store of its own
 * @see https://github.com/aws/aws-lambda-invoke-store
 */
export function installInvokeStore(): <Result>(requestId: string, work: () => Result) => Result {
  const storage = new AsyncLocalStorage<InvocationValues>();
  const get = (key: PropertyKey) => storage.getStore()?.[key];
  const InvokeStore = {
    getContext: () => storage.getStore(),
    hasContext: () => storage.getStore() !== undefined,
    get,
    set(key: PropertyKey, value: unknown): void {
      const values = storage.getStore();
      if (values === undefined) throw new Error("No context available");
      values[key] = value;
    },
    run: <Result>(context: InvocationValues, work: () => Result) => storage.run(context, work),
    getRequestId: () => get(requestIdKey) ?? "-",
    // There are no traces and tenants here.
    getXRayTraceId: () => undefined,
    getTenantId: () => undefined,
  };
  const { awslambda } = globalThis as { awslambda?: object };
  Object.assign(globalThis, { awslambda: { ...awslambda, InvokeStore } });
  return (requestId, work) => storage.run({ [requestIdKey]: requestId }, work);
}
