import type { CardFault } from "@scorecard-pipeline/card-files/card-fault";
import { changesPlayer, type RowChange } from "@scorecard-pipeline/card-files/sent-before";
import { findTableWarnings, type TableWarning } from "@scorecard-pipeline/card-files/table-warnings";
import type { TableFinding } from "@scorecard-pipeline/card-files/table-words";
import {
  changeOf,
  isReused,
  isSent,
  maxRowsAtOnce,
  type RowOutcome,
  rowOutcome,
  type TableRow,
} from "./table-row.ts";

/** Which rows are listed. */
export type RowFilter = "faults" | "held" | "warnings" | "all";

/** How far a table is. */
export interface TableProgress {
  readonly rows: number;
  /** Rows whose faults are known, or that were sent. */
  readonly checked: number;
  readonly faulty: number;
  /** Rows that would make a sent card another player's, or another day's. */
  readonly replacing: number;
  /** Of all rows, those that would change the player of a sent card; if they are more than a person mends, nothing is sent. */
  readonly reordered: number;
  /** What sending the rows does that are ready. */
  readonly changes: Readonly<Record<RowChange, number>>;
  /** Rows with warnings that not nearly all have. */
  readonly warned: number;
  /** What nearly all rows are warned of: nothing is sent until a person has said that it is right. */
  readonly common: readonly (TableWarning & { readonly first: TableFinding })[];
  readonly leftOut: number;
  /** Rows that can be sent and will not count, until a person says that they are sent. */
  readonly held: number;
  /** Rows that can be sent now. */
  readonly ready: number;
  readonly accepted: number;
  /** Of these, rows that an earlier run had sent. */
  readonly before: number;
  /** Accepted cards by their states. */
  readonly states: Readonly<Record<string, number>>;
  readonly activity: "idle" | "checking" | "sending";
  /** Players whom the account may not look up, or about whom the union did not answer. */
  readonly unasked: number;
  readonly failure?: unknown;
}

/** Whether a row has warnings beside some. */
const isWarned = ({ isLeftOut, verdict }: TableRow, common: readonly TableWarning[]): boolean =>
  !isLeftOut &&
  verdict?.warnings?.some(({ code }) => !common.some(({ first }) => first.code === code)) === true;

const findCommon = (rows: readonly TableRow[]): readonly TableWarning[] =>
  findTableWarnings(rows.flatMap(({ isLeftOut, verdict }) => (isLeftOut ? [] : (verdict ?? []))));

/** Counts rows by what became of them. @param tell puts a warning into the table's words */
export function countRows(
  rows: readonly TableRow[],
  tell = (first: CardFault): TableFinding => first,
): Omit<TableProgress, "activity" | "failure" | "unasked"> {
  const outcomes: Record<RowOutcome, number> = {
    unchecked: 0,
    faulty: 0,
    held: 0,
    replacing: 0,
    ready: 0,
    leftOut: 0,
    accepted: 0,
    before: 0,
  };
  const states: Record<string, number> = {};
  const changes: Record<RowChange, number> = { new: 0, unchanged: 0, corrected: 0, replaced: 0 };
  const common = findCommon(rows);
  let warned = 0;
  for (const row of rows) {
    const outcome = rowOutcome(row);
    outcomes[outcome] += 1;
    if (outcome === "ready") changes[changeOf(row)] += 1;
    if (isWarned(row, common)) warned += 1;
    if (row.state !== undefined && isSent(row)) states[row.state] = (states[row.state] ?? 0) + 1;
  }
  const { unchecked, faulty, held, replacing, ready, leftOut, accepted, before } = outcomes;
  return {
    rows: rows.length,
    checked: rows.length - unchecked,
    faulty,
    replacing: replacing + rows.filter(isReused).length,
    reordered: rows.filter((row) => !row.isLeftOut && !row.mayReplace && changesPlayer(row.verdict ?? {}))
      .length,
    changes,
    warned,
    common: common.map((one) => ({ ...one, first: tell(one.first) })),
    leftOut,
    held,
    ready,
    accepted: accepted + before,
    before,
    states,
  };
}

const isIn: Readonly<Record<RowFilter, (row: TableRow, common: readonly TableWarning[]) => boolean>> = {
  faults: (row) => rowOutcome(row) === "faulty" || rowOutcome(row) === "replacing",
  held: (row) => rowOutcome(row) === "held",
  warnings: isWarned,
  all: () => true,
};

/** The numbers of some rows of a list, and how many it has. @param from place of the first one */
export function listRows(
  rows: readonly TableRow[],
  filter: RowFilter,
  from: number,
): { readonly total: number; readonly numbers: number[] } {
  const common = findCommon(rows);
  const listed = rows.filter((row) => isIn[filter](row, common));
  return {
    total: listed.length,
    numbers: listed.slice(from, from + maxRowsAtOnce).map(({ number }) => number),
  };
}
