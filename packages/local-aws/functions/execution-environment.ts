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

/** Settings of an environment. */
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

/** Starts an environment. If its thread breaks down, perhaps by another environment, its invocations reject with a ThreadLostError. */
function hostEnvironment(settings: EnvironmentSettings, isAlone: boolean): ExecutionEnvironment {
  const { runtime, timeoutSeconds, log } = settings;
  const ready = Promise.withResolvers<void>();
  // If the code fails to load before an invocation waits for it, the next invocation gets the error.
  ready.promise.catch(() => undefined);
  let isReady = false;
  let ended: Error | undefined;
  let waiting: Waiting | undefined;
  /** Set once its time has run out. */
  let overdue: FunctionError | undefined;
  let environment: HostedEnvironment;

  const endWith = (error: Error): void => {
    ended ??= error;
    ready.reject(ended);
    waiting?.reject(ended);
  };
  const heard = (message: RuntimeMessage): void => {
    if (ended !== undefined) return;
    if (message.kind === "ready") {
      isReady = true;
      ready.resolve();
    } else if (message.kind === "log") log(message.line);
    else if (message.kind === "answer") waiting?.resolve(message.answer);
    else if (message.kind === "error") waiting?.reject(new FunctionError(message.error));
    else if (message.kind === "crash") {
      endWith(new FunctionError(message.error));
      void environment.end();
    } else {
      unshared.add(runtime.code);
      void environment.end();
      environment = host(true);
    }
  };
  const lost = (reported: ReportedError, isCause: boolean): void =>
    endWith(isCause ? (overdue ?? new FunctionError(reported)) : new ThreadLostError());
  function host(alone: boolean): HostedEnvironment {
    const thread = alone ? startThread(settings) : sharedThread(runtime.code);
    return thread.host({ ...settings, heard, lost, isBusy: () => waiting !== undefined || !isReady });
  }
  environment = host(isAlone);

  const timeOut = async (milliseconds: number): Promise<void> => {
    overdue = new FunctionError(timedOut(milliseconds));
    await environment.end();
    // Not if its thread did not respond and another environment may have held it up.
    endWith(overdue);
  };
  const limit = (milliseconds: number) => setTimeout(() => void timeOut(milliseconds), milliseconds);
  const initialisation = limit(initialisationMilliseconds);
  ready.promise.finally(() => clearTimeout(initialisation)).catch(() => undefined);

  return {
    alive: () => ended === undefined,
    ready: () => isReady,
    async invoke(event) {
      await ready.promise;
      if (ended !== undefined) throw ended;
      const { promise, ...own } = Promise.withResolvers<string | Uint8Array>();
      waiting = own;
      const milliseconds = timeoutSeconds * 1000;
      const timer = limit(milliseconds);
      environment.invoke({ requestId: randomUUID(), event, deadline: Date.now() + milliseconds });
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        waiting = undefined;
      }
    },
    async end() {
      endWith(new FunctionError(killed));
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
