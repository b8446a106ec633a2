import { type CardStatus, inBatches } from "../../client/vendor-api.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { tableLines } from "../table-lines.ts";
import type { Terminal } from "../terminal.ts";
import { requestDeadline } from "../vendor-access.ts";
import { type CardReaderOptions, cardReader, failureOf } from "./card-reader.ts";

/** `scorecards status ExternalID…`. Exit code `done` if every card is known. */
export async function statusCommand(
  externalIds: readonly string[],
  options: CardReaderOptions & { readonly json?: true },
  terminal: Terminal,
): Promise<ExitCode> {
  const reader = await cardReader(options, process.env);
  const deadline = requestDeadline();
  const answers = await inBatches(externalIds, (asked) => reader.statuses(asked, deadline, terminal.signal));
  const statuses = answers.flat();
  if (options.json) terminal.json(statuses);
  else terminal.result(statusTable(statuses));
  return statuses.some(({ state }) => state === "unknown") ? exitCode.refused : exitCode.done;
}

/** The lines of a table of states. */
function statusTable(statuses: readonly CardStatus[]): string[] {
  const head = ["ExternalID", "State", "Since", "Attempts", "Next attempt", "Last error"];
  const rows = statuses.map((status) => {
    const { externalId, state, since, attempts, nextAttemptAt } = status;
    return [externalId, state, since ?? "", attempts ?? "", nextAttemptAt ?? "", failureOf(status)];
  });
  return tableLines(head, rows);
}
