import { followCards, isSettled } from "../../client/follow-cards.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import { type VendorOptions, vendorAccess } from "../vendor-access.ts";
import { externalIdsInState, externalIdsOfFile } from "./cards-to-watch.ts";

/** Options of `scorecards watch`. */
export interface WatchOptions extends VendorOptions {
  readonly file?: string;
  readonly state?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly json?: true;
}

/** `scorecards watch [ExternalID…]`: done where every card was delivered or withdrawn. */
export async function watchCommand(
  named: readonly string[],
  options: WatchOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const access = await vendorAccess(options, process.env);
  const { signal } = terminal;
  const externalIds = [
    ...named,
    ...(options.file === undefined ? [] : await externalIdsOfFile(options.file)),
    ...(options.state === undefined ? [] : await externalIdsInState(access, options.state, signal)),
  ];
  if (named.length === 0 && options.file === undefined && options.state === undefined) {
    throw new Error("Say which cards: by ExternalID, --file or --state.");
  }
  const deadline = performance.now() + (options.timeout ?? Number.POSITIVE_INFINITY) * 1000;
  const statuses = await followCards({
    ...access,
    externalIds,
    deadline,
    onChange: (status) => {
      if (options.json) terminal.json(status);
      else terminal.result(`${status.externalId}  ${status.state}`);
    },
    signal,
  });

  const states = externalIds.map((externalId) => statuses.get(externalId)?.state ?? "not known yet");
  const sums = Object.entries(Object.groupBy(states, (state) => state));
  const words = sums.map(([state, cards]) => `${cards?.length} ${state}`).join(", ");
  if (!options.json) terminal.result(states.length === 0 ? "No cards." : `${words}.`);
  if (!states.every(isSettled)) return exitCode.unfinished;
  return states.every((state) => state === "delivered" || state === "withdrawn")
    ? exitCode.done
    : exitCode.refused;
}
