import { Argument, Command, Option } from "commander";
import { type Resource, resources } from "../../core/accounts/account.ts";
import type { ExitCode } from "../base/exit-code.ts";
import { hours } from "../base/option-values.ts";
import { runSubcommand, stageOption } from "../base/subcommand.ts";
import { type PlanName, planNames } from "../base/target.ts";
import type { Terminal } from "../base/terminal.ts";
import type { AddOptions } from "./add-command.ts";
import type { Change, ChangeOptions } from "./change-command.ts";
import type { WebhooksOptions } from "./webhooks-command.ts";

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

/** A subcommand about one account that changes more than its entry. */
function ofAccount<Options>(
  name: string,
  description: string,
  load: () => Promise<(username: string, options: Options, terminal: Terminal) => Promise<ExitCode>>,
): Command {
  return accountCommand(name, description)
    .addArgument(username())
    .action((given: string, options: Options) =>
      runSubcommand(async (terminal) => (await load())(given, options, terminal)),
    );
}

const add = () =>
  withUnionOptions(
    ofAccount<AddOptions>(
      "add",
      "Creates an account and shows its password, this once",
      async () => (await import("./add-command.ts")).addCommand,
    ),
  )
    .option("--api-set <name>", "its API set, also one that other accounts have; by default the user name")
    .option("--club <id>", "bind it to a club, by ID or official number: only that club's cards and members")
    .addOption(
      new Option(
        "--resources <resource...>",
        "resources that it may use; by default all of a vendor's",
      ).choices(resources),
    )
    .option("--operator", "the account is an operator's: it may use `operations`, and no other unless named")
    .addOption(new Option("--plan <plan>", "its usage plan").choices(planNames).default("standard"));

const mirror = () =>
  ofAccount<ChangeOptions>(
    "mirror",
    "Replaces the pipeline's own credentials at the union, used to mirror clubs and courses",
    async () => (await import("./union-command.ts")).setUnionAccount("mirror"),
  ).option("--union-api-set <name>", "its API set at the union; by default the user name");

const union = () =>
  withUnionOptions(
    ofAccount<ChangeOptions>(
      "union",
      "Replaces the vendor's credentials at the union, unless the union refuses them",
      async () => (await import("./union-command.ts")).setUnionAccount("vendor"),
    ),
  );

const list = () =>
  accountCommand("list", "Lists all accounts, without secrets").action((options: ChangeOptions) =>
    runSubcommand(async (terminal) => {
      const { listCommand } = await import("./list-command.ts");
      return listCommand(options, terminal);
    }),
  );

const webhooks = () =>
  ofAccount<WebhooksOptions>(
    "webhooks",
    "Lists the webhook endpoints of the account's vendor, or removes one",
    async () => (await import("./webhooks-command.ts")).webhooksCommand,
  ).option("--remove <id>", "the endpoint to remove, with the events that wait for it");

const remove = () =>
  ofAccount<ChangeOptions>(
    "remove",
    "Deletes a disabled account and its credentials; its cards stay",
    async () => (await import("./remove-command.ts")).removeCommand,
  );

/** The subcommands that change an account's entry. */
const changes = () => [
  changeSubcommand("disable", "Rejects the account's requests; accepted cards are still delivered", () => ({
    kind: "disable",
  })),
  changeSubcommand("enable", "Re-enables a disabled account", () => ({ kind: "enable" })),
  changeSubcommand(
    "password",
    "Replaces the password and shows the new one, this once",
    (_, { overlap }) => ({
      kind: "password",
      overlap,
    }),
  ).option("--overlap <time>", "how long the former password stays valid, e.g. 24h; by default not", hours),
  withUnionOptions(
    changeSubcommand<Resource[]>(
      "grant",
      "Lets the account use more resources",
      (granted) => ({ kind: "grant", resources: granted }),
      resourceArgument(),
    ),
  ),
  changeSubcommand<Resource[]>(
    "revoke",
    "Takes resources from the account",
    (revoked) => ({ kind: "revoke", resources: revoked }),
    resourceArgument(),
  ),
  changeSubcommand<PlanName>(
    "plan",
    "Changes the account's usage plan",
    (plan) => ({ kind: "plan", plan }),
    new Argument("<plan>").choices(planNames),
  ),
];

/** `scorecards account` with its subcommands. */
export function accountProgram(): Command {
  const program = new Command("account").description(
    "Manages vendor accounts: their credentials, resources and usage plans",
  );
  for (const command of [add(), union(), mirror(), list(), webhooks(), remove(), ...changes()])
    program.addCommand(command);
  return program;
}
