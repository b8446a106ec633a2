import { Argument, Command, Option } from "commander";
import { type Resource, resources } from "../../core/accounts/account.ts";
import { hours } from "../base/option-values.ts";
import { loadAction, stageCommand } from "../base/subcommand.ts";
import { type PlanName, planNames } from "../base/target.ts";
import type { Terminal } from "../base/terminal.ts";
import type { Change, ChangeOptions } from "./change-command.ts";

const ofAccount = (name: string, description: string): Command =>
  stageCommand(name, description).argument("<username>");
const resourceArgument = () => new Argument("<resource...>").choices(resources);
const withUnionOptions = (command: Command) =>
  command
    .option("--union-username <name>", "the vendor's user name at the union; by default the same")
    .option("--union-api-set <name>", "the vendor's API set at the union; by default the same");

const loadChange = async () => (await import("./change-command.ts")).changeCommand;

/** The action of a subcommand that changes an account's entry. */
const change = (toChange: (options: ChangeOptions) => Change) =>
  loadAction(async (_: string, options: ChangeOptions) => (await loadChange())(toChange(options)));

/** The same by an argument. */
const changeBy = <Parameter>(toChange: (parameter: Parameter) => Change) =>
  loadAction(async (_: string, parameter: Parameter) => {
    const run = (await loadChange())(toChange(parameter));
    return (username: string, _: Parameter, options: ChangeOptions, terminal: Terminal) =>
      run(username, options, terminal);
  });

const subcommands = () => [
  withUnionOptions(ofAccount("add", "Creates an account and shows its password, this once"))
    .option("--api-set <name>", "its API set, also one that other accounts have; by default the user name")
    .option("--club <id>", "bind it to a club, by ID or official number: only that club's cards and members")
    .addOption(
      new Option(
        "--resources <resource...>",
        "resources that it may use; by default all of a vendor's",
      ).choices(resources),
    )
    .option("--operator", "the account is an operator's: it may use `operations`, and no other unless named")
    .addOption(new Option("--plan <plan>", "its usage plan").choices(planNames).default("standard"))
    .action(loadAction(async () => (await import("./add-command.ts")).addCommand)),
  withUnionOptions(
    ofAccount("union", "Replaces the vendor's credentials at the union, unless the union refuses them"),
  ).action(loadAction(async () => (await import("./union-command.ts")).setUnionAccount("vendor"))),
  ofAccount(
    "mirror",
    "Replaces the pipeline's own credentials at the union, used to mirror clubs and courses",
  )
    .option("--union-api-set <name>", "its API set at the union; by default the user name")
    .action(loadAction(async () => (await import("./union-command.ts")).setUnionAccount("mirror"))),
  stageCommand("list", "Lists all accounts, without secrets").action(
    loadAction(async () => (await import("./list-command.ts")).listCommand),
  ),
  ofAccount("webhooks", "Lists the webhook endpoints of the account's vendor, or removes one")
    .option("--remove <id>", "the endpoint to remove, with the events that wait for it")
    .action(loadAction(async () => (await import("./webhooks-command.ts")).webhooksCommand)),
  ofAccount("remove", "Deletes a disabled account and its credentials; its cards stay").action(
    loadAction(async () => (await import("./remove-command.ts")).removeCommand),
  ),
  ofAccount("disable", "Rejects the account's requests; accepted cards are still delivered").action(
    change(() => ({ kind: "disable" })),
  ),
  ofAccount("enable", "Re-enables a disabled account").action(change(() => ({ kind: "enable" }))),
  ofAccount("password", "Replaces the password and shows the new one, this once")
    .option("--overlap <time>", "how long the former password stays valid, e.g. 24h; by default not", hours)
    .action(change(({ overlap }) => ({ kind: "password", overlap }))),
  withUnionOptions(ofAccount("grant", "Lets the account use more resources"))
    .addArgument(resourceArgument())
    .action(changeBy((granted: Resource[]) => ({ kind: "grant", resources: granted }))),
  ofAccount("revoke", "Takes resources from the account")
    .addArgument(resourceArgument())
    .action(changeBy((revoked: Resource[]) => ({ kind: "revoke", resources: revoked }))),
  ofAccount("plan", "Changes the account's usage plan")
    .addArgument(new Argument("<plan>").choices(planNames))
    .action(changeBy((plan: PlanName) => ({ kind: "plan", plan }))),
];

/** `scorecards account` with its subcommands. */
export function accountProgram(): Command {
  const program = new Command("account").description(
    "Manages vendor accounts: their credentials, resources and usage plans",
  );
  for (const command of subcommands()) program.addCommand(command);
  return program;
}
