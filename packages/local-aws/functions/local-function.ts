import { availableParallelism } from "node:os";
import { type ExecutionEnvironment, startExecutionEnvironment } from "./execution-environment.ts";
import { FunctionError, InvocationError } from "./function-error.ts";
import type { RuntimeData } from "./runtime.ts";

/** Lambda's limit on an event and on a response, in bytes of JSON. */
export const maxPayloadBytes = 6_291_556;

/** Lambda's limit on a response that the caller reads as a stream. */
const maxStreamedBytes = 200 * 2 ** 20;

/** Limit on the environments of one function. Lambda would start more; here further invocations wait. */
const maxEnvironments = 10;

/**
 * Environments that are started at once. Further ones start only if all of these have been busy for `busyMilliseconds`: they
 * would share the same processors, and each has to load and compile its code.
 */
const startedAtOnce = availableParallelism();
const busyMilliseconds = 500;

/** How long an idle environment is kept. */
const idleMilliseconds = 60_000;

/** A function of the stack, ready to be invoked. */
export interface LocalFunction {
  readonly name: string;
  readonly arn: string;
  /**
   * Invokes it synchronously.
   *
   * @param event JSON text
   * @returns JSON text
   * @throws FunctionError if it fails, InvocationError if it could not be invoked
   */
  invoke(event: string): Promise<string>;
  /**
   * Invokes it synchronously, for a caller that reads the response as a stream.
   *
   * @param event JSON text
   * @returns the bytes that the function streamed; JSON text if it returned an object
   * @throws FunctionError if it fails, InvocationError if it could not be invoked
   */
  invokeWithResponseStream(event: string): Promise<Uint8Array>;
  /**
   * Invokes it as an asynchronous invocation does: while the reserved concurrency is used up, it waits instead of being
   * throttled.
   */
  invokeInTurn(event: string): Promise<string>;
  /** Resolves when an invocation would not have to wait for an environment. */
  available(): Promise<void>;
  /** Limits its concurrency from now on; 0 throttles every invocation. */
  reserveConcurrency(limit: number): void;
  /** Ends one of its environments, preferably a busy one; false if none runs. */
  killEnvironment(): boolean;
  /** Ends all its environments; further invocations are throttled. */
  stop(): Promise<void>;
}

/** Lambda's metrics of a function; Duration is in milliseconds. */
export type FunctionMetric = "Invocations" | "Errors" | "Throttles" | "Duration";

interface FunctionSettings {
  readonly runtime: RuntimeData;
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly reservedConcurrency: number | undefined;
  readonly log: (text: string) => void;
  readonly measure: (metric: FunctionMetric, value: number) => void;
}

function checkSize(payload: string | Uint8Array, most: number, refuse: (bytes: number) => Error): void {
  // A character of a string takes at most three bytes, so most texts need no counting.
  if (payload.length * 3 <= most) return;
  const bytes = Buffer.byteLength(payload);
  if (bytes > most) throw refuse(bytes);
}

function throttled(): InvocationError {
  return new InvocationError("TooManyRequestsException", "Rate Exceeded.");
}

function requestTooLarge(bytes: number): InvocationError {
  const why = `${bytes} byte payload is too large for the Invoke operation (limit ${maxPayloadBytes} bytes)`;
  return new InvocationError("RequestTooLargeException", why);
}

const responseTooLarge = (most: number) => (): FunctionError => {
  const errorMessage = `Response payload size exceeded maximum allowed payload size (${most} bytes).`;
  return new FunctionError({ errorType: "Function.ResponseSizeTooLarge", errorMessage, trace: [] });
};

const toText = (answer: string | Uint8Array): string =>
  typeof answer === "string" ? answer : Buffer.from(answer).toString();

