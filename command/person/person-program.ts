import { Command } from "commander";
import { runSubcommand, stageOption } from "../base/subcommand.ts";
import type { PersonOptions, PersonTask } from "./person-command.ts";

function personSubcommand(task: PersonTask, description: string): Command {
  return new Command(task)
    .description(description)
    .addOption(stageOption())
    .option("--union-id <UnionID>", "the person's UnionID, e.g. 32-1")
    .option("--lifetime-id <LifeTimeID>", "the person's LifeTimeID")
    .option("--name <name>", "the person's full name, for texts that have no number")
    .option(
      "--also [names...]",
      "other spellings that are the person's; without one, none of those that were listed",
    )
    .option("--json", "print the result as JSON")
    .action(({ lifetimeId, ...options }: PersonOptions & { readonly lifetimeId?: string }) =>
      runSubcommand(async (terminal) => {
        const { personCommand } = await import("./person-command.ts");
        const person = lifetimeId === undefined ? options : { ...options, lifeTimeId: lifetimeId };
        return personCommand(task, person, terminal);
      }),
    );
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
