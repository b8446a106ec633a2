import { commandProcess } from "../base/command-process.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { tableLines } from "../base/table-lines.ts";
import type { Terminal } from "../base/terminal.ts";
import { type CardReaderOptions, cardReader, failureOf } from "./card-reader.ts";

/** `scorecards status ExternalID…`. Exit code `done` if every card was accepted. */
export async function statusCommand(
  externalIds: readonly string[],
  options: CardReaderOptions & { readonly json?: true },
  terminal: Terminal,
): Promise<ExitCode> {
  const reader = await cardReader(options, commandProcess().env);
  const statuses = await reader.statuses(externalIds, terminal.signal);
  if (options.json) terminal.json(statuses);
  else {
    const rows = statuses.map((status) => {
      const { externalId, state, since, attempts, nextAttemptAt } = status;
      return [externalId, state, since, attempts, nextAttemptAt, failureOf(status)];
    });
    const head = ["ExternalID", "State", "Since", "Attempts", "Next attempt", "Last error"];
    terminal.result(tableLines(head, rows));
  }
  return statuses.some(({ state }) => state === "unknown" || state === "refused")
    ? exitCode.refused
    : exitCode.done;
}
