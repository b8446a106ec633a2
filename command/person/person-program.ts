import { Command } from "commander";
import { runSubcommand, stageOption } from "../subcommand.ts";
import type { PersonOptions } from "./person-command.ts";

function personSubcommand(name: string, description: string, erase: boolean): Command {
  return new Command(name)
    .description(description)
    .addOption(stageOption())
    .option("--union-id <UnionID>", "the person's UnionID, e.g. 32-1")
    .option("--lifetime-id <LifeTimeID>", "the person's LifeTimeID")
    .option("--json", "print the result as JSON")
    .action(({ lifetimeId, ...options }: PersonOptions & { readonly lifetimeId?: string }) =>
      runSubcommand(async (terminal) => {
        const { personCommand } = await import("./person-command.ts");
        const person = lifetimeId === undefined ? options : { ...options, lifeTimeId: lifetimeId };
        return personCommand(erase, person, terminal);
      }),
    );
}

/** `scorecards person` with its subcommands. */
export function personProgram(): Command {
  return new Command("person")
    .description("Finds and erases what is stored of a person")
    .addCommand(personSubcommand("find", "Lists the stored cards that name a person", false))
    .addCommand(
      personSubcommand("erase", "Erases a person from stored cards that have an outcome, and keeps it", true),
    );
}
