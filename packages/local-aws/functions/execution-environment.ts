import { randomUUID } from "node:crypto";
import { FunctionError, type ReportedError } from "./function-error.ts";
import { type HostedEnvironment, sharedThread, startThread } from "./function-thread.ts";
import type { RuntimeData, RuntimeMessage } from "./runtime.ts";

/** Lambda's own limit on loading a function's code. */
const initialisationMilliseconds = 10_000;

/** A running instance of a function, which handles one invocation at a time. */
export interface ExecutionEnvironment {
  /** False once it has ended; it then accepts no more invocations. */
  readonly alive: () => boolean;
  /** Whether its code is loaded. */
  readonly ready: () => boolean;
  /**
   * Invokes the function.
   *
   * @param event JSON text
   * @returns JSON text, or the bytes that the function streamed
   * @throws FunctionError if the function threw or ran out of time, or the environment ended
   */
  invoke(event: string): Promise<string | Uint8Array>;
  /** Ends it at once, as a crash would. */
  end(): Promise<void>;
}

interface EnvironmentSettings {
  readonly runtime: RuntimeData;
  /** All of its environment variables: it inherits none from this process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  /** Called with each line that the function prints. */
  readonly log: (text: string) => void;
}

interface Waiting {
  resolve(answer: string | Uint8Array): void;
  reject(error: Error): void;
}

/** The thread broke down, perhaps by another environment. */
class ThreadLostError extends Error {
  override readonly name = "ThreadLostError";
}

const timedOut = (milliseconds: number): ReportedError => ({
  errorType: "Sandbox.Timedout",
  errorMessage: `Task timed out after ${(milliseconds / 1000).toFixed(2)} seconds`,
  trace: [],
});

const killed: ReportedError = {
  errorType: "Runtime.ExitError",
  errorMessage: "Runtime exited with error: signal: killed",
  trace: [],
};

/** Folders whose code needs a thread of its own for each environment. */
const unshared = new Set<string>();

/** Whether an environment is loaded, or has ended, and the invocation that waits for it. */
function createLifecycle() {
  const loading = Promise.withResolvers<void>();
  // If the code fails to load before an invocation waits for it, the next invocation gets the error.
  loading.promise.catch(() => undefined);
  let isLoaded = false;
  let ended: Error | undefined;
  let waiting: Waiting | undefined;
  return {
    loaded: loading.promise,
    isLoaded: () => isLoaded,
    isBusy: () => waiting !== undefined || !isLoaded,
    ended: () => ended,
    load(): void {
      isLoaded = true;
      loading.resolve();
    },
    resolve: (answer: string | Uint8Array) => waiting?.resolve(answer),
    reject: (error: Error) => waiting?.reject(error),
    end(error: Error): void {
      ended ??= error;
      loading.reject(ended);
      waiting?.reject(ended);
    },
    /** @param begin sends the invocation @returns its answer */
    async wait(begin: () => void): Promise<string | Uint8Array> {
      const { promise, ...own } = Promise.withResolvers<string | Uint8Array>();
      waiting = own;
      begin();
      try {
        return await promise;
      } finally {
        waiting = undefined;
      }
    },
  };
}

/** Starts an environment. If its thread breaks down, perhaps by another environment, its invocations reject with a ThreadLostError. */
function hostEnvironment(settings: EnvironmentSettings, isAlone: boolean): ExecutionEnvironment {
  const { runtime, timeoutSeconds, log } = settings;
  const life = createLifecycle();
  /** Set once its time has run out. */
  let overdue: FunctionError | undefined;
  let environment: HostedEnvironment;

  const heard = (message: RuntimeMessage): void => {
    if (life.ended() !== undefined) return;
    if (message.kind === "ready") life.load();
    else if (message.kind === "log") log(message.line);
    else if (message.kind === "answer") life.resolve(message.answer);
    else if (message.kind === "error") life.reject(new FunctionError(message.error));
    else if (message.kind === "crash") {
      life.end(new FunctionError(message.error));
      void environment.end();
    } else {
      unshared.add(runtime.code);
      void environment.end();
      environment = host(true);
    }
  };
  const lost = (reported: ReportedError, isCause: boolean): void =>
    life.end(isCause ? (overdue ?? new FunctionError(reported)) : new ThreadLostError());
  function host(alone: boolean): HostedEnvironment {
    const thread = alone ? startThread(settings) : sharedThread(runtime.code);
    return thread.host({ ...settings, heard, lost, isBusy: life.isBusy });
  }
  environment = host(isAlone);

  const timeOut = async (milliseconds: number): Promise<void> => {
    overdue = new FunctionError(timedOut(milliseconds));
    await environment.end();
    // Not if its thread did not respond and another environment may have held it up.
    life.end(overdue);
  };
  const limit = (milliseconds: number) => setTimeout(() => void timeOut(milliseconds), milliseconds);
  const initialisation = limit(initialisationMilliseconds);
  life.loaded.finally(() => clearTimeout(initialisation)).catch(() => undefined);

  return {
    alive: () => life.ended() === undefined,
    ready: life.isLoaded,
    async invoke(event) {
      await life.loaded;
      const ended = life.ended();
      if (ended !== undefined) throw ended;
      const milliseconds = timeoutSeconds * 1000;
      const timer = limit(milliseconds);
      const invocation = { requestId: randomUUID(), event, deadline: Date.now() + milliseconds };
      return await life.wait(() => environment.invoke(invocation)).finally(() => clearTimeout(timer));
    },
    async end() {
      life.end(new FunctionError(killed));
      await environment.end();
    },
  };
}

/**
 * Starts an execution environment, which loads the function's real bundle. It shares a thread with others, unless its code imports
 * modules that a thread evaluates only once.
 *
 * If a thread breaks down, or does not respond to the end of an environment, the invocations that are under way in others are repeated,
 * each in a thread of its own. Unlike on Lambda, an environment is not frozen between invocations, and has the time zone of this process.
 */
export function startExecutionEnvironment(
  settings: EnvironmentSettings,
  isAlone = unshared.has(settings.runtime.code),
): ExecutionEnvironment {
  let environment = hostEnvironment(settings, isAlone);
  return {
    alive: () => environment.alive(),
    ready: () => environment.ready(),
    async invoke(event) {
      try {
        return await environment.invoke(event);
      } catch (error) {
        if (!(error instanceof ThreadLostError)) throw error;
        environment = hostEnvironment(settings, true);
        return await environment.invoke(event);
      }
    },
    end: () => environment.end(),
  };
}
