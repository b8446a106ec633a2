import type { TableColumns } from "@scorecard-pipeline/card-files/base/table-columns";
import { writeCsvCell } from "@scorecard-pipeline/card-files/csv-cell";
import type { Journal } from "@scorecard-pipeline/card-files/journal";
import type { NamedCard } from "@scorecard-pipeline/card-files/named-cards";
import { readReplacedParts } from "@scorecard-pipeline/card-files/replaced-parts";
import {
  findSentBefore,
  maxPlayerChanges,
  type SentCardsClient,
} from "@scorecard-pipeline/card-files/sent-before";
import { rowReader } from "@scorecard-pipeline/card-files/table-cards";
import type { TableTexts } from "@scorecard-pipeline/card-files/words/en";
import type { ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import { checkRows, sendRows } from "./ask-api.ts";
import { nameRows } from "./name-rows.ts";
import type { ReadTable } from "./open-table.ts";
import { findSentTournaments, type SentTournament } from "./sent-tournaments.ts";
import { type ShownRow, showRow } from "./shown-row.ts";
import { countRows, listRows, type RowFilter, type TableProgress } from "./table-progress.ts";
import {
  collectChanges,
  isDue,
  isReused,
  isSent,
  maxRowsAtOnce,
  mendCells,
  readRows,
  rowOutcome,
  type TableChanges,
  type TableRow,
} from "./table-row.ts";

/** What a session needs from outside. */
interface SessionDependencies {
  readonly client: Pick<ScorecardsClient, "validate" | "submitInParts" | "follow"> & SentCardsClient;
  readonly journal: Journal;
  readonly texts: TableTexts;
  readonly onChange: () => void;
  /** Works out cells of a row from its others, by the names of their columns: tee and Course Handicap. */
  readonly fill: (cells: readonly string[]) => Promise<Readonly<Record<string, string>>>;
  /** Waits a moment for other mends before they are checked. */
  readonly pause: () => Promise<void>;
}

/** Between two looks at cards that were sent. */
const followPauseSeconds = 15;

/** A table between being read and being delivered. */
export type TableSession = ReturnType<typeof createTableSession>;

/**
 * Checks, mends, sends and follows the rows of a table. All rows stay here; the page asks for the rows that it shows.
 *
 * @param changes of an earlier visit
 */
export function createTableSession(
  table: ReadTable,
  columns: TableColumns,
  { client, journal, texts, onChange, fill, pause }: SessionDependencies,
  changes: TableChanges = { cells: {}, leftOut: [] },
) {
  const { header } = table;
  const readCard = rowReader(table, columns, texts, table.proof);
  const rows = readRows(table, readCard, changes);
  const named = nameRows(rows);
  const stopped = new AbortController();
  const { signal } = stopped;
  let anyCorrection = false;
  let unasked = 0;
  const access = () => ({ client, signal, onProgress: onChange, anyCorrection });
  const { teeColumn, filled } = table;
  const form = { header, columns, texts, teeColumn, filled };
  const activities = trackActivity(signal, onChange);
  let checking: Promise<void> | undefined;

  const lookedUp = new Set<string>();
  /** Names the rows, and finds those that were sent before: by an earlier visit, another file, or in another form. */
  async function nameAndFindSent(): Promise<NamedCard[]> {
    const own = await named.nameAll();
    const due = own.filter(
      ({ externalId, fault }) => fault === undefined && externalId !== undefined && !lookedUp.has(externalId),
    );
    if (due.length === 0) return own;
    const all = new Set(own.flatMap(({ externalId }) => externalId ?? []));
    const { stored, renamed } = await findSentBefore(due, client, signal, all);
    for (const { externalId, number } of due) {
      const row = named.byNumber.get(number);
      if (row !== undefined) row.isStored = stored.has(externalId ?? "");
      lookedUp.add(externalId ?? "");
    }
    for (const [name, before] of renamed) named.renamed.set(name, before);
    const cards = renamed.size === 0 ? own : await named.nameAll();
    for (const { number, externalId, json, fault } of cards) {
      const row = named.byNumber.get(number);
      if (row === undefined || externalId === undefined || json === undefined || fault !== undefined)
        continue;
      if (await journal.has(externalId, json)) row.sent = { json, externalId, isBefore: true };
    }
    return cards;
  }

  function write(row: TableRow, cells: readonly string[]): void {
    row.cells = cells;
    const card = readCard(cells, row.number);
    if (card.json !== row.card.json) row.verdict = undefined;
    row.card = card;
    row.isMended = true;
  }

  /** Works out again what follows from cells that were mended. A cell that a person wrote stays. */
  async function fillMended(): Promise<void> {
    for (const row of rows) {
      const { mendedFrom, cells } = row;
      if (mendedFrom === undefined) continue;
      const [before, now] = await Promise.all([fill(mendedFrom), fill(cells)]);
      // Mended meanwhile: its turn comes again.
      if (row.cells !== cells) continue;
      const follows = Object.entries(now).filter(([column, text]) => {
        const place = header.indexOf(column);
        return text !== before[column] && mendedFrom[place] === cells[place];
      });
      row.mendedFrom = undefined;
      write(row, mendCells(header, cells, Object.fromEntries(follows)));
    }
  }

  /** Reads what the rows have replaced, to be shown with both. */
  async function readReplaced(): Promise<void> {
    const corrected = rows.flatMap((row) => {
      const { externalId, verdict, card } = row;
      const isUnread = verdict?.corrects !== undefined && verdict.replaced === undefined;
      return externalId !== undefined && isUnread ? [{ row, externalId, value: card.value }] : [];
    });
    const parts = await readReplacedParts(corrected, client, signal);
    for (const { row, externalId } of corrected) {
      const replaced = parts.get(externalId);
      if (row.verdict !== undefined && replaced !== undefined) row.verdict = { ...row.verdict, replaced };
    }
  }

  /** Checks until nothing is left to be checked, since rows may be mended while the API is asked. */
  const checkAll = () =>
    activities.run("checking", async () => {
      do {
        await fillMended();
        unasked = Math.max(unasked, (await checkRows(named, nameAndFindSent, access())).unasked);
        await readReplaced();
      } while (rows.some(isDue) && !signal.aborted);
    });

  /** Checks what is to be checked. @returns when it is done */
  function check(): Promise<void> {
    checking ??= checkAll().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  /** Changes a row, and checks it a moment later. */
  function change(number: number, act: (row: TableRow) => void): void {
    const row = named.byNumber.get(number);
    if (row === undefined) return;
    act(row);
    onChange();
    void pause().then(async () => {
      if (activities.current() === "sending" || signal.aborted) return;
      await checking;
      await check();
    });
  }

  return {
    check,

    async send(): Promise<void> {
      if (activities.current() === "sending") return;
      await checking;
      if (countRows(rows).reordered > maxPlayerChanges) return;
      await activities.run("sending", async () => {
        const failure = await sendRows(named, journal, access());
        if (failure !== undefined) throw failure;
      });
    },

    /** Follows the cards that were sent until each has an outcome. */
    async follow(): Promise<void> {
      const sent = rows.filter(isSent).flatMap(({ externalId }) => externalId ?? []);
      const states = client.follow(sent, { longestPauseSeconds: followPauseSeconds, signal });
      for await (const { externalId, state } of states) {
        const row = named.byName.get(externalId);
        if (row !== undefined) row.state = state;
        onChange();
      }
    },

    progress: (): TableProgress => ({ ...countRows(rows), unasked, ...activities.state() }),

    list: (filter: RowFilter, from: number) => listRows(rows, filter, from),

    /** Some rows, by their numbers. */
    show: (numbers: readonly number[]): ShownRow[] =>
      numbers.slice(0, maxRowsAtOnce).flatMap((number) => {
        const row = named.byNumber.get(number);
        return row === undefined ? [] : [showRow(row, form)];
      }),

    tournaments: (): SentTournament[] => findSentTournaments(rows),

    /** Writes cells of a row, which then has as many as the header. @param mended texts by column */
    mend: (number: number, mended: Readonly<Record<string, string>>): void =>
      change(number, (row) => {
        row.mendedFrom ??= row.cells;
        write(row, mendCells(header, row.cells, mended));
      }),

    /** Makes the rows ready that are held. */
    release(): void {
      for (const row of rows) row.isReleased ||= rowOutcome(row) === "held";
      onChange();
    },

    /** Makes rows ready that would make sent cards other players', or other days': a person has said that they are meant to. */
    async allowCorrections(): Promise<void> {
      await checking;
      anyCorrection = true;
      for (const row of rows) row.mayReplace ||= rowOutcome(row) === "replacing";
      for (const row of rows) if (isReused(row)) row.verdict = undefined;
      await check();
    },

    /** Leaves a row out, or takes it back in. */
    leaveOut: (number: number, isLeftOut: boolean): void =>
      change(number, (row) => {
        row.isLeftOut = isLeftOut;
      }),

    /** What the file does not have. */
    changes: (): TableChanges => collectChanges(rows),

    /** The table as it is now, mended, without rows that are left out. */
    csv: (): string =>
      [header, ...rows.filter((row) => !row.isLeftOut).map((row) => row.cells)]
        .map((cells) => cells.map(writeCsvCell).join(";"))
        .join("\r\n"),

    /** ExternalIDs of the accepted cards. */
    sent: (): string[] => rows.filter(isSent).flatMap(({ externalId }) => externalId ?? []),

    /** Ends what is under way; nothing begins any more. */
    stop: () => stopped.abort(new Error("The table was closed.")),
  };
}

/** Keeps what is under way, and why the last of it failed. */
function trackActivity(signal: AbortSignal, onChange: () => void) {
  let activity: TableProgress["activity"] = "idle";
  let failure: { readonly cause: unknown } | undefined;
  return {
    current: () => activity,
    state: () => ({ activity, ...(failure && { failure: failure.cause }) }),
    async run(name: Exclude<TableProgress["activity"], "idle">, act: () => Promise<void>): Promise<void> {
      activity = name;
      failure = undefined;
      onChange();
      try {
        await act();
      } catch (cause) {
        if (!signal.aborted) failure = { cause };
      }
      activity = "idle";
      onChange();
    },
  };
}