/** The environments that wait for an invocation; one that waits for long is ended. */
function createIdle() {
  const timers = new Map<ExecutionEnvironment, NodeJS.Timeout>();
  return {
    has: () => [...timers.keys()].some((one) => one.alive()),
    /** The most recently used one, so that the others can time out when there is less to do. */
    take(): ExecutionEnvironment | undefined {
      for (const [environment, timer] of [...timers].reverse()) {
        clearTimeout(timer);
        timers.delete(environment);
        if (environment.alive()) return environment;
      }
      return undefined;
    },
    keep(environment: ExecutionEnvironment): void {
      const reap = (): void => {
        timers.delete(environment);
        void environment.end();
      };
      timers.set(environment, setTimeout(reap, idleMilliseconds).unref());
    },
    list: (): ExecutionEnvironment[] => [...timers.keys()],
    clear(): void {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** The environments of a function: started on demand, and reused while warm. */
function createPool(settings: FunctionSettings) {
  const idle = createIdle();
  const busy = new Set<ExecutionEnvironment>();
  const queue: (PromiseWithResolvers<ExecutionEnvironment> & { readonly most: number })[] = [];
  const whenAvailable: PromiseWithResolvers<void>[] = [];
  let releasedAt = 0;
  let watch: NodeJS.Timeout | undefined;

  const hasRoom = (most: number) => busy.size < most && (busy.size < startedAtOnce || idle.has());
  const start = (environment = idle.take() ?? startExecutionEnvironment(settings)): ExecutionEnvironment => {
    busy.add(environment);
    return environment;
  };

  /** Starts another environment if invocations wait and all environments have been busy for a while. */
  const watchQueue = (): void => {
    watch ??= setInterval(() => {
      const isStuck =
        performance.now() - releasedAt > busyMilliseconds && [...busy].every((one) => one.ready());
      if (isStuck && busy.size < (queue[0]?.most ?? maxEnvironments)) {
        const next = queue.shift();
        if (next !== undefined) next.resolve(start());
        else whenAvailable.shift()?.resolve();
      }
      if (queue.length + whenAvailable.length > 0) return;
      clearInterval(watch);
      watch = undefined;
    }, busyMilliseconds);
  };

  return {
    busy: () => busy.size,
    async acquire(most: number): Promise<ExecutionEnvironment> {
      if (hasRoom(most)) return start();
      const turn = { ...Promise.withResolvers<ExecutionEnvironment>(), most };
      queue.push(turn);
      watchQueue();
      return turn.promise;
    },
    release(environment: ExecutionEnvironment): void {
      busy.delete(environment);
      releasedAt = performance.now();
      const next = queue.shift();
      if (next !== undefined) {
        next.resolve(start(environment.alive() ? environment : startExecutionEnvironment(settings)));
        return;
      }
      if (environment.alive()) idle.keep(environment);
      whenAvailable.shift()?.resolve();
    },
    async waitForRoom(): Promise<void> {
      if (hasRoom(maxEnvironments)) return;
      const turn = Promise.withResolvers<void>();
      whenAvailable.push(turn);
      watchQueue();
      await turn.promise;
    },
    killOne(): boolean {
      const environment = [...busy, ...idle.list()].find((candidate) => candidate.alive());
      void environment?.end();
      return environment !== undefined;
    },
    async end(): Promise<void> {
      clearInterval(watch);
      for (const turn of queue.splice(0)) turn.reject(throttled());
      for (const turn of whenAvailable.splice(0)) turn.resolve();
      const environments = [...busy, ...idle.list()];
      idle.clear();
      await Promise.all(environments.map((environment) => environment.end()));
    },
  };
}

/** Makes the function that invokes a function in one of its environments, and measures the invocation. */
function createInvocation({ log, measure }: FunctionSettings, pool: ReturnType<typeof createPool>) {
  return async (
    event: string,
    most: number,
    maxResponseBytes = maxPayloadBytes,
  ): Promise<string | Uint8Array> => {
    checkSize(event, maxPayloadBytes, requestTooLarge);
    let environment: ExecutionEnvironment | undefined;
    try {
      environment = await pool.acquire(most);
      const began = performance.now();
      measure("Invocations", 1);
      const answer = await environment.invoke(event);
      measure("Duration", performance.now() - began);
      checkSize(answer, maxResponseBytes, responseTooLarge(maxResponseBytes));
      measure("Errors", 0);
      return answer;
    } catch (error) {
      if (!(error instanceof InvocationError)) measure("Errors", 1);
      const reported = error instanceof FunctionError ? error.reported : String(error);
      if (!(error instanceof InvocationError)) log(`ERROR\tInvoke Error\t${JSON.stringify(reported)}`);
      throw error;
    } finally {
      if (environment !== undefined) pool.release(environment);
    }
  };
}

/** A function that runs in a pool of environments. */
export function createFunction(settings: FunctionSettings): LocalFunction {
  const { runtime, measure } = settings;
  const pool = createPool(settings);
  const invoke = createInvocation(settings, pool);
  let reservedConcurrency = settings.reservedConcurrency ?? Number.POSITIVE_INFINITY;
  let stopped = false;

  const throttle = (): void => {
    if (stopped) throw throttled();
    if (pool.busy() < reservedConcurrency) return;
    measure("Throttles", 1);
    throw throttled();
  };

  return {
    name: runtime.functionName,
    arn: runtime.functionArn,
    async invoke(event) {
      throttle();
      return toText(await invoke(event, maxEnvironments));
    },
    async invokeWithResponseStream(event) {
      throttle();
      return Buffer.from(await invoke(event, maxEnvironments, maxStreamedBytes));
    },
    async invokeInTurn(event) {
      if (stopped) throw throttled();
      return toText(await invoke(event, Math.min(maxEnvironments, reservedConcurrency)));
    },
    async available() {
      if (!stopped) await pool.waitForRoom();
    },
    reserveConcurrency(limit) {
      reservedConcurrency = limit;
    },
    killEnvironment: pool.killOne,
    async stop() {
      stopped = true;
      await pool.end();
    },
  };
}
