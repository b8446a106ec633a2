import { type CardStatus, inBatches, statusesOfCards } from "../../client/vendor-api.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { tableLines } from "../table-lines.ts";
import type { Terminal } from "../terminal.ts";
import { requestDeadline, type VendorOptions, vendorAccess } from "../vendor-access.ts";

/** `scorecards status ExternalID…`. Exit code `done` if every card is known. */
export async function statusCommand(
  externalIds: readonly string[],
  options: VendorOptions & { readonly json?: true },
  terminal: Terminal,
): Promise<ExitCode> {
  const { api, vendor } = await vendorAccess(options, process.env);
  const deadline = requestDeadline();
  const answers = await inBatches(externalIds, (asked) =>
    statusesOfCards(api, vendor, asked, deadline, terminal.signal),
  );
  const statuses = answers.flat();
  if (options.json) terminal.json(statuses);
  else terminal.result(statusTable(statuses));
  return statuses.some(({ state }) => state === "unknown") ? exitCode.refused : exitCode.done;
}

/** The lines of a table of states. */
function statusTable(statuses: readonly CardStatus[]): string[] {
  const head = ["ExternalID", "State", "Since", "Attempts", "Next attempt", "Last error"];
  const rows = statuses.map(({ externalId, state, since, attempts, nextAttemptAt, lastError }) => {
    const status = lastError?.status === undefined ? "" : `HTTP ${lastError.status}: `;
    const error = lastError === undefined ? "" : `${status}${lastError.message}`;
    return [externalId, state, since ?? "", attempts ?? "", nextAttemptAt ?? "", error];
  });
  return tableLines(head, rows);
}
