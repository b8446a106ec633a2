import { rm } from "node:fs/promises";
import type { CardFault, CardFindings } from "@scorecard-pipeline/card-files/card-fault";
import { type NamedCard, namedCards } from "@scorecard-pipeline/card-files/named-cards";
import { type PreviewCounts, previewCards } from "@scorecard-pipeline/card-files/preview-cards";
import type { ReplacedPart } from "@scorecard-pipeline/card-files/replaced-parts";
import { type SubmitCounts, submitCards } from "@scorecard-pipeline/card-files/submit-cards";
import { ApiError, NoResponseError } from "@scorecard-pipeline/scorecards-client";
import { progressDisplay } from "../../local/progress-display.ts";
import { commandProcess } from "../base/command-process.ts";
import { errorLine } from "../base/error-line.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { counted, printableJson, type Terminal } from "../base/terminal.ts";
import { patientRetrySeconds, type VendorOptions, vendorAccess } from "../base/vendor-access.ts";
import type { CardFile } from "./card-file.ts";
import { type CheckedTable, checkTable, type JudgedFindings } from "./check-table.ts";
import { fileProgress } from "./file-progress.ts";
import { openJournal } from "./journal-file.ts";
import { openOrAsk } from "./open-or-ask.ts";
import type { TableOptions } from "./table-options.ts";

/** Options of `scorecards submit`. */
export interface SubmitOptions extends VendorOptions, TableOptions {
  readonly parallel: number;
  readonly patience: number;
  /** Send all cards, also those that were accepted before. */
  readonly again?: true;
  /** Correct delivered cards of another player and round, too. */
  readonly anyCorrection?: true;
  /** Say what is wrong, and submit nothing. */
  readonly preview?: true;
  /** Send also the cards of a table that will not count. */
  readonly uncounted?: true;
  readonly json?: true;
}

/** `scorecards submit FILE`. */
export async function submitCommand(
  path: string,
  options: SubmitOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { client, pipeline } = await vendorAccess(options, commandProcess().env, patientRetrySeconds);
  const opened = await openOrAsk(path, options, client, terminal);
  if (opened === undefined) return exitCode.unfinished;
  const file: CardFile = opened;
  refuseIncompleteTable(path, file);
  const display = progressDisplay(terminal.progress);
  const report = reportOf(file, options, terminal);
  const shared = {
    client,
    parallel: options.parallel,
    retrySeconds: options.patience,
    anyCorrection: options.anyCorrection ?? false,
    onFound: report.add,
    signal: terminal.signal,
  };
  const show = (counts: PreviewCounts) => display.show(fileProgress(file, previewText(counts)));
  const checked = file.table === undefined ? undefined : await check().finally(() => display.end());
  return await (options.preview ? preview() : submit());

  async function check(): Promise<CheckedTable> {
    const { uncounted = false } = options;
    return await checkTable(path, file.cards, { ...shared, uncounted, onProgress: show }).finally(report.end);
  }

  async function preview(): Promise<ExitCode> {
    const onJudged = (_: NamedCard, found: CardFindings) => report.add(found);
    const counts =
      checked?.counts ??
      (await previewCards({ ...shared, cards: namedCards(file.cards), onJudged, onProgress: show }).finally(
        () => {
          display.end();
          report.end();
        },
      ));
    const { changes } = checked ?? {};
    if (options.json) terminal.json({ ...counts, ...(changes && { changes }), finished: true });
    else terminal.result(previewSummary(counts));
    if (changes !== undefined && !options.json) terminal.result(changesText(changes));
    if (counts.unasked > 0) terminal.note(unaskedText(counts.unasked));
    if (counts.uncounted > 0) terminal.note(uncountedText(counts.uncounted));
    return counts.refused > 0 ? exitCode.refused : exitCode.done;
  }

  async function submit(): Promise<ExitCode> {
    const journalPath = `${path}.accepted`;
    if (options.again) await rm(journalPath, { force: true });
    const journal = await openJournal(journalPath, [pipeline, client.apiSet]);
    const showCounts = (counts: SubmitCounts) => display.show(fileProgress(file, progressText(counts)));
    showCounts({ accepted: 0, acceptedBefore: 0, refused: 0, warnings: 0 });
    const interrupted = () =>
      terminal.note("Waiting for the answers to what was sent. Press Ctrl-C again to stop without them.");
    terminal.signal.addEventListener("abort", interrupted, { once: true });
    const { passed, held = 0, replaced = 0, changes } = checked ?? {};
    if (changes !== undefined && !options.json) terminal.result(changesText(changes));
    const unasked = checked?.counts.unasked ?? 0;
    if (unasked > 0) terminal.note(unaskedText(unasked));
    const cards = passed ?? namedCards(file.cards);
    // What a table's check has told is not told again.
    const onFound = passed === undefined ? report.add : () => undefined;
    const submitted = submitCards({ ...shared, ...journal, cards, onFound, onProgress: showCounts });
    const { failure, ...counts } = await submitted.finally(() => display.end());
    report.end();
    if (options.json)
      terminal.json({
        ...counts,
        held,
        ...(changes && { replaced, changes }),
        finished: failure === undefined,
      });
    else terminal.result(summaryOf(counts));
    if (held > 0) terminal.note(heldText(held));
    if (replaced > 0) terminal.note(replacedText(replaced));
    if (failure !== undefined) {
      terminal.note(`error: ${errorLine(failure)}`);
      if (terminal.signal.aborted || isTransient(failure)) {
        terminal.note("Run the same command again to submit the remaining cards.");
      }
      return exitCode.unfinished;
    }
    return counts.refused + held + replaced > 0 ? exitCode.refused : exitCode.done;
  }
}

