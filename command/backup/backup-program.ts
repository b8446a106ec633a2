import { Argument, Command } from "commander";
import { backedUp } from "../base/backed-up.ts";
import { loadAction, stageCommand } from "../base/subcommand.ts";

/** `scorecards backup` with its subcommands. */
export function backupProgram(): Command {
  const check = stageCommand("check", "Shows whether the tables can be restored, and to when").action(
    loadAction(async () => (await import("./check-command.ts")).checkCommand),
  );
  const takeOver = stageCommand(
    "take-over",
    "Copies a restored table into the stage's own, and wakes up the cards that are to be delivered",
  )
    .addArgument(new Argument("<data>").choices(Object.keys(backedUp)))
    .argument("<table>", "name of the restored table")
    .option("--replace", "replace what the stage has; by default it is kept")
    .action(loadAction(async () => (await import("./take-over-command.ts")).takeOverCommand));
  return new Command("backup")
    .description("Checks backups, and takes restored tables over")
    .addCommand(check)
    .addCommand(takeOver);
}
