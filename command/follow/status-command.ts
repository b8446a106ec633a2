import pMap from "p-map";
import { type CardStatus, mostCardsAsked, statusesOfCards } from "../../client/vendor-api.ts";
import { chunks } from "../../core/store/chunks.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import { type VendorOptions, vendorAccess } from "../vendor-access.ts";
import { statusTable } from "./status-table.ts";

const patienceMilliseconds = 30_000;
const parallelQuestions = 4;

/** `scorecards status ExternalID…`: done where every card is known. */
export async function statusCommand(
  externalIds: readonly string[],
  options: VendorOptions & { readonly json?: true },
  terminal: Terminal,
): Promise<ExitCode> {
  const { api, vendor } = await vendorAccess(options, process.env);
  const deadline = performance.now() + patienceMilliseconds;
  const statuses: CardStatus[] = (
    await pMap(
      chunks(externalIds, mostCardsAsked),
      (asked) => statusesOfCards(api, vendor, asked, deadline, terminal.signal),
      { concurrency: parallelQuestions },
    )
  ).flat();
  terminal.result(options.json ? JSON.stringify(statuses) : statusTable(statuses));
  return statuses.some(({ state }) => state === "unknown") ? exitCode.refused : exitCode.done;
}
