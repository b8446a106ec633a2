import type { Command } from "commander";

/** What the command ends with, for scripts. */
export const exitCode = {
  /** All went well. */
  done: 0,
  /** It was done, but some cards are not as they should be: refused, unknown, not delivered. */
  refused: 1,
  /** It could not be done, or not to the end. */
  unfinished: 2,
} as const;

/** One of the codes. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Has a command line that is not understood end as unfinished, not with commander's own code. */
export function exitAsDocumented(command: Command): Command {
  return command.exitOverride((error) =>
    process.exit(error.exitCode === 0 ? exitCode.done : exitCode.unfinished),
  );
}
