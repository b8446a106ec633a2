import { CardState, isSettled } from "@scorecard-pipeline/scorecards-client";
import type { ListedState } from "../../core/cards/life/states.ts";
import { commandProcess } from "../base/command-process.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import type { Terminal } from "../base/terminal.ts";
import { patientRetrySeconds, vendorAccess } from "../base/vendor-access.ts";
import { isTable, openOrAsk } from "../submit/open-or-ask.ts";
import type { TableOptions } from "../submit/table-options.ts";
import { type CardReaderOptions, cardReader, failureOf } from "./card-reader.ts";

/** Options of `scorecards watch`. */
export interface WatchOptions extends CardReaderOptions, TableOptions {
  readonly file?: string;
  readonly state?: ListedState;
  /** Seconds. */
  readonly timeout?: number;
  readonly json?: true;
}

/** `scorecards watch [ExternalID…]`. Exit code `done` if every card was delivered or withdrawn. */
export async function watchCommand(
  named: readonly string[],
  options: WatchOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const reader = await cardReader(options, commandProcess().env, patientRetrySeconds);
  const { signal } = terminal;
  const ofFile = options.file === undefined ? [] : await externalIdsOfFile(options.file, options, terminal);
  if (ofFile === undefined) return exitCode.unfinished;
  const externalIds = [
    ...named,
    ...ofFile,
    ...(options.state === undefined ? [] : await reader.inState(options.state, signal)),
  ];
  if (named.length === 0 && options.file === undefined && options.state === undefined) {
    throw new Error("No cards are named. Name them by ExternalID, --file or --state.");
  }
  const lastStates = new Map<string, string>();
  const timeoutSeconds = options.timeout ?? Number.POSITIVE_INFINITY;
  for await (const status of reader.follow(externalIds, timeoutSeconds, signal)) {
    lastStates.set(status.externalId, status.state);
    if (options.json) terminal.json(status);
    else terminal.result(`${status.externalId}  ${status.state}  ${failureOf(status)}`.trimEnd());
  }

  const states = externalIds.map((externalId) => lastStates.get(externalId) ?? "not known yet");
  const byState = Object.entries(Object.groupBy(states, (state) => state));
  const summary = byState.map(([state, cards]) => `${cards?.length} ${state}`).join(", ");
  if (!options.json) terminal.result(states.length === 0 ? "No cards." : `${summary}.`);
  if (!states.every(isSettled)) return exitCode.unfinished;
  return states.every((state) => state === CardState.delivered || state === CardState.withdrawn)
    ? exitCode.done
    : exitCode.refused;
}

/** ExternalIDs of the cards of a file; a card without one is skipped. Undefined if its questions are open. */
async function externalIdsOfFile(
  path: string,
  options: WatchOptions,
  terminal: Terminal,
): Promise<string[] | undefined> {
  // An operator reads cards without the vendor's account, by which the union would be asked.
  const access =
    options.vendor === undefined && isTable(path)
      ? await vendorAccess(options, commandProcess().env, patientRetrySeconds)
      : undefined;
  const file = await openOrAsk(path, options, access?.client, terminal);
  if (file === undefined) return undefined;
  const externalIds: string[] = [];
  for await (const { value } of file.cards) {
    const { ExternalID } = (value ?? {}) as { ExternalID?: unknown };
    if (typeof ExternalID === "string") externalIds.push(ExternalID);
  }
  return externalIds;
}
