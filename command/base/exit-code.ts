import type { Command } from "commander";
import { commandProcess } from "./command-process.ts";

/** Exit codes, for scripts. */
export const exitCode = {
  done: 0,
  /** The command finished, but some cards were refused, are unknown or were not delivered. */
  refused: 1,
  /** The command failed, or did not finish. */
  unfinished: 2,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Makes an invalid command line end with the code `unfinished` instead of commander's own. */
export function exitAsDocumented(command: Command): Command {
  return command.exitOverride((error) =>
    commandProcess().exit(error.exitCode === 0 ? exitCode.done : exitCode.unfinished),
  );
}
