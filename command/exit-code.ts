import type { Command } from "commander";

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
    process.exit(error.exitCode === 0 ? exitCode.done : exitCode.unfinished),
  );
}
