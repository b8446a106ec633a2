import { inQuestions, statusesOfCards } from "../../client/vendor-api.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { requestDeadline } from "../request-deadline.ts";
import type { Terminal } from "../terminal.ts";
import { type VendorOptions, vendorAccess } from "../vendor-access.ts";
import { statusTable } from "./status-table.ts";

/** `scorecards status ExternalID…`: done where every card is known. */
export async function statusCommand(
  externalIds: readonly string[],
  options: VendorOptions & { readonly json?: true },
  terminal: Terminal,
): Promise<ExitCode> {
  const { api, vendor } = await vendorAccess(options, process.env);
  const deadline = requestDeadline();
  const answers = await inQuestions(externalIds, (asked) =>
    statusesOfCards(api, vendor, asked, deadline, terminal.signal),
  );
  const statuses = answers.flat();
  if (options.json) terminal.json(statuses);
  else terminal.result(statusTable(statuses));
  return statuses.some(({ state }) => state === "unknown") ? exitCode.refused : exitCode.done;
}
