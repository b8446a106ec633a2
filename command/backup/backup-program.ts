import { Argument, Command } from "commander";
import { type BackedUp, backedUp } from "../base/backed-up.ts";
import { runSubcommand, stageOption } from "../base/subcommand.ts";
import type { BackupCheckOptions } from "./check-command.ts";
import type { TakeOverOptions } from "./take-over-command.ts";

/** `scorecards backup` with its subcommands. */
export function backupProgram(): Command {
  const check = new Command("check")
    .description("Shows whether the tables can be restored, and to when")
    .addOption(stageOption())
    .option("--json", "print the result as JSON")
    .action((options: BackupCheckOptions) =>
      runSubcommand(async (terminal) => {
        const { checkCommand } = await import("./check-command.ts");
        return checkCommand(options, terminal);
      }),
    );
  const takeOver = new Command("take-over")
    .description(
      "Copies a restored table into the stage's own, and wakes up the cards that are to be delivered",
    )
    .addArgument(new Argument("<data>").choices(Object.keys(backedUp)))
    .argument("<table>", "name of the restored table")
    .addOption(stageOption())
    .option("--replace", "replace what the stage has; by default it is kept")
    .option("--json", "print the result as JSON")
    .action((data: BackedUp, table: string, options: TakeOverOptions) =>
      runSubcommand(async (terminal) => {
        const { takeOverCommand } = await import("./take-over-command.ts");
        return takeOverCommand(data, table, options, terminal);
      }),
    );
  return new Command("backup")
    .description("Checks backups, and takes restored tables over")
    .addCommand(check)
    .addCommand(takeOver);
}
