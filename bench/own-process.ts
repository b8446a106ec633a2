import { fork } from "node:child_process";
import { once } from "node:events";

/** Something that runs in a process of its own, so that it takes no time from what is measured. */
export interface OwnProcess<Ready> {
  readonly ready: Ready;
  /** As the operating system knows it. */
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a module of this folder in a process of its own.
 *
 * @param options handed to it as JSON, in its first argument
 * @param execArgv options of Node
 * @throws Error if it ends before it is ready
 */
export async function startOwnProcess<Ready>(
  module: URL,
  options: object,
  execArgv: readonly string[],
): Promise<OwnProcess<Ready>> {
  const child = fork(module, [JSON.stringify(options)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: [...execArgv],
  });
  const ended = once(child, "exit");
  const ready = await Promise.race([
    once(child, "message").then(([message]) => message as Ready),
    ended.then(([status]) => Promise.reject(new Error(`${module.pathname} ended with ${status}.`))),
  ]);
  return {
    ready,
    pid: child.pid ?? 0,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Called in such a process: reports that it is ready, and ends it when its parent asks for that. */
export function serveUntilStopped(ready: object, stop: () => Promise<unknown>): void {
  process.once("SIGTERM", () => {
    void stop().finally(() => process.exit(0));
  });
  process.send?.(ready);
}
