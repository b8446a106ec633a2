import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { ApiError, NoResponseError } from "@scorecard-pipeline/scorecards-client";
import { commandProcess } from "../command-process.ts";
import { errorLine } from "../error-line.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { progressDisplay } from "../progress-display.ts";
import { counted, printableJson, type Terminal } from "../terminal.ts";
import { patientRetrySeconds, type VendorOptions, vendorAccess } from "../vendor-access.ts";
import type { CardFile } from "./card-file.ts";
import { fileProgress } from "./file-progress.ts";
import { openJournal } from "./journal.ts";
import { openFile } from "./open-file.ts";
import { previewFile } from "./preview-file.ts";
import { type CardRefusal, type SubmitCounts, submitFile } from "./submit-file.ts";

/** Options of `scorecards submit`. */
export interface SubmitOptions extends VendorOptions {
  readonly parallel: number;
  readonly patience: number;
  /** Send all cards, also those that were accepted before. */
  readonly again?: true;
  /** File that says which column of a table is which field. */
  readonly columns?: string;
  /** Say what is wrong, and submit nothing. */
  readonly preview?: true;
  readonly json?: true;
}

/** `scorecards submit FILE`. A table is validated as a whole before its valid rows are submitted. */
export async function submitCommand(
  path: string,
  options: SubmitOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { client, pipeline } = await vendorAccess(options, commandProcess().env, patientRetrySeconds);
  const file = await openFile(path, options.columns);
  const write = ({ errors, ...refusal }: CardRefusal) => {
    const located = errors.map((error) => ({ ...error, ...columnIn(file, error.pointer) }));
    if (options.json) terminal.json({ ...refusal, errors: located });
    else terminal.result(refusalLines({ ...refusal, errors: located }, file.columnOf && "row"));
  };

  const isTable = file.columnOf !== undefined;
  if (!isTable && !options.preview) return await submitAndReport(file, 0);
  const { valid, refused, warnings } = await previewFile(client, file, write, terminal.signal);
  if (options.preview) {
    if (options.json) terminal.json({ valid: valid.length, refused, warnings, finished: true });
    else {
      const total = counted(valid.length + refused, "card");
      terminal.result(
        `${total}: ${valid.length} would be accepted, ${refused} refused. Nothing is submitted.`,
      );
    }
    return refused > 0 ? exitCode.refused : exitCode.done;
  }
  return await submitAndReport({ ...file, cards: Readable.from(valid) }, refused);

  async function submitAndReport(cards: CardFile, refusedBefore: number): Promise<ExitCode> {
    const journalPath = `${path}.accepted`;
    if (options.again) await rm(journalPath, { force: true });
    const journal = await openJournal(journalPath, [pipeline, client.apiSet]);
    const display = progressDisplay(terminal.progress);
    const show = (counts: SubmitCounts) => display.show(fileProgress(file, progressText(counts)));
    show({ accepted: 0, acceptedBefore: 0, refused: refusedBefore, warnings: 0 });
    const deferred: CardRefusal[] = [];
    // Lines would break a progress bar, so they wait for its end. Without a bar each refusal is written at once.
    const report = (one: CardRefusal) => (terminal.progress.isTTY ? deferred.push(one) : write(one));
    const interrupted = () =>
      terminal.note("Waiting for the answers to what was sent. Press Ctrl-C again to stop without them.");
    terminal.signal.addEventListener("abort", interrupted, { once: true });
    const { failure, ...submitted } = await submitFile({
      client,
      file: cards,
      journal,
      parallel: options.parallel,
      retrySeconds: options.patience,
      onRefused: report,
      onProgress: show,
      signal: terminal.signal,
    }).finally(() => display.end());

    deferred.forEach(write);
    const counts = { ...submitted, refused: submitted.refused + refusedBefore };
    if (options.json) terminal.json({ ...counts, finished: failure === undefined });
    else terminal.result(summaryOf(counts));
    if (failure !== undefined) {
      terminal.note(`error: ${errorLine(failure)}`);
      if (terminal.signal.aborted || isTransient(failure)) {
        terminal.note("Run the same command again to submit the remaining cards.");
      }
      return exitCode.unfinished;
    }
    return counts.refused > 0 ? exitCode.refused : exitCode.done;
  }
}

/** The column with the fault; undefined if the file has no columns. */
function columnIn({ columnOf }: CardFile, pointer: string | undefined): { column?: string } {
  const column = pointer === undefined ? undefined : columnOf?.(pointer);
  return column === undefined ? {} : { column };
}

function summaryOf({ accepted, acceptedBefore, refused, warnings }: SubmitCounts): string {
  const before = acceptedBefore > 0 ? `, ${acceptedBefore} accepted before and not sent again` : "";
  const warned = warnings > 0 ? ` ${counted(warnings, "warning")}.` : "";
  const total = counted(accepted + acceptedBefore + refused, "card");
  return `${total}: ${accepted} accepted, ${refused} refused${before}.${warned}`;
}

/** Whether a retry may succeed: not if the file, the address or the account is wrong. */
function isTransient(failure: unknown): boolean {
  if (failure instanceof ApiError) return failure.status === 429 || failure.status >= 500;
  return failure instanceof NoResponseError;
}

function refusalLines({ card, externalId, errors }: CardRefusal, unit = "card"): string[] {
  const name = externalId === undefined ? "without an ExternalID" : printableJson(externalId);
  const faults = errors.map(({ code, pointer, detail, column }) => {
    const place = column === undefined ? pointer && `at ${pointer}` : `in column ${printableJson(column)}`;
    return [`  ${code}`, place, detail && `— ${detail}`].filter(Boolean).join(" ");
  });
  return [`Refused: ${unit} ${card}, ${name}`, ...faults];
}

/** The text beside the progress bar. */
function progressText({ accepted, acceptedBefore, refused }: SubmitCounts): string {
  const before = acceptedBefore > 0 ? `, ${acceptedBefore} accepted before` : "";
  return `${accepted} accepted, ${refused} refused${before}`;
}
