import { rm } from "node:fs/promises";
import type { CardFault, CardFindings } from "@scorecard-pipeline/card-files/card-fault";
import { namedCards } from "@scorecard-pipeline/card-files/named-cards";
import { type PreviewCounts, previewCards } from "@scorecard-pipeline/card-files/preview-cards";
import type { ReplacedPart } from "@scorecard-pipeline/card-files/replaced-parts";
import { type SubmitCounts, submitCards } from "@scorecard-pipeline/card-files/submit-cards";
import { ApiError, NoResponseError, type ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
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
  /** Codes of warnings that are right for a whole table. */
  readonly confirm?: readonly string[];
  readonly json?: true;
  /** Write a workbook to fill in, in place of submitting. */
  readonly template?: string;
  readonly language: string;
}

/** What a run works with. */
interface SubmitRun {
  readonly path: string;
  readonly file: CardFile;
  readonly options: SubmitOptions;
  readonly terminal: Terminal;
  readonly display: ReturnType<typeof progressDisplay>;
  readonly report: ReturnType<typeof reportOf>;
  readonly shared: Pick<
    Parameters<typeof submitCards>[0],
    "parallel" | "retrySeconds" | "signal" | "onFound"
  > & { readonly client: ScorecardsClient; readonly anyCorrection: boolean };
}

/** `scorecards submit FILE`. */
export async function submitCommand(
  path: string,
  options: SubmitOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { client, pipeline } = await vendorAccess(options, commandProcess().env, patientRetrySeconds);
  if (options.template !== undefined) {
    const { templateCommand } = await import("./template-command.ts");
    return await templateCommand(path, options.template, options, client, terminal);
  }
  const file = await openOrAsk(path, options, client, terminal);
  if (file === undefined) return exitCode.unfinished;
  const report = reportOf(file, options, terminal);
  const shared = {
    client,
    parallel: options.parallel,
    retrySeconds: options.patience,
    anyCorrection: options.anyCorrection ?? false,
    onFound: report.add,
    signal: terminal.signal,
  };
  const run = { path, file, options, terminal, display: progressDisplay(terminal.progress), report, shared };
  const checked = file.table === undefined ? undefined : await check(run);
  return options.preview ? await preview(run, checked) : await submit(run, pipeline, checked);
}

const showPreviewed =
  ({ display, file }: SubmitRun) =>
  (counts: PreviewCounts) =>
    display.show(fileProgress(file, previewText(counts)));

async function check(run: SubmitRun): Promise<CheckedTable> {
  const { path, file, options, display, report, shared } = run;
  const { uncounted = false, confirm: confirmed = [] } = options;
  const onProgress = showPreviewed(run);
  return await checkTable(path, file.cards, { ...shared, uncounted, confirmed, onProgress }).finally(() => {
    report.end();
    display.end();
  });
}

async function preview(run: SubmitRun, checked: CheckedTable | undefined): Promise<ExitCode> {
  const { file, options, terminal, display, report, shared } = run;
  const previewAll = () =>
    previewCards({
      ...shared,
      cards: namedCards(file.cards),
      onJudged: (_, found) => report.add(found),
      onProgress: showPreviewed(run),
    }).finally(() => {
      display.end();
      report.end();
    });
  const counts = checked?.counts ?? (await previewAll());
  if (options.json)
    terminal.json({ ...counts, ...(checked && { changes: checked.changes }), finished: true });
  else terminal.result(previewSummary(counts));
  tellChecked(run, checked);
  if (counts.uncounted > 0) terminal.note(uncountedText(counts.uncounted));
  return counts.refused > 0 ? exitCode.refused : exitCode.done;
}

/** Says what sending a table does, whom the union could not be asked for, and what is asked about nearly all rows. */
function tellChecked({ file, options, terminal }: SubmitRun, checked: CheckedTable | undefined): void {
  if (checked === undefined) return;
  for (const { first, cards, of } of checked.common) {
    const [told = first] = file.table?.inItsWords([first]) ?? [];
    terminal.note(
      `${cards} of ${of} rows have the warning ${first.code}, such as: ${told.detail} If that is right for the whole table, send it with --confirm ${first.code}.`,
    );
  }
  if (!options.json) terminal.result(changesText(checked.changes));
  if (checked.counts.unasked > 0) terminal.note(unaskedText(checked.counts.unasked));
}

async function submit(
  run: SubmitRun,
  pipeline: string,
  checked: CheckedTable | undefined,
): Promise<ExitCode> {
  const { path, file, options, terminal, display, report, shared } = run;
  if (checked !== undefined && checked.common.length > 0) {
    tellChecked(run, checked);
    return exitCode.refused;
  }
  const journalPath = `${path}.accepted`;
  if (options.again) await rm(journalPath, { force: true });
  const journal = await openJournal(journalPath, [pipeline, shared.client.apiSet]);
  const onProgress = (counts: SubmitCounts) => display.show(fileProgress(file, progressText(counts)));
  const interrupted = () =>
    terminal.note("Waiting for the answers to what was sent. Press Ctrl-C again to stop without them.");
  terminal.signal.addEventListener("abort", interrupted, { once: true });
  tellChecked(run, checked);
  const cards = checked?.passed ?? namedCards(file.cards);
  // What a table's check has told is not told again.
  const onFound = checked === undefined ? report.add : () => undefined;
  const submitted = submitCards({ ...shared, ...journal, cards, onFound, onProgress });
  const { failure, ...counts } = await submitted.finally(() => display.end());
  report.end();
  const { held = 0, replaced = 0, changes } = checked ?? {};
  const ofTable = { held, ...(changes && { replaced, changes }) };
  if (options.json) terminal.json({ ...counts, ...ofTable, finished: failure === undefined });
  else terminal.result(summaryOf(counts));
  if (held > 0) terminal.note(heldText(held));
  if (replaced > 0) terminal.note(replacedText(replaced));
  if (failure !== undefined) {
    terminal.note(`error: ${errorLine(failure)}`);
    if (terminal.signal.aborted || isTransient(failure))
      terminal.note("Run the same command again to submit the remaining cards.");
    return exitCode.unfinished;
  }
  return counts.refused + held + replaced > 0 ? exitCode.refused : exitCode.done;
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
