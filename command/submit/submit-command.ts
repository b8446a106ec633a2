import { rm } from "node:fs/promises";
import { ApiError, NoResponseError } from "../../client/index.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type ProgressState, progressDisplay } from "../progress-display.ts";
import { counted, printableJson, type Terminal } from "../terminal.ts";
import { type VendorOptions, vendorAccess } from "../vendor-access.ts";
import { type CardFile, openCardFile } from "./card-file.ts";
import { openJournal } from "./journal.ts";
import { type CardRefusal, type SubmitCounts, submitFile } from "./submit-file.ts";

/** Options of `scorecards submit`. */
export interface SubmitOptions extends VendorOptions {
  readonly parallel: number;
  readonly patience: number;
  /** Send all cards, also those that were accepted before. */
  readonly again?: true;
  readonly json?: true;
}

/** `scorecards submit FILE`. */
export async function submitCommand(
  path: string,
  options: SubmitOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { client, pipeline } = await vendorAccess(options, process.env);
  const file = await openCardFile(path);
  const journalPath = `${path}.accepted`;
  if (options.again) await rm(journalPath, { force: true });
  const journal = await openJournal(journalPath, [pipeline, client.apiSet]);

  const display = progressDisplay(terminal.progress);
  const show = (counts: SubmitCounts) => display.show(progressState(file, counts));
  show({ accepted: 0, acceptedBefore: 0, refused: 0, warnings: 0 });
  const write = (one: CardRefusal) => {
    if (options.json) terminal.json(one);
    else terminal.result(refusalLines(one));
  };
  const deferred: CardRefusal[] = [];
  // Lines would break the progress bar. Without one, each refusal is written at once.
  const report = (one: CardRefusal) => (terminal.progress.isTTY ? deferred.push(one) : write(one));
  const { failure, ...counts } = await submitFile({
    client,
    file,
    journal,
    parallel: options.parallel,
    retrySeconds: options.patience,
    onRefused: report,
    onProgress: show,
    signal: terminal.signal,
  }).finally(() => display.end());

  deferred.forEach(write);
  if (options.json) {
    terminal.json({ ...counts, finished: failure === undefined });
  } else {
    const { accepted, acceptedBefore, warnings } = counts;
    const before = acceptedBefore > 0 ? `, ${acceptedBefore} accepted before and not sent again` : "";
    const total = accepted + acceptedBefore + counts.refused;
    const warned = warnings > 0 ? ` ${counted(warnings, "warning")}.` : "";
    terminal.result(
      `${counted(total, "card")}: ${accepted} accepted, ${counts.refused} refused${before}.${warned}`,
    );
  }
  if (failure !== undefined) {
    terminal.note(`error: ${failure instanceof Error ? failure.message : String(failure)}`);
    if (terminal.signal.aborted || isTransient(failure)) {
      terminal.note("Run the same command again to submit the remaining cards.");
    }
    return exitCode.unfinished;
  }
  return counts.refused > 0 ? exitCode.refused : exitCode.done;
}

/** Whether a retry may succeed: not if the file, the address or the account is wrong. */
function isTransient(failure: unknown): boolean {
  if (failure instanceof ApiError) return failure.status === 429 || failure.status >= 500;
  return failure instanceof NoResponseError;
}

function refusalLines({ card, externalId, errors }: CardRefusal): string[] {
  const name = externalId === undefined ? "without an ExternalID" : printableJson(externalId);
  const faults = errors.map(({ code, pointer, detail }) =>
    [`  ${code}`, pointer && `at ${pointer}`, detail && `— ${detail}`].filter(Boolean).join(" "),
  );
  return [`Refused: card ${card}, ${name}`, ...faults];
}

/** Progress by the share of the file that was read. */
function progressState(
  { size, bytesRead }: Pick<CardFile, "size" | "bytesRead">,
  { accepted, acceptedBefore, refused }: SubmitCounts,
): ProgressState {
  const before = acceptedBefore > 0 ? `, ${acceptedBefore} accepted before` : "";
  const text = `${accepted} accepted, ${refused} refused${before}`;
  const tenths = Math.floor((10 * bytesRead()) / Math.max(1, size));
  return {
    done: bytesRead(),
    total: size,
    text,
    line: `${tenths * 10}% of the file: ${text}`,
    step: tenths,
  };
}
