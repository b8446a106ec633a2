import { ApiError } from "@scorecard-pipeline/scorecards-client";
import { commandProcess } from "../base/command-process.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import type { Terminal } from "../base/terminal.ts";
import { type VendorOptions, vendorAccess } from "../base/vendor-access.ts";
import { scorecardLines } from "./scorecard-lines.ts";

/** `scorecards card ExternalID`. Exit code `refused` if there is no such card, or its player was erased. */
export async function cardCommand(
  externalId: string,
  options: VendorOptions & { readonly json?: true },
  terminal: Terminal,
): Promise<ExitCode> {
  const { client } = await vendorAccess(options, commandProcess().env);
  try {
    const stored = await client.card(externalId, { signal: terminal.signal });
    if (options.json) terminal.json(stored);
    else terminal.result(scorecardLines(stored));
    return exitCode.done;
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 410].includes(error.status)) throw error;
    terminal.note(error.message);
    return exitCode.refused;
  }
}
