import type { CardFault } from "./card-fault.ts";
import { isOtherRound, type RowChange } from "./sent-before.ts";
import { changeOf, isSent, maxRowsAtOnce, type RowOutcome, rowOutcome, type TableRow } from "./table-row.ts";
import { findTableWarnings, type TableWarning } from "./table-warnings.ts";
import type { TableFinding } from "./table-words.ts";

/** Which rows are listed. */
export type RowFilter = "faults" | "held" | "warnings" | "all";

/** How far a table is. */
export interface TableProgress {
  readonly rows: number;
  /** Rows whose faults are known, or that were sent. */
  readonly checked: number;
  readonly faulty: number;
  /** Rows that would replace a card of another player, day or course. */
  readonly replacing: number;
  /** Of all rows, those that would make a sent card another round; if they are more than a person mends, nothing is sent. */
  readonly reordered: number;
  /** What sending the rows without faults does. */
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
  const byOutcome = Map.groupBy(rows, rowOutcome);
  const count = (outcome: RowOutcome) => byOutcome.get(outcome)?.length ?? 0;
  const [before, held, ready] = [count("before"), count("held"), count("ready")];
  const changes: Record<RowChange, number> = { new: 0, unchanged: before, corrected: 0, replaced: 0 };
  for (const outcome of ["ready", "held", "replacing"] as const)
    for (const row of byOutcome.get(outcome) ?? []) changes[changeOf(row)] += 1;
  const sent = rows.filter(isSent).flatMap(({ state }) => state ?? []);
  const states = [...Map.groupBy(sent, (state) => state)].map(([state, all]) => [state, all.length] as const);
  const common = findCommon(rows);
  return {
    rows: rows.length,
    checked: rows.length - count("unchecked"),
    faulty: count("faulty"),
    replacing: count("replacing"),
    reordered: rows.filter(
      ({ isLeftOut, mayReplace, verdict: { corrects } = {} }) =>
        !isLeftOut && !mayReplace && corrects !== undefined && isOtherRound(corrects),
    ).length,
    changes,
    warned: rows.filter((row) => isWarned(row, common)).length,
    common: common.map((one) => ({ ...one, first: tell(one.first) })),
    leftOut: count("leftOut"),
    held,
    ready,
    accepted: count("accepted") + before,
    before,
    states: Object.fromEntries(states),
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
