import type { StartListColumns } from "@scorecard-pipeline/card-files/guess-columns";
import { type StartListFault, startListFaults } from "@scorecard-pipeline/card-files/start-list";
import { isEmptyRow } from "@scorecard-pipeline/card-files/table-cards";
import type { ReadTable } from "./open-table.ts";

/** A row of a start list as the page shows it. */
export interface ShownListRow {
  readonly number: number;
  readonly unionId: string;
  readonly label: string;
  readonly faults: readonly StartListFault[];
  /** Why the API refused it, in the API's words. */
  readonly refusal: string | undefined;
  readonly isLeftOut: boolean;
}

/** How a start list is. */
export interface ListState {
  /** Rows that are not left out. */
  readonly players: number;
  readonly faulty: number;
  readonly leftOut: number;
  /** The first rows with faults, and those that were mended or left out. */
  readonly shown: readonly ShownListRow[];
}

const maxFaultyRows = 50;

interface ListRow {
  readonly number: number;
  unionId: string;
  label: string;
  refusal: string | undefined;
  isLeftOut: boolean;
  /** Stays listed, so that it does not vanish from under its reader. */
  isTouched: boolean;
}

/** A start list between being read and being sent. */
export type StartListSession = ReturnType<typeof createStartListSession>;

/** Checks and mends the rows of a start list. */
export function createStartListSession(
  { header, rows: cells, numbers }: ReadTable,
  columns: StartListColumns,
) {
  const findColumn = (column: string) => (column === "" ? -1 : header.indexOf(column));
  const [ofNumber, ofLabel] = [findColumn(columns.unionId), findColumn(columns.label)];
  const rows = cells.flatMap((row, place): ListRow[] =>
    isEmptyRow(row)
      ? []
      : [
          {
            number: numbers[place] ?? place + 2,
            unionId: row[ofNumber] ?? "",
            label: row[ofLabel] ?? "",
            refusal: undefined,
            isLeftOut: false,
            isTouched: false,
          },
        ],
  );
  const listed = () => rows.filter(({ isLeftOut }) => !isLeftOut);

  function state(): ListState {
    const faults = startListFaults(listed());
    const isFaulty = ({ number, refusal, isLeftOut }: ListRow) =>
      !isLeftOut && (faults.has(number) || refusal !== undefined);
    const faulty = rows.filter(isFaulty);
    const shown = new Set([...faulty.slice(0, maxFaultyRows), ...rows.filter(({ isTouched }) => isTouched)]);
    return {
      players: listed().length,
      faulty: faulty.length,
      leftOut: rows.length - listed().length,
      shown: [...shown]
        .toSorted((one, other) => one.number - other.number)
        .map(({ isTouched, ...row }) => ({ ...row, faults: faults.get(row.number) ?? [] })),
    };
  }

  function change(number: number, changes: Partial<Pick<ListRow, "unionId" | "label" | "isLeftOut">>): void {
    const row = rows.find((one) => one.number === number);
    if (row !== undefined) Object.assign(row, changes, { refusal: undefined, isTouched: true });
  }

  return {
    state,
    mend: (number: number, field: "unionId" | "label", text: string) =>
      change(number, { [field]: text.trim() }),
    leaveOut: (number: number, isLeftOut: boolean) => change(number, { isLeftOut }),
    /** The players as the API takes them. */
    players: () => listed().map(({ unionId, label }) => ({ unionId, ...(label !== "" && { label }) })),
    /** Notes what the API refused, by the index of the player. */
    refuse(faults: readonly { readonly index: number; readonly detail: string }[]): void {
      const sent = listed();
      for (const { index, detail } of faults) {
        const row = sent[index];
        if (row !== undefined) row.refusal = detail;
      }
    },
  };
}
