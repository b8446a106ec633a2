import { Argument, Command, Option } from "commander";
import { type Resource, resources } from "../../api/routes.ts";
import { runSubcommand, stageOption } from "../base/subcommand.ts";
import { type PlanName, planNames } from "../base/target.ts";
import type { AddOptions } from "./add-command.ts";
import type { Change, ChangeOptions } from "./change-command.ts";

function accountCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(stageOption())
    .option("--json", "print the result as JSON");
}

const username = () => new Argument("<username>");
const resourceArgument = () => new Argument("<resource...>").choices(resources);
const withUnionOptions = (command: Command) =>
  command
    .option("--union-username <name>", "the vendor's user name at the union; by default the same")
    .option("--union-api-set <name>", "the vendor's API set at the union; by default the same");

/** A subcommand that changes one account. */
function changeSubcommand<Parameter = undefined>(
  name: string,
  description: string,
  change: (parameter: Parameter, options: ChangeOptions) => Change,
  parameter?: Argument,
): Command {
  const command = accountCommand(name, description).addArgument(username());
  if (parameter !== undefined) command.addArgument(parameter);
  return command.action((...given: unknown[]) =>
    runSubcommand(async (terminal) => {
      const { changeCommand } = await import("./change-command.ts");
      const options = given[parameter === undefined ? 1 : 2] as ChangeOptions;
      return changeCommand(given[0] as string, change(given[1] as Parameter, options), options, terminal);
    }),
  );
}

/** `scorecards account` with its subcommands. */
export function accountProgram(): Command {
  const program = new Command("account").description(
    "Manages vendor accounts: their credentials, resources and usage plans",
  );
  const add = withUnionOptions(accountCommand("add", "Creates an account and shows its password, this once"))
    .addArgument(username())
    .option("--api-set <name>", "its API set; by default the user name")
    .addOption(
      new Option(
        "--resources <resource...>",
        "resources that it may use; by default all of a vendor's",
      ).choices(resources),
    )
    .option("--operator", "the account is an operator's: it may use `operations`, and no other unless named")
    .addOption(new Option("--plan <plan>", "its usage plan").choices(planNames).default("standard"))
    .action((name: string, options: AddOptions) =>
      runSubcommand(async (terminal) => {
        const { addCommand } = await import("./add-command.ts");
        return addCommand(name, options, terminal);
      }),
    );
  const list = accountCommand("list", "Lists all accounts, without secrets").action(
    (options: ChangeOptions) =>
      runSubcommand(async (terminal) => {
        const { listCommand } = await import("./list-command.ts");
        return listCommand(options, terminal);
      }),
  );
  const mirror = accountCommand(
    "mirror",
    "Replaces the pipeline's own credentials at the union, used to mirror clubs and courses",
  )
    .argument("<username>", "its user name at the union")
    .option("--union-api-set <name>", "its API set at the union; by default the user name")
    .action((name: string, options: ChangeOptions) =>
      runSubcommand(async (terminal) => {
        const { mirrorCommand } = await import("./mirror-command.ts");
        return mirrorCommand(name, options, terminal);
      }),
    );
  const smokeTest = accountCommand("smoke-test", "Has the smoke test send its cards as this vendor")
    .argument("<username>", "an account of its own, which gets a new password")
    .action((name: string, options: ChangeOptions) =>
      runSubcommand(async (terminal) => {
        const { smokeTestCommand } = await import("./smoke-test-command.ts");
        return smokeTestCommand(name, options, terminal);
      }),
    );
  return program
    .addCommand(add)
    .addCommand(mirror)
    .addCommand(smokeTest)
    .addCommand(list)
    .addCommand(
      accountCommand("remove", "Deletes a disabled account and its credentials; its cards stay")
        .addArgument(username())
        .action((name: string, options: ChangeOptions) =>
          runSubcommand(async (terminal) => {
            const { removeCommand } = await import("./remove-command.ts");
            return removeCommand(name, options, terminal);
          }),
        ),
    )
    .addCommand(
      changeSubcommand(
        "disable",
        "Rejects the account's requests; accepted cards are still delivered",
        () => ({ kind: "disable" }),
      ),
    )
    .addCommand(changeSubcommand("enable", "Re-enables a disabled account", () => ({ kind: "enable" })))
    .addCommand(
      changeSubcommand("password", "Replaces the password and shows the new one, this once", () => ({
        kind: "password",
      })),
    )
    .addCommand(
      withUnionOptions(
        changeSubcommand<Resource[]>(
          "grant",
          "Lets the account use more resources",
          (granted) => ({ kind: "grant", resources: granted }),
          resourceArgument(),
        ),
      ),
    )
    .addCommand(
      changeSubcommand<Resource[]>(
        "revoke",
        "Takes resources from the account",
        (revoked) => ({ kind: "revoke", resources: revoked }),
        resourceArgument(),
      ),
    )
    .addCommand(
      changeSubcommand<PlanName>(
        "plan",
        "Changes the account's usage plan",
        (plan) => ({ kind: "plan", plan }),
        new Argument("<plan>").choices(planNames),
      ),
    )
    .addCommand(
      withUnionOptions(
        changeSubcommand("union", "Replaces the vendor's credentials at the union", (_, options) => ({
          kind: "union",
          union: options,
        })),
      ),
    );
}
