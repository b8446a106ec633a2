import { Command } from "commander";
import { loadAction, stageCommand } from "../base/subcommand.ts";
import type { PersonTask } from "./person-command.ts";

function personSubcommand(task: PersonTask, description: string): Command {
  return stageCommand(task, description)
    .option("--union-id <UnionID>", "the person's UnionID, e.g. 32-1")
    .option("--lifetime-id <LifeTimeID>", "the person's LifeTimeID")
    .option("--name <name>", "the person's full name, for texts that have no number")
    .option(
      "--also [names...]",
      "other spellings that are the person's; without one, none of those that were listed",
    )
    .action(loadAction(async () => (await import("./person-command.ts")).personCommand(task)));
}

/** `scorecards person` with its subcommands. */
export function personProgram(): Command {
  return new Command("person")
    .description("Finds, exports and erases what is stored of a person")
    .addCommand(personSubcommand("find", "Lists all that names a person"))
    .addCommand(personSubcommand("export", "Prints all that is held of a person as JSON"))
    .addCommand(
      personSubcommand("erase", "Erases a person from all that has an outcome, and keeps the outcome"),
    );
}
