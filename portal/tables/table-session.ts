import type { CardFault, FileFault } from "@scorecard-pipeline/card-files/card-fault";
import type { FileCard } from "@scorecard-pipeline/card-files/file-card";
import type { Journal } from "@scorecard-pipeline/card-files/journal";
import { type NamedCard, namedCards } from "@scorecard-pipeline/card-files/named-cards";
import { previewCards } from "@scorecard-pipeline/card-files/preview-cards";
import { submitCards } from "@scorecard-pipeline/card-files/submit-cards";
import { isEmptyRow, type RowReader, rowReader } from "@scorecard-pipeline/card-files/table-cards";
import { columnNames, columnsIn, type TableColumns } from "@scorecard-pipeline/card-files/table-columns";
import { inTableWords } from "@scorecard-pipeline/card-files/table-words";
import type { TableTexts } from "@scorecard-pipeline/card-files/words/en";
import type { ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import type { ReadTable } from "./open-table.ts";

/** Rows that the page gets at once, however many there are. */
const mostRowsAtOnce = 50;

/** Which rows are listed. */
export type RowFilter = "faults" | "warnings" | "unsent" | "all";

/** What was found about a row, in the table's own words. */
export interface RowFinding {
  readonly code: string;
  /** Absent if it is about the whole row, or a value that all rows share. */
  readonly column?: string;
  readonly detail: string;
  readonly isFault: boolean;
  /** Columns whose cells can be mended; none if it is not known which. */
  readonly cells: readonly string[];
}

/** What became of a row: `before` was accepted by an earlier run, and not sent again. */
export type RowOutcome = "unchecked" | "faulty" | "ready" | "leftOut" | "accepted" | "before";

/** A row as the page shows it. */
export interface ShownRow {
  /** As a spreadsheet shows it. */
  readonly number: number;
  readonly externalId: string | undefined;
  readonly player: string | undefined;
  readonly outcome: RowOutcome;
  /** Of an accepted card, as it was read last. */
  readonly state: string | undefined;
  readonly findings: readonly RowFinding[];
  /** Texts by column; surplus cells have numbers as their columns. */
  readonly cells: Readonly<Record<string, string>>;
  /** Whether a cell was mended here. */
  readonly isMended: boolean;
}

/** How far a table is. */
export interface TableProgress {
  readonly rows: number;
  /** Rows whose faults are known, or that were sent. */
  readonly checked: number;
  readonly faulty: number;
  readonly warned: number;
  readonly leftOut: number;
  /** Rows that can be sent now. */
  readonly ready: number;
  readonly accepted: number;
  /** Of these, rows that an earlier run had sent. */
  readonly before: number;
  /** Accepted cards by their states. */
  readonly states: Readonly<Record<string, number>>;
  readonly activity: "idle" | "checking" | "sending";
  readonly failure?: unknown;
}

/** A tournament of which cards were sent, with its days of play, `2026-07-04`. */
export interface SentTournament {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** What a session needs from outside. */
interface SessionSurroundings {
  readonly client: Pick<ScorecardsClient, "validate" | "submitInParts" | "follow">;
  readonly journal: Journal;
  readonly texts: TableTexts;
  readonly onChange: () => void;
  /** Waits a moment for other mends before they are checked. */
  readonly pause: () => Promise<void>;
}

interface TableRow {
  readonly number: number;
  cells: readonly string[];
  card: FileCard;
  externalId: string | undefined;
  /** A fault that is found without the API. */
  fault: FileFault | undefined;
  /** What the API says; undefined if it was not asked yet. */
  verdict: { readonly errors?: readonly CardFault[]; readonly warnings?: readonly CardFault[] } | undefined;
  isLeftOut: boolean;
  isMended: boolean;
  /** The JSON of the card that was accepted. */
  sent: { readonly json: string; readonly isBefore: boolean } | undefined;
  state: string | undefined;
}

/** Mended cells and rows that are left out, by the row's number: what the file does not have. */
export interface TableChanges {
  readonly cells: Readonly<Record<string, readonly string[]>>;
  readonly leftOut: readonly number[];
}

/** Requests to Validate and submissions at the same time: what the command does. */
const parallel = 4;
const retrySeconds = 600;
/** Between two looks at cards that were sent. */
const followPauseSeconds = 15;

/** A cell of CSV, quoted where it has to be. It is the table's own text, and is to be read as that text again. */
const quotedCell = (text: string): string =>
  /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** A table between being read and being delivered. */
export type TableSession = ReturnType<typeof tableSession>;

/**
 * Checks, mends, sends and follows the rows of a table. All rows stay here; who shows them asks for some.
 *
 * @param changes of an earlier visit
 */
export function tableSession(
  table: ReadTable,
  columns: TableColumns,
  { client, journal, texts, onChange, pause }: SessionSurroundings,
  changes: TableChanges = { cells: {}, leftOut: [] },
) {
  const { header } = table;
  const read: RowReader = rowReader(table, columns, texts);
  const leftOut = new Set(changes.leftOut);
  const rows: TableRow[] = [];
  const byNumber = new Map<number, TableRow>();
  const byName = new Map<string, TableRow>();
  const stopped = new AbortController();
  const { signal } = stopped;
  let activity: TableProgress["activity"] = "idle";
  let failure: { readonly cause: unknown } | undefined;
  let checking: Promise<void> | undefined;

  table.rows.forEach((original, place) => {
    if (isEmptyRow(original)) return;
    const number = place + 2;
    const mended = changes.cells[number];
    const cells = mended ?? original;
    const row: TableRow = {
      number,
      cells,
      card: read(cells, number),
      externalId: undefined,
      fault: undefined,
      verdict: undefined,
      isLeftOut: leftOut.has(number),
      isMended: mended !== undefined,
      sent: undefined,
      state: undefined,
    };
    rows.push(row);
    byNumber.set(number, row);
  });

  const isSent = ({ sent, card }: TableRow) => sent !== undefined && sent.json === card.json;

  function outcomeOf(row: TableRow): RowOutcome {
    if (isSent(row)) return row.sent?.isBefore ? "before" : "accepted";
    if (row.isLeftOut) return "leftOut";
    if (row.fault !== undefined || row.verdict?.errors !== undefined) return "faulty";
    return row.verdict === undefined ? "unchecked" : "ready";
  }

  async function* cardsOf(some: Iterable<TableRow>): AsyncGenerator<FileCard> {
    for (const { card } of some) yield card;
  }

  /** Names the cards anew: a name that was mended may free another row, or take its name. */
  async function nameAll(): Promise<NamedCard[]> {
    byName.clear();
    const named: NamedCard[] = [];
    const kept = rows.filter((row) => !row.isLeftOut || isSent(row));
    for await (const card of namedCards(cardsOf(kept), new Map())) {
      const row = byNumber.get(card.number);
      if (row === undefined) continue;
      row.externalId = card.externalId;
      row.fault = card.fault;
      if (card.externalId !== undefined && card.fault === undefined) byName.set(card.externalId, row);
      named.push(card);
    }
    return named;
  }

  async function* only(
    named: readonly NamedCard[],
    isWanted: (row: TableRow) => boolean,
  ): AsyncGenerator<NamedCard> {
    for (const card of named) {
      const row = byNumber.get(card.number);
      if (row !== undefined && isWanted(row)) yield card;
    }
  }

  let knowsSent = false;
  /** Finds the rows that an earlier visit has sent. */
  async function findSent(named: readonly NamedCard[]): Promise<void> {
    if (knowsSent) return;
    knowsSent = true;
    for (const { number, externalId, json, fault } of named) {
      const row = byNumber.get(number);
      if (row === undefined || externalId === undefined || json === undefined || fault !== undefined)
        continue;
      if (await journal.has(externalId, json)) row.sent = { json, isBefore: true };
    }
  }

  const isDue = (row: TableRow) =>
    !row.isLeftOut && !isSent(row) && row.fault === undefined && row.verdict === undefined;

  /** Asks the API about the rows that it was not asked about as they are now. */
  async function checkOnce(): Promise<void> {
    const jsons = new Map<number, string | undefined>();
    async function* due() {
      const named = await nameAll();
      await findSent(named);
      for await (const card of only(named, isDue)) {
        jsons.set(card.number, card.json);
        yield card;
      }
    }
    /** The row of a card, unless it was mended while the API was asked. */
    const rowOf = (number: number) => {
      const row = byNumber.get(number);
      return row !== undefined && row.card.json === jsons.get(number) ? row : undefined;
    };
    await previewCards({
      client,
      cards: due(),
      parallel,
      retrySeconds,
      signal,
      onFound({ card, errors, warnings }) {
        const row = rowOf(card);
        if (row !== undefined) row.verdict = { ...(errors && { errors }), ...(warnings && { warnings }) };
      },
      onChecked(cards) {
        for (const { number } of cards) {
          const row = rowOf(number);
          if (row !== undefined) row.verdict ??= {};
        }
      },
      onProgress: onChange,
    });
  }

  /** Checks until nothing is left to be checked: rows may be mended meanwhile. */
  async function checkAll(): Promise<void> {
    activity = "checking";
    failure = undefined;
    onChange();
    try {
      do {
        await checkOnce();
      } while (rows.some(isDue) && !signal.aborted);
    } catch (cause) {
      if (!signal.aborted) failure = { cause };
    }
    activity = "idle";
    onChange();
  }

  /** Checks what is to be checked. @returns when it is done */
  function check(): Promise<void> {
    checking ??= checkAll().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  function recheck(): void {
    void pause().then(async () => {
      if (activity === "sending" || signal.aborted) return;
      await checking;
      await check();
    });
  }

  /** Sends the rows that are ready, and those that nobody has checked. */
  async function send(): Promise<void> {
    if (activity === "sending") return;
    await checking;
    activity = "sending";
    failure = undefined;
    onChange();
    const noted: Journal = {
      known: journal.known,
      async has(externalId, json) {
        const isKnown = await journal.has(externalId, json);
        const row = byName.get(externalId);
        if (isKnown && row !== undefined) row.sent = { json, isBefore: true };
        return isKnown;
      },
      async add(cards) {
        await journal.add(cards);
        for (const { externalId, json } of cards) {
          const row = byName.get(externalId);
          if (row === undefined) continue;
          row.sent = { json, isBefore: false };
          row.state = undefined;
          row.verdict ??= {};
        }
      },
    };
    const named = await nameAll();
    const result = await submitCards({
      client,
      cards: only(named, (row) => ["ready", "unchecked"].includes(outcomeOf(row))),
      journal: noted,
      parallel,
      retrySeconds,
      signal,
      onFound({ card, errors, warnings }) {
        const row = byNumber.get(card);
        if (row !== undefined) row.verdict = { ...(errors && { errors }), ...(warnings && { warnings }) };
      },
      onProgress: onChange,
    });
    if (result.failure !== undefined && !signal.aborted) failure = { cause: result.failure };
    activity = "idle";
    onChange();
  }

  /** Follows the cards that were sent until each has an outcome. */
  async function follow(): Promise<void> {
    const sent = rows.filter(isSent).flatMap(({ externalId }) => externalId ?? []);
    const states = client.follow(sent, { longestPauseSeconds: followPauseSeconds, signal });
    for await (const { externalId, state } of states) {
      const row = byName.get(externalId);
      if (row !== undefined) row.state = state;
      onChange();
    }
  }

  function progress(): TableProgress {
    const counts = { checked: 0, faulty: 0, warned: 0, leftOut: 0, ready: 0, accepted: 0, before: 0 };
    const states: Record<string, number> = {};
    for (const row of rows) {
      const outcome = outcomeOf(row);
      if (outcome !== "unchecked") counts.checked += 1;
      if (outcome === "faulty") counts.faulty += 1;
      if (outcome === "leftOut") counts.leftOut += 1;
      if (outcome === "ready") counts.ready += 1;
      if (outcome === "accepted" || outcome === "before") counts.accepted += 1;
      if (outcome === "before") counts.before += 1;
      if (outcome !== "leftOut" && row.verdict?.warnings !== undefined) counts.warned += 1;
      if (row.state !== undefined && isSent(row)) states[row.state] = (states[row.state] ?? 0) + 1;
    }
    return { rows: rows.length, ...counts, states, activity, ...(failure && { failure: failure.cause }) };
  }

  const isIn: Readonly<Record<RowFilter, (row: TableRow) => boolean>> = {
    faults: (row) => outcomeOf(row) === "faulty",
    warnings: (row) => !row.isLeftOut && row.verdict?.warnings !== undefined,
    unsent: (row) => !isSent(row),
    all: () => true,
  };

  /** The numbers of some rows of a list, and how many it has. @param from place of the first one */
  function list(filter: RowFilter, from: number): { readonly total: number; readonly numbers: number[] } {
    const listed = rows.filter(isIn[filter]);
    return {
      total: listed.length,
      numbers: listed.slice(from, from + mostRowsAtOnce).map(({ number }) => number),
    };
  }

  /** Cells to mend for a finding: its own, or those of all that it is about. */
  function cellsOf({ code, pointer = "", column }: CardFault): readonly string[] {
    if (column !== undefined && header.includes(column)) return [column];
    if (code === "marker_unidentified") return columnsIn(columns, "Marker");
    const [, part = "", name = ""] = pointer.split("/");
    const source = columns.get(`${part}/${name}`);
    return Array.isArray(source) ? (source as readonly string[]) : [];
  }

  function shown(row: TableRow): ShownRow {
    const { number, externalId, verdict, fault, state } = row;
    const outcome = outcomeOf(row);
    const { errors = [], warnings = [] } = verdict ?? {};
    const faults = outcome === "faulty" ? [...(fault === undefined ? [] : [fault]), ...errors] : [];
    const inWords = (found: readonly CardFault[], isFault: boolean) =>
      inTableWords(found, columns, texts).map((finding) => ({
        code: finding.code,
        ...(finding.column !== undefined && { column: finding.column }),
        detail: finding.detail ?? "",
        isFault,
        cells: cellsOf(finding),
      }));
    const width = Math.max(header.length, row.cells.length);
    const used = new Set(columnNames(columns));
    const { Player } = row.card.value as { readonly Player?: { readonly FullName?: unknown } };
    return {
      number,
      externalId,
      player: typeof Player?.FullName === "string" ? Player.FullName : undefined,
      outcome,
      state: isSent(row) ? state : undefined,
      findings: [...inWords(faults, true), ...inWords(warnings, false)],
      cells: Object.fromEntries(
        Array.from({ length: width }, (_, place) => [header[place] ?? String(place + 1), place] as const)
          .filter(([name, place]) => place >= header.length || used.has(name))
          .map(([name, place]) => [name, row.cells[place] ?? ""]),
      ),
      isMended: row.isMended,
    };
  }

  /** Some rows, by their numbers. */
  const show = (numbers: readonly number[]): ShownRow[] =>
    numbers.slice(0, mostRowsAtOnce).flatMap((number) => {
      const row = byNumber.get(number);
      return row === undefined ? [] : [shown(row)];
    });

  /** The tournaments of the cards that were sent. */
  function tournaments(): SentTournament[] {
    const days = new Map<string, string[]>();
    for (const row of rows) {
      const { Round } = row.card.value as { readonly Round?: Readonly<Record<string, unknown>> };
      const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(String(Round?.StartTime)) ?? [];
      const name = Round?.TournamentName;
      if (!isSent(row) || typeof name !== "string" || day === undefined) continue;
      // The same text is the same tournament, whatever spaces are in it.
      const plain = name.trim().replaceAll(/\s+/g, " ");
      const all = [...(days.get(plain) ?? []), `${year}-${month}-${day}`].toSorted();
      days.set(plain, [all[0] ?? "", all.at(-1) ?? ""]);
    }
    return [...days].map(([name, [from = "", to = ""]]) => ({ name, from, to }));
  }

  /** Writes cells of a row, which then has as many as the header. @param texts by column */
  function mend(number: number, mended: Readonly<Record<string, string>>): void {
    const row = byNumber.get(number);
    if (row === undefined) return;
    const width = Math.max(header.length, row.cells.length);
    const cells = Array.from({ length: width }, (_, place) => {
      const name = header[place] ?? String(place + 1);
      return (mended[name] ?? row.cells[place] ?? "").trim();
    });
    row.cells = cells.slice(0, Math.max(header.length, cells.findLastIndex((cell) => cell !== "") + 1));
    const card = read(row.cells, number);
    if (card.json !== row.card.json) row.verdict = undefined;
    row.card = card;
    row.isMended = true;
    onChange();
    recheck();
  }

  /** Leaves a row out, or takes it back in. */
  function leaveOut(number: number, isLeftOut: boolean): void {
    const row = byNumber.get(number);
    if (row === undefined) return;
    row.isLeftOut = isLeftOut;
    onChange();
    recheck();
  }

  return {
    check,
    send,
    follow,
    progress,
    list,
    show,
    tournaments,
    mend,
    leaveOut,
    /** What the file does not have. */
    changes: (): TableChanges => ({
      cells: Object.fromEntries(
        rows.filter((row) => row.isMended).map(({ number, cells }) => [number, cells]),
      ),
      leftOut: rows.filter((row) => row.isLeftOut).map(({ number }) => number),
    }),
    /** The table as it is now, mended, without rows that are left out. */
    csv: (): string =>
      [header, ...rows.filter((row) => !row.isLeftOut).map((row) => row.cells)]
        .map((cells) => cells.map(quotedCell).join(";"))
        .join("\r\n"),
    /** ExternalIDs of the accepted cards. */
    sent: (): string[] => rows.filter(isSent).flatMap(({ externalId }) => externalId ?? []),
    /** Ends what is under way; nothing begins any more. */
    stop: () => stopped.abort(new Error("The table was closed.")),
  };
}
