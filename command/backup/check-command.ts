import { readBackups } from "../base/backed-up.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import { tableLines } from "../base/table-lines.ts";
import type { TargetStage } from "../base/target.ts";
import type { Terminal } from "../base/terminal.ts";

/** Options of `scorecards backup check`. */
export interface BackupCheckOptions {
  readonly stage: TargetStage;
  readonly json?: true;
}

/**
 * `scorecards backup check`: whether the tables that cannot be filled again can be restored, and to when. Exit code
 * `done` if all can, `unfinished` if AWS did not tell of one.
 */
export async function checkCommand(
  { stage, json }: BackupCheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const checked = await readBackups(await findTarget(stage));
  if (json) terminal.json(checked);
  else {
    const rows = checked.map(({ name, table, restorable, from, to }) => {
      const isRestorable = restorable === undefined ? "unknown" : restorable ? "yes" : "NO";
      return [name, table, isRestorable, from, to];
    });
    terminal.result(tableLines(["Data", "Table", "Restorable", "From", "To"], rows));
  }
  const failed = checked.filter(({ unread }) => unread !== undefined);
  for (const { name, unread } of failed) terminal.note(`error: ${name}: ${unread}`);
  if (failed.length > 0) return exitCode.unfinished;
  return checked.every(({ restorable }) => restorable) ? exitCode.done : exitCode.refused;
}
