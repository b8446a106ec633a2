import type { ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import type { TableColumns } from "./base/table-columns.ts";
import type { CardFindings } from "./card-fault.ts";
import type { NamedCard } from "./named-cards.ts";
import { previewCards } from "./preview-cards.ts";
import type { FilledColumns } from "./reading/reading.ts";
import { readReplacedParts } from "./replaced-parts.ts";
import { findSentBefore, isSentOn, maxOtherRounds, type SentCardsClient } from "./sent-before.ts";
import { submitCards } from "./submit-cards.ts";
import { type RowReader, rowReader } from "./table-cards.ts";
import { countRows, type TableProgress } from "./table-progress.ts";
import {
  isDue,
  mendCells,
  nameRows,
  type ReadTable,
  readRows,
  rowOutcome,
  type TableChanges,
  type TableRow,
} from "./table-row.ts";
import { withoutWarnings } from "./table-warnings.ts";
import { inTableWords } from "./table-words.ts";
import type { TableTexts } from "./words/en.ts";

/** What a session needs from outside. */
interface SessionDependencies {
  readonly client: Pick<ScorecardsClient, "validate" | "submitInParts"> & SentCardsClient;
  readonly texts: TableTexts;
  /** Requests at the same time, and how long each is tried. */
  readonly limits: { readonly parallel: number; readonly retrySeconds: number };
  readonly onChange: () => void;
  /** Works out cells of a row from its others, by the names of their columns: tee and Course Handicap. */
  readonly fill: (cells: readonly string[]) => Promise<Readonly<Record<string, string>>>;
  /** Waits a moment for other mends before they are checked. */
  readonly pause: () => Promise<void>;
}

/** What the rows of a table are told by. */
export interface RowForm {
  readonly header: readonly string[];
  readonly columns: TableColumns;
  readonly texts: TableTexts;
  /** The column of the tees' names, which go into no card. */
  readonly teeColumn?: string | undefined;
  readonly filled?: FilledColumns | undefined;
}

/** A table between being read and being delivered. All rows stay here; the page asks for the rows that it shows. */
export interface TableSession extends SessionDependencies {
  readonly rows: readonly TableRow[];
  readonly byNumber: ReadonlyMap<number, TableRow>;
  /** Names of sent cards by those of the cards that correct them. */
  readonly renamed: Map<string, string>;
  readonly readCard: RowReader;
  readonly form: RowForm;
  /** Ends what is under way; nothing begins any more. */
  readonly stopped: AbortController;
  /** Names of cards that were looked for among the sent ones. */
  readonly lookedUp: Set<string>;
  /** Codes of warnings that a person has said to be right for the whole table. */
  readonly confirmed: Set<string>;
  /** Players whom the union could not be asked for. */
  unasked: number;
  activity: TableProgress["activity"];
  failure: { readonly cause: unknown } | undefined;
  checking: Promise<void> | undefined;
}

/** Begins to work on the rows of a table. @param changes that were made before it was read in another way */
export function createTableSession(
  table: ReadTable,
  columns: TableColumns,
  changes: TableChanges | undefined,
  dependencies: SessionDependencies,
): TableSession {
  const { texts } = dependencies;
  const { header, teeColumn, filled } = table;
  const readCard = rowReader(header, columns, texts, table.proof);
  const rows = readRows(table, readCard, changes);
  return {
    ...dependencies,
    rows,
    byNumber: new Map(rows.map((row) => [row.number, row])),
    renamed: new Map(),
    readCard,
    form: { header, columns, texts, teeColumn, filled },
    stopped: new AbortController(),
    lookedUp: new Set(),
    confirmed: new Set(),
    unasked: 0,
    activity: "idle",
    failure: undefined,
    checking: undefined,
  };
}

/** Does something of which the page is told that it is under way, and why it failed. */
async function track(
  session: TableSession,
  activity: TableProgress["activity"],
  act: () => Promise<void>,
): Promise<void> {
  Object.assign(session, { activity, failure: undefined });
  session.onChange();
  try {
    await act();
  } catch (cause) {
    if (!session.stopped.signal.aborted) session.failure = { cause };
  }
  session.activity = "idle";
  session.onChange();
}

/** Names the rows, and finds those that were sent before: by an earlier visit, another file, or in another form. */
async function nameAndFindSent(session: TableSession): Promise<readonly NamedCard[]> {
  const { rows, byNumber, lookedUp, client, stopped } = session;
  const own = nameRows(rows, session.renamed);
  const due = own.filter(
    ({ externalId, fault }) => fault === undefined && externalId !== undefined && !lookedUp.has(externalId),
  );
  if (due.length === 0) return own;
  const all = new Set(own.flatMap(({ externalId }) => externalId ?? []));
  const { stored, renamed } = await findSentBefore(due, client, stopped.signal, all);
  for (const { externalId = "", number } of due) {
    const row = byNumber.get(number);
    if (row !== undefined) row.stored = stored.get(externalId);
    lookedUp.add(externalId);
  }
  for (const [name, before] of renamed) session.renamed.set(name, before);
  return renamed.size === 0 ? own : nameRows(rows, session.renamed);
}

function write({ readCard }: TableSession, row: TableRow, cells: readonly string[]): void {
  row.cells = cells;
  const card = readCard(cells, row.number);
  if (card.json !== row.card.json) row.verdict = undefined;
  row.card = card;
}

/** Works out again what follows from cells that were mended. A cell that a person wrote stays. */
async function fillMended(session: TableSession): Promise<void> {
  const { header, filled } = session.form;
  const isOfPerson = (column = "", mended: object) => filled?.has(column) !== true || column in mended;
  const fill = (cells: readonly string[], mended: TableRow["mended"] = {}) =>
    session.fill(cells.map((text, place) => (isOfPerson(header[place], mended) ? text : "")));
  for (const row of session.rows) {
    const { mendedFrom, cells, mended } = row;
    if (mendedFrom === undefined) continue;
    const [before, now] = await Promise.all([fill(mendedFrom, mended), fill(cells, mended)]);
    // Mended meanwhile: its turn comes again.
    if (row.cells !== cells) continue;
    const follows = Object.entries(now).filter(([column, text]) => {
      const place = header.indexOf(column);
      return text !== before[column] && mendedFrom[place] === cells[place];
    });
    row.mendedFrom = undefined;
    write(session, row, mendCells(header, cells, Object.fromEntries(follows)));
  }
}

function noteFound(row: TableRow, found: CardFindings, confirmed: ReadonlySet<string>): void {
  const { errors, warnings, corrects }: CardFindings = withoutWarnings(found, confirmed);
  row.verdict = { ...(errors && { errors }), ...(warnings && { warnings }), ...(corrects && { corrects }) };
  const { stored, externalId, card } = row;
  const isUnchanged = stored !== undefined && errors === undefined && corrects === undefined;
  if (!isUnchanged || !isSentOn(stored) || externalId === undefined || card.json === undefined) return;
  row.sent = { json: card.json, externalId, isBefore: true };
  row.state = stored.state;
}

/** The cards whose rows are wanted when their turn comes. */
function* takeRows(
  { byNumber }: TableSession,
  named: readonly NamedCard[],
  isWanted: (row: TableRow) => boolean,
): Generator<NamedCard> {
  for (const card of named) {
    const row = byNumber.get(card.number);
    if (row !== undefined && isWanted(row)) yield card;
  }
}

/** Finds rows by the names of their cards. */
export const findByName = (rows: readonly TableRow[]): ReadonlyMap<string | undefined, TableRow> =>
  new Map(rows.filter(({ fault }) => fault === undefined).map((row) => [row.externalId, row]));

/** Asks the API about the rows that it was not asked about as they are now. */
async function askAboutRows(session: TableSession): Promise<void> {
  const { byNumber, client, onChange, stopped } = session;
  const jsons = new Map<number, string | undefined>();
  const named = await nameAndFindSent(session);
  function* due() {
    for (const card of takeRows(session, named, isDue)) {
      jsons.set(card.number, card.json);
      yield card;
    }
  }
  const { unasked } = await previewCards({
    ...session.limits,
    client,
    // Each row says what it replaces, and waits for a person.
    anyCorrection: true,
    signal: stopped.signal,
    cards: due(),
    players: true,
    onJudged({ number }, found) {
      const row = byNumber.get(number);
      // It may have been mended while the API was asked.
      if (row !== undefined && row.card.json === jsons.get(number)) noteFound(row, found, session.confirmed);
    },
    onProgress: onChange,
  });
  session.unasked = Math.max(session.unasked, unasked);
}

/** Reads what the rows have replaced, to be shown with both. */
async function readReplaced({ rows, client, stopped }: TableSession): Promise<void> {
  const corrected = rows.flatMap((row) => {
    const { externalId, verdict, card } = row;
    const isUnread = verdict?.corrects !== undefined && verdict.replaced === undefined;
    return externalId !== undefined && isUnread ? [{ row, externalId, value: card.value }] : [];
  });
  const parts = await readReplacedParts(corrected, client, stopped.signal);
  for (const { row, externalId } of corrected) {
    const replaced = parts.get(externalId);
    if (row.verdict !== undefined && replaced !== undefined) row.verdict = { ...row.verdict, replaced };
  }
}

/** Checks rows until nothing is left to be checked, since some may be mended while the API is asked. @returns when it is done */
export function checkRows(session: TableSession): Promise<void> {
  session.checking ??= track(session, "checking", async () => {
    do {
      await fillMended(session);
      await askAboutRows(session);
      await readReplaced(session);
    } while (session.rows.some(isDue) && !session.stopped.signal.aborted);
  }).finally(() => {
    session.checking = undefined;
  });
  return session.checking;
}

/** Changes a row, and checks it a moment later. */
function change(session: TableSession, number: number, act: (row: TableRow) => void): void {
  const row = session.byNumber.get(number);
  if (row === undefined) return;
  act(row);
  session.onChange();
  void session.pause().then(async () => {
    if (session.activity === "sending" || session.stopped.signal.aborted) return;
    await session.checking;
    await checkRows(session);
  });
}

/** Writes cells of a row, which then has as many as the header. @param mended texts by column */
export const mendRow = (
  session: TableSession,
  number: number,
  mended: Readonly<Record<string, string>>,
): void =>
  change(session, number, (row) => {
    row.mendedFrom ??= row.cells;
    row.mended = { ...row.mended, ...mended };
    write(session, row, mendCells(session.form.header, row.cells, mended));
  });

/** Leaves a row out, or takes it back in. */
export const leaveOutRow = (session: TableSession, number: number, isLeftOut: boolean): void =>
  change(session, number, (row) => {
    row.isLeftOut = isLeftOut;
  });

/** Takes a warning of nearly all rows as right for the table: no row is warned of it any more. */
export function confirmWarning({ rows, confirmed, onChange }: TableSession, code: string): void {
  confirmed.add(code);
  for (const row of rows)
    if (row.verdict !== undefined) row.verdict = withoutWarnings(row.verdict, confirmed);
  onChange();
}

/** Makes the rows ready that are held. */
export function releaseRows({ rows, onChange }: TableSession): void {
  for (const row of rows) row.isReleased ||= rowOutcome(row) === "held";
  onChange();
}

/** Makes rows ready that replace cards of other players, days or courses: a person has said that they are meant to. */
export function allowReplacing({ rows, onChange }: TableSession): void {
  for (const row of rows) row.mayReplace ||= rowOutcome(row) === "replacing";
  onChange();
}

/** Sends the rows that are ready: nothing that the API was not asked about. */
export async function sendRows(session: TableSession): Promise<void> {
  const { byNumber, rows, client, stopped, onChange } = session;
  if (session.activity === "sending") return;
  await session.checking;
  const { reordered, common } = countRows(rows);
  if (reordered > maxOtherRounds || common.length > 0) return;
  await track(session, "sending", async () => {
    const named = nameRows(rows, session.renamed);
    const byName = findByName(rows);
    const { failure } = await submitCards({
      ...session.limits,
      client,
      anyCorrection: rows.some(({ mayReplace }) => mayReplace),
      signal: stopped.signal,
      cards: takeRows(session, named, (row) => rowOutcome(row) === "ready"),
      onAccepted(accepted) {
        for (const { externalId, json } of accepted) {
          const row = byName.get(externalId);
          if (row !== undefined)
            Object.assign(row, { sent: { json, externalId, isBefore: false }, state: undefined });
        }
      },
      onFound(found) {
        const row = byNumber.get(found.card);
        if (row !== undefined) noteFound(row, found, session.confirmed);
      },
      onProgress: onChange,
    });
    if (failure !== undefined) throw failure;
  });
}

/** How far the rows are. */
export const countProgress = ({ rows, form, unasked, activity, failure }: TableSession): TableProgress => ({
  ...countRows(rows, (first) => inTableWords([first], form.columns, form.texts, form.filled)[0] ?? first),
  unasked,
  activity,
  ...(failure && { failure: failure.cause }),
});
