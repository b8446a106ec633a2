import type { DaysQuery } from "@scorecard-pipeline/scorecards-client";
import { progressDisplay } from "../../local/progress-display.ts";
import { commandProcess } from "../base/command-process.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { counted, printableJson, type Terminal } from "../base/terminal.ts";
import { patientRetrySeconds, type VendorOptions, vendorAccess } from "../base/vendor-access.ts";
import { fileProgress } from "../submit/file-progress.ts";
import { openOrAsk } from "../submit/open-or-ask.ts";
import type { TableOptions } from "../submit/table-options.ts";
import { type Discrepancy, type DiscrepancyKind, discrepancyKinds } from "./discrepancy.ts";
import { type ReconcileCounts, reconcileFile } from "./reconcile-file.ts";

/** Options of `scorecards reconcile`. */
export interface ReconcileCommandOptions extends VendorOptions, DaysQuery, TableOptions {
  readonly json?: true;
}

/** `scorecards reconcile FILE`. Exit code `done` if the file and the pipeline have the same cards. */
export async function reconcileCommand(
  path: string,
  options: ReconcileCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { client } = await vendorAccess(options, commandProcess().env, patientRetrySeconds);
  const file = await openOrAsk(path, options, client, terminal);
  if (file === undefined) return exitCode.unfinished;
  const { signal } = terminal;
  const { from = options.to, to } = options;
  const days = from === undefined ? undefined : { from, to };
  // Days that cannot be listed are refused before the file is read, which may take long.
  if (days !== undefined) await client.activity(days, { signal });

  const unit = file.table === undefined ? "card" : "row";
  const write = ({ kind, ...found }: Discrepancy) => {
    if (options.json) terminal.json({ found: kind, ...found });
    else terminal.result(toLine({ kind, ...found }, unit));
  };
  const display = progressDisplay(terminal.progress);
  const deferred: Discrepancy[] = [];
  const counts = await reconcileFile({
    client,
    file,
    days,
    // Lines would break a progress bar, so they wait for its end. Without a bar each is written at once.
    onFound: (one) => (terminal.progress.isTTY ? deferred.push(one) : write(one)),
    onProgress: (soFar) => display.show(fileProgress(file, progressText(soFar))),
    signal,
  }).finally(() => {
    display.end();
    deferred.forEach(write);
  });

  if (options.json) terminal.json({ ...counts, finished: true });
  else terminal.result(summarize(counts));
  return discrepancyKinds.some((kind) => counts[kind] > 0) ? exitCode.refused : exitCode.done;
}

const headings: Readonly<Record<DiscrepancyKind, string>> = {
  missingThere: "Missing there",
  missingHere: "Missing here",
  differs: "Differs",
  refused: "Would be refused",
  erased: "Erased there",
};

const fieldsShown = 5;

function toLine(
  { kind, card, externalId, state, fields = [], errors = [], toDo }: Discrepancy,
  unit: string,
): string {
  const name = externalId === undefined ? "without an ExternalID" : printableJson(externalId);
  const place = card === undefined ? [] : [`${unit} ${card}`];
  const faults = errors.map(({ code, pointer }) => (pointer ? `${code} at ${pointer}` : code));
  const more = fields.length > fieldsShown ? [`and ${fields.length - fieldsShown} more`] : [];
  const differing = [...fields.slice(0, fieldsShown), ...more];
  return `${headings[kind]}: ${[...place, name, state, ...differing, ...faults].join(", ")}. ${toDo}`;
}

function summarize({ cards, same, sameByState, ...counts }: ReconcileCounts): string {
  const states = Object.entries(sameByState).map(([state, number]) => `${number} ${state}`);
  const found = discrepancyKinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${headings[kind].toLowerCase()} ${counts[kind]}`);
  const detail = states.length === 0 ? "" : ` (${states.join(", ")})`;
  return `${[`${counted(cards, "card")} in the file: the same ${same}${detail}`, ...found].join(", ")}.`;
}

const progressText = ({ cards, same }: ReconcileCounts) =>
  `${counted(cards, "card")} read, ${same} are the same`;
