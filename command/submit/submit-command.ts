import { rm } from "node:fs/promises";
import { NoAnswer } from "../../client/patient-fetch.ts";
import { progressDisplay } from "../../client/progress-display.ts";
import { UnexpectedAnswer } from "../../client/vendor-api.ts";
import { counted } from "../counted.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { printableJson, type Terminal } from "../terminal.ts";
import { type VendorOptions, vendorAccess } from "../vendor-access.ts";
import { openCardFile } from "./card-file.ts";
import { openJournal } from "./journal.ts";
import { type RefusedCard, type SubmitCounts, submitFile } from "./submit-file.ts";
import { submitStanding } from "./submit-standing.ts";

/** Options of `scorecards submit`. */
export interface SubmitOptions extends VendorOptions {
  readonly parallel: number;
  readonly patience: number;
  /** Sends everything, whatever was accepted before. */
  readonly again?: true;
  readonly json?: true;
}

/** `scorecards submit FILE`. */
export async function submitCommand(
  path: string,
  options: SubmitOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const access = await vendorAccess(options, process.env);
  const file = await openCardFile(path);
  const journalPath = `${path}.accepted`;
  if (options.again) await rm(journalPath, { force: true });
  const journal = await openJournal(journalPath, [access.pipeline, access.vendor.apiSet]);

  const display = progressDisplay(terminal.progress);
  const show = (counts: SubmitCounts) => display.show(submitStanding(file, counts));
  show({ accepted: 0, acceptedBefore: 0, refused: 0, warnings: 0 });
  const write = (one: RefusedCard) => {
    if (options.json) terminal.json(one);
    else terminal.result(inWords(one));
  };
  const held: RefusedCard[] = [];
  // Lines would spoil a bar; where there is none, each refusal is told as it comes.
  const tell = (one: RefusedCard) => (terminal.progress.isTTY ? held.push(one) : write(one));
  const { failure, ...counts } = await submitFile({
    access,
    file,
    journal,
    parallel: options.parallel,
    patienceSeconds: options.patience,
    onRefused: tell,
    onProgress: show,
    signal: terminal.signal,
  }).finally(() => display.end());

  held.forEach(write);
  if (options.json) {
    terminal.json({ ...counts, finished: failure === undefined });
  } else {
    const { accepted, acceptedBefore, warnings } = counts;
    const before = acceptedBefore > 0 ? `, ${acceptedBefore} accepted before and not sent again` : "";
    const sum = accepted + acceptedBefore + counts.refused;
    const warned = warnings > 0 ? ` ${counted(warnings, "warning")}.` : "";
    terminal.result(
      `${counted(sum, "card")}: ${accepted} accepted, ${counts.refused} refused${before}.${warned}`,
    );
  }
  if (failure !== undefined) {
    terminal.note(`It ended early: ${failure instanceof Error ? failure.message : String(failure)}`);
    if (terminal.signal.aborted || mayPass(failure)) {
      terminal.note("Run the same again to go on where it ended.");
    }
    return exitCode.unfinished;
  }
  return counts.refused > 0 ? exitCode.refused : exitCode.done;
}

/** Whether the same may go through another time: not where the file, the address or the account is at fault. */
function mayPass(failure: unknown): boolean {
  if (failure instanceof UnexpectedAnswer) return failure.status === 429 || failure.status >= 500;
  return failure instanceof NoAnswer;
}

function inWords({ card, externalId, errors }: RefusedCard): string[] {
  const name = externalId === undefined ? "without an ExternalID" : printableJson(externalId);
  const faults = errors.map(({ code, pointer, detail }) =>
    [`  ${code}`, pointer && `at ${pointer}`, detail && `— ${detail}`].filter(Boolean).join(" "),
  );
  return [`Refused: card ${card}, ${name}`, ...faults];
}
