import Table from "cli-table3";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { TargetStage } from "../target.ts";
import type { Terminal } from "../terminal.ts";
import { accountOffice } from "./account-office.ts";

/** `scorecards account list`. */
export async function listCommand(
  { stage, json }: { readonly stage: TargetStage; readonly json?: true },
  terminal: Terminal,
): Promise<ExitCode> {
  const { accounts } = await accountOffice(stage);
  const all = (await accounts.list())
    .map(({ username, apiSet, resources, disabled, usage }) => ({
      username,
      apiSet,
      resources,
      plan: usage?.plan,
      disabled,
    }))
    .sort((one, other) => one.username.localeCompare(other.username));
  if (json) terminal.result(JSON.stringify(all));
  else {
    const table = new Table({
      head: ["User name", "API set", "May use", "Usage plan", "State"],
      style: { head: [], border: [] },
    });
    for (const { username, apiSet, resources, plan, disabled } of all) {
      table.push([username, apiSet, resources.join(", "), plan ?? "none", disabled ? "disabled" : "enabled"]);
    }
    terminal.result(table.toString());
  }
  return exitCode.done;
}
