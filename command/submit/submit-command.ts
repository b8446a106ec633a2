import { rm } from "node:fs/promises";
import type { CardFindings } from "@scorecard-pipeline/card-files/card-fault";
import { namedCards } from "@scorecard-pipeline/card-files/named-cards";
import { previewCards } from "@scorecard-pipeline/card-files/preview-cards";
import { submitCards } from "@scorecard-pipeline/card-files/submit-cards";
import { progressDisplay } from "../../local/progress-display.ts";
import { commandProcess } from "../base/command-process.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import type { Terminal } from "../base/terminal.ts";
import { patientRetrySeconds, vendorAccess } from "../base/vendor-access.ts";
import type { CardFile } from "./card-file.ts";
import { fileProgress } from "./file-progress.ts";
import { openJournal } from "./journal-file.ts";
import { openOrAsk } from "./open-or-ask.ts";
import {
  findingLines,
  noteFailure,
  noteInterruption,
  noteUncounted,
  previewSummary,
  previewText,
  progressText,
  submitSummary,
} from "./result-lines.ts";
import type { SubmitOptions } from "./submit-options.ts";
import { submitTable } from "./submit-table.ts";

/** `scorecards submit FILE`. */
export async function submitCommand(
  path: string,
  options: SubmitOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { client, pipeline } = await vendorAccess(options, commandProcess().env, patientRetrySeconds);
  const file = await openOrAsk(path, options, client, terminal);
  if (file === undefined) return exitCode.unfinished;
  if (file.table !== undefined) return await submitTable(path, file.table, options, client, terminal);
  const shared = {
    client,
    parallel: options.parallel,
    retrySeconds: options.patience,
    anyCorrection: options.anyCorrection ?? false,
    signal: terminal.signal,
  };
  if (options.preview) return await preview(file, shared, options, terminal);
  const journalPath = `${path}.accepted`;
  if (options.again) await rm(journalPath, { force: true });
  const journal = await openJournal(journalPath, [pipeline, client.apiSet]);
  const display = progressDisplay(terminal.progress);
  const report = reportOf(options, terminal);
  noteInterruption(terminal);
  const { failure, ...counts } = await submitCards({
    ...shared,
    ...journal,
    cards: namedCards(file.cards),
    onFound: report.add,
    onProgress: (soFar) => display.show(fileProgress(file, progressText(soFar))),
  }).finally(() => display.end());
  report.end();
  if (options.json) terminal.json({ ...counts, held: 0, finished: failure === undefined });
  else terminal.result(submitSummary(counts));
  if (failure !== undefined) {
    noteFailure(failure, terminal);
    return exitCode.unfinished;
  }
  return counts.refused > 0 ? exitCode.refused : exitCode.done;
}

async function preview(
  file: CardFile,
  shared: Omit<Parameters<typeof previewCards>[0], "cards" | "onJudged" | "onProgress">,
  options: SubmitOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const display = progressDisplay(terminal.progress);
  const report = reportOf(options, terminal);
  const counts = await previewCards({
    ...shared,
    cards: namedCards(file.cards),
    onJudged: (_, found) => report.add(found),
    onProgress: (soFar) => display.show(fileProgress(file, previewText(soFar))),
  }).finally(() => {
    display.end();
    report.end();
  });
  if (options.json) terminal.json({ ...counts, finished: true });
  else terminal.result(previewSummary(counts));
  noteUncounted(counts.uncounted, terminal);
  return counts.refused > 0 ? exitCode.refused : exitCode.done;
}

/** Prints what was found about cards: refusals, and in a preview the warnings. */
function reportOf(
  { json, preview: isPreview }: SubmitOptions,
  terminal: Terminal,
): { readonly add: (found: CardFindings) => void; readonly end: () => void } {
  const deferred: CardFindings[] = [];
  const write = (found: CardFindings) => {
    if (json) terminal.json({ ...found });
    else terminal.result(findingLines(found, "card"));
  };
  return {
    add(found) {
      if (found.errors === undefined && (!isPreview || found.warnings === undefined)) return;
      // Lines would break a progress bar.
      if (terminal.progress.isTTY) deferred.push(found);
      else write(found);
    },
    end() {
      for (const found of deferred.splice(0).sort((one, other) => one.card - other.card)) write(found);
    },
  };
}
