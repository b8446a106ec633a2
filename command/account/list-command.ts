import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { tableLines } from "../base/table-lines.ts";
import type { TargetStage } from "../base/target.ts";
import type { Terminal } from "../base/terminal.ts";
import { accountAdmin } from "./account-admin.ts";

/** `scorecards account list`. */
export async function listCommand(
  { stage, json }: { readonly stage: TargetStage; readonly json?: true },
  terminal: Terminal,
): Promise<ExitCode> {
  const { accounts } = await accountAdmin(stage);
  const all = (await accounts.list())
    .map(({ username, apiSet, resources, club, disabled, usage }) => ({
      username,
      apiSet,
      resources,
      club,
      plan: usage?.plan,
      disabled,
    }))
    .sort((one, other) => one.username.localeCompare(other.username));
  if (json) terminal.json(all);
  else {
    const head = ["User name", "API set", "May use", "Club", "Usage plan", "State"];
    const rows = all.map(({ username, apiSet, resources, club, plan, disabled }) => {
      const state = disabled ? "disabled" : "enabled";
      return [username, apiSet, resources.join(", "), club?.number ?? "all", plan ?? "none", state];
    });
    terminal.result(tableLines(head, rows, "There are no accounts."));
  }
  return exitCode.done;
}
