import type { CardFault } from "@scorecard-pipeline/card-files/card-fault";
import { isOtherRound, maxOtherRounds } from "@scorecard-pipeline/card-files/sent-before";
import { rowOutcome, type TableRow } from "@scorecard-pipeline/card-files/table-row";
import {
  allowReplacing,
  checkRows,
  countProgress,
  createTableSession,
  releaseRows,
  sendRows,
  type TableSession,
} from "@scorecard-pipeline/card-files/table-session";
import { withoutWarnings } from "@scorecard-pipeline/card-files/table-warnings";
import { inTableWords } from "@scorecard-pipeline/card-files/table-words";
import { en } from "@scorecard-pipeline/card-files/words/en";
import type { ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import { progressDisplay } from "../../local/progress-display.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { counted, type Terminal } from "../base/terminal.ts";
import type { OpenedTable } from "./card-file.ts";
import { fileProgress } from "./file-progress.ts";
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

/** Checks the rows of a table, as the portal does, and submits those that are ready. */
export async function submitTable(
  path: string,
  { reading, sums }: OpenedTable,
  options: SubmitOptions,
  client: ScorecardsClient,
  terminal: Terminal,
): Promise<ExitCode> {
  const display = progressDisplay(terminal.progress);
  const session = createTableSession(
    { ...reading, proof: { sums, tees: reading.tees } },
    reading.columns,
    undefined,
    {
      client,
      texts: en,
      limits: { parallel: options.parallel, retrySeconds: options.patience },
      onChange: () => display.show(showProgress(session)),
      fill: async () => ({}),
      pause: async () => undefined,
    },
  );
  terminal.signal.addEventListener("abort", () => session.stopped.abort(terminal.signal.reason), {
    once: true,
  });
  for (const code of options.confirm ?? []) session.confirmed.add(code);
  await checkRows(session);
  if (options.anyCorrection) allowReplacing(session);
  if (options.uncounted) releaseRows(session);
  display.end();
  terminal.signal.throwIfAborted();
  if (session.failure !== undefined) throw session.failure.cause;
  reportRows(session, options, terminal);
  const checked = countProgress(session);
  if (checked.reordered > maxOtherRounds)
    throw new Error(describeOtherOrder(path, checked.reordered, session.rows));
  if (options.preview) return tellPreview(session, options, terminal);
  tellChecked(checked, options, terminal);
  if (checked.common.length > 0) return exitCode.refused;
  noteInterruption(terminal);
  await sendRows(session);
  display.end();
  const failure = terminal.signal.aborted ? terminal.signal.reason : countProgress(session).failure;
  const { submitted: counts } = countOutcomes(session);
  const { held, replacing: replaced, changes } = checked;
  if (options.json) terminal.json({ ...counts, held, replaced, changes, finished: failure === undefined });
  else terminal.result(submitSummary(counts));
  if (held > 0) terminal.note(heldText(held));
  if (replaced > 0) terminal.note(replacedText(replaced));
  if (failure !== undefined) {
    noteFailure(failure, terminal);
    return exitCode.unfinished;
  }
  return counts.refused + held + replaced > 0 ? exitCode.refused : exitCode.done;
}

function countOutcomes(session: TableSession) {
  const { checked, accepted, before, faulty: refused, held, unasked } = countProgress(session);
  const warned = session.rows.filter((row) => rowOutcome(row) !== "before");
  const warnings = warned.reduce((count, { verdict }) => count + (verdict?.warnings?.length ?? 0), 0);
  return {
    previewed: { valid: checked - refused, refused, warnings, uncounted: held, unasked },
    submitted: { accepted: accepted - before, acceptedBefore: before, refused, warnings },
  };
}

function showProgress(session: TableSession) {
  const { previewed, submitted } = countOutcomes(session);
  const isSending = session.activity === "sending";
  const { valid, refused } = previewed;
  const done = isSending ? submitted.accepted + submitted.acceptedBefore + refused : valid + refused;
  const text = isSending ? progressText(submitted) : previewText(previewed);
  return fileProgress({ size: session.rows.length, bytesRead: () => done }, text);
}

function tellPreview(session: TableSession, options: SubmitOptions, terminal: Terminal): ExitCode {
  const { previewed } = countOutcomes(session);
  const checked = countProgress(session);
  if (options.json) terminal.json({ ...previewed, changes: checked.changes, finished: true });
  else terminal.result(previewSummary(previewed));
  tellChecked(checked, options, terminal);
  noteUncounted(previewed.uncounted, terminal);
  return previewed.refused > 0 ? exitCode.refused : exitCode.done;
}

/** Says what sending a table does, whom the union could not be asked for, and what is asked about nearly all rows. */
function tellChecked(
  { common, changes, unasked }: ReturnType<typeof countProgress>,
  { json }: SubmitOptions,
  terminal: Terminal,
): void {
  for (const { first, cards, of } of common)
    terminal.note(
      `${cards} of ${of} rows have the warning ${first.code}, such as: ${first.told ?? first.detail} If that is right for the whole table, send it with --confirm ${first.code}.`,
    );
  const { new: added, corrected, unchanged, replaced } = changes;
  const ofOthers = replaced > 0 ? `, ${replaced} of another player, day or course` : "";
  if (!json) terminal.result(`${added} new, ${corrected} corrected, ${unchanged} unchanged${ofOthers}.`);
  if (unasked > 0) terminal.note(unaskedText(unasked));
}

/** Prints what was found about rows, and what they replace, from the first row to the last. */
function reportRows(session: TableSession, { json }: SubmitOptions, terminal: Terminal): void {
  const { columns, texts, filled } = session.form;
  const common = new Set(countProgress(session).common.map(({ first }) => first.code));
  const tell = (found: readonly CardFault[]) =>
    inTableWords(found, columns, texts, filled).map(({ told, ...finding }) => ({
      ...finding,
      detail: told ?? finding.detail,
    }));
  for (const { number: card, externalId, fault, verdict = {} } of session.rows) {
    const { warnings = [], corrects, replaced = [] } = withoutWarnings(verdict, common);
    const errors = fault === undefined ? verdict.errors : [fault];
    if (errors === undefined && warnings.length === 0 && corrects === undefined) continue;
    const found = { card, externalId, ...(errors ? { errors: tell(errors) } : { warnings: tell(warnings) }) };
    if (json) terminal.json({ ...found, ...(corrects && { corrects }) });
    else if (errors !== undefined || warnings.length > 0) terminal.result(findingLines(found, "row"));
    if (!json && replaced.length > 0)
      terminal.result([
        `Replaces what was sent: row ${card}`,
        ...replaced.map(({ field, before, now }) => `  ${field}: ${before === "" ? "–" : before} → ${now}`),
      ]);
  }
}

const unaskedText = (players: number) =>
  `${counted(players, "player")} could not be asked for: the account may not see other clubs' members, or the union did not answer. Their numbers are not proved.`;

const heldText = (held: number) =>
  `${counted(held, "card")} not sent, because no handicap will follow: see the warnings. Correct the rows, or send them all the same by --uncounted.`;

const replacedText = (cards: number) =>
  `${counted(cards, "card")} not sent, because a sent card would become one of another player, day or course. Send them by --any-correction if that is meant.`;

function describeOtherOrder(path: string, count: number, rows: readonly TableRow[]): string {
  const [at = ""] = rows.flatMap(({ verdict, stored }) =>
    verdict?.corrects !== undefined && isOtherRound(verdict.corrects) ? (stored?.acceptedAt ?? []) : [],
  );
  return `${path} has another order than the one sent at ${at.slice(0, 16).replace("T", " ")}: ${count} of its rows would make a sent card another round. Nothing is sent. Leave out the column that names the cards, or send with --any-correction if this is meant.`;
}