const uncountedText = (cards: number) =>
  `${counted(cards, "card")} will not count for a handicap: see the warnings. They are held back unless --uncounted is given.`;

const unaskedText = (players: number) =>
  `${counted(players, "player")} could not be asked for: the account may not see other clubs' members, or the union did not answer. Their numbers are not proved.`;

const heldText = (held: number) =>
  `${counted(held, "card")} not sent, because no handicap will follow: see the warnings. Correct the rows, or send them all the same by --uncounted.`;

const replacedText = (cards: number) =>
  `${counted(cards, "card")} not sent, because a sent card would become another player's, or another day's. Send them by --any-correction if that is meant.`;

/** What sending does to the rounds that were sent before. */
const changesText = ({ new: added, corrected, unchanged, replaced }: CheckedTable["changes"]) =>
  `${added} new, ${corrected} corrected, ${unchanged} unchanged${replaced > 0 ? `, ${replaced} of another player or day` : ""}.`;

/** @throws Error if every card of a table would lack the same fields */
function refuseIncompleteTable(path: string, { table }: CardFile): void {
  const missing = table?.missingFields ?? [];
  if (missing.length === 0) return;
  throw new Error(
    `No column of ${path} is ${missing.join(", ")}. Say by --column FIELD=HEADING which column is which field.`,
  );
}

/** Prints what was found about cards: refusals of any file, and the warnings of a table or a preview. */
function reportOf(
  { table }: CardFile,
  { json, preview }: SubmitOptions,
  terminal: Terminal,
): { readonly add: (found: JudgedFindings) => void; readonly end: () => void } {
  const isWithWarnings = table !== undefined || preview === true;
  const deferred: JudgedFindings[] = [];
  function write({ errors, warnings, corrects, replaced = [], ...card }: JudgedFindings): void {
    const findings = errors ?? warnings ?? [];
    const told = table === undefined ? findings : table.inItsWords(findings);
    if (json)
      terminal.json({
        ...card,
        ...(corrects && { corrects }),
        ...(errors ? { errors: told } : { warnings: told }),
      });
    else if (told.length > 0)
      terminal.result(findingLines(card, told, errors ? "Refused" : "Warning", table && "row"));
    if (!json && replaced.length > 0) terminal.result(replacedLines(card, replaced));
  }
  // Lines would break a progress bar, and a table is corrected from its first row to its last, so these wait for the end.
  const isDeferred = terminal.progress.isTTY || table !== undefined;
  return {
    add(found) {
      if (found.errors === undefined && !isWithWarnings) return;
      if (found.errors === undefined && found.warnings === undefined && found.corrects === undefined) return;
      if (isDeferred) deferred.push(found);
      else write(found);
    },
    end() {
      for (const found of deferred.splice(0).sort((one, other) => one.card - other.card)) write(found);
    },
  };
}

function previewSummary({ valid, refused, warnings }: PreviewCounts): string {
  const warned = warnings > 0 ? ` ${counted(warnings, "warning")}.` : "";
  return `${counted(valid + refused, "card")}: ${valid} would be accepted, ${refused} refused.${warned} Nothing is submitted.`;
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

function findingLines(
  { card, externalId }: Pick<CardFindings, "card" | "externalId">,
  findings: readonly CardFault[],
  heading: "Refused" | "Warning",
  unit = "card",
): string[] {
  const name = externalId === undefined ? "without an ExternalID" : printableJson(externalId);
  const lines = findings.map(({ code, pointer, detail, column }) => {
    const place = column === undefined ? pointer && `at ${pointer}` : `in column ${printableJson(column)}`;
    return [`  ${code}`, place, detail && `— ${detail}`].filter(Boolean).join(" ");
  });
  return [`${heading}: ${unit} ${card}, ${name}`, ...lines];
}

/** A card that replaces a sent one, with what both have. */
const replacedLines = ({ card }: Pick<CardFindings, "card">, parts: readonly ReplacedPart[]): string[] => [
  `Replaces what was sent: row ${card}`,
  ...parts.map(({ field, before, now }) => `  ${field}: ${before === "" ? "–" : before} → ${now}`),
];

/** The text beside the progress bar. */
function progressText({ accepted, acceptedBefore, refused }: SubmitCounts): string {
  const before = acceptedBefore > 0 ? `, ${acceptedBefore} accepted before` : "";
  return `${accepted} accepted, ${refused} refused${before}`;
}

const previewText = ({ valid, refused }: PreviewCounts) => `${valid} would be accepted, ${refused} refused`;
