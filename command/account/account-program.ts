import { Argument, Command, Option } from "commander";
import { type Resource, resources } from "../../core/accounts/account.ts";
import { end, stageOption } from "../subcommand.ts";
import { type PlanName, planNames } from "../target.ts";
import type { AddOptions } from "./add-command.ts";
import type { Change, ChangeOptions } from "./change-command.ts";

function accountCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(stageOption())
    .option("--json", "the result as JSON");
}

const username = () => new Argument("<username>");
const resourceArgument = () => new Argument("<resource...>").choices(resources);
const withUnionOptions = (command: Command) =>
  command
    .option("--union-username <name>", "the vendor's user name at the union, where it is another")
    .option("--union-api-set <name>", "the vendor's API set at the union, where it is another");

/** A subcommand that changes one account. */
function changing<Parameter = undefined>(
  name: string,
  description: string,
  change: (parameter: Parameter, options: ChangeOptions) => Change,
  parameter?: Argument,
): Command {
  const command = accountCommand(name, description).addArgument(username());
  if (parameter !== undefined) command.addArgument(parameter);
  return command.action((...given: unknown[]) =>
    end(async (terminal) => {
      const { changeCommand } = await import("./change-command.ts");
      const options = given[parameter === undefined ? 1 : 2] as ChangeOptions;
      return changeCommand(given[0] as string, change(given[1] as Parameter, options), options, terminal);
    }),
  );
}

/** `scorecards account` with its subcommands. */
export function accountProgram(): Command {
  const program = new Command("account").description(
    "Vendors' accounts: who may use what, and how much of it",
  );
  const add = withUnionOptions(accountCommand("add", "Makes an account; its password is shown this once"))
    .addArgument(username())
    .option("--api-set <name>", "where it is not the user name")
    .addOption(new Option("--resources <resource...>", "what it may use; all if left out").choices(resources))
    .addOption(new Option("--plan <plan>", "how much it may ask for").choices(planNames).default("standard"))
    .action((name: string, options: AddOptions) =>
      end(async (terminal) => {
        const { addCommand } = await import("./add-command.ts");
        return addCommand(name, options, terminal);
      }),
    );
  const list = accountCommand("list", "Shows all accounts").action((options: ChangeOptions) =>
    end(async (terminal) => {
      const { listCommand } = await import("./list-command.ts");
      return listCommand(options, terminal);
    }),
  );
  const mirror = accountCommand("mirror", "Replaces the pipeline's own credentials at the union")
    .argument("<username>", "its user name at the union")
    .option("--union-api-set <name>", "its API set at the union, where it is not the user name")
    .action((name: string, options: ChangeOptions) =>
      end(async (terminal) => {
        const { mirrorCommand } = await import("./mirror-command.ts");
        return mirrorCommand(name, options, terminal);
      }),
    );
  return program
    .addCommand(add)
    .addCommand(mirror)
    .addCommand(list)
    .addCommand(changing("disable", "Has nothing accepted of an account", () => ({ kind: "disable" })))
    .addCommand(changing("enable", "Takes that back", () => ({ kind: "enable" })))
    .addCommand(changing("password", "Makes a new password, shown this once", () => ({ kind: "password" })))
    .addCommand(
      withUnionOptions(
        changing<Resource[]>(
          "grant",
          "Lets an account use more",
          (granted) => ({ kind: "grant", resources: granted }),
          resourceArgument(),
        ),
      ),
    )
    .addCommand(
      changing<Resource[]>(
        "revoke",
        "Lets an account use less",
        (revoked) => ({ kind: "revoke", resources: revoked }),
        resourceArgument(),
      ),
    )
    .addCommand(
      changing<PlanName>(
        "plan",
        "Changes how much an account may ask for",
        (plan) => ({ kind: "plan", plan }),
        new Argument("<plan>").choices(planNames),
      ),
    )
    .addCommand(
      withUnionOptions(
        changing("union", "Replaces the vendor's credentials at the union", (_, options) => ({
          kind: "union",
          union: options,
        })),
      ),
    );
}
