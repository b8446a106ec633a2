import { AsyncLocalStorage } from "node:async_hooks";
import type { ProgressStream } from "../../local/progress-display.ts";

/** The part of its process that a command uses. */
export interface CommandProcess {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: ProgressStream;
  readonly stderr: ProgressStream;
  exitCode?: number | string | null | undefined;
  exit(code: number): never;
  once(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
}

const substitute = new AsyncLocalStorage<CommandProcess>();

/** The process that the running command belongs to. */
export const commandProcess = (): CommandProcess => substitute.getStore() ?? process;

/**
 * Runs commands within this process as if each had one of its own, also at the same time: a process takes half a second to
 * start, which tests cannot wait for hundreds of times.
 */
export const runAs = <Result>(own: CommandProcess, work: () => Result): Result => substitute.run(own, work);
