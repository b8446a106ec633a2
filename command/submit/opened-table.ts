import type { TableRows } from "../../card-files/table-rows.ts";

/** A table that is read from a file. */
export interface OpenedTable extends TableRows {
  /** Size of the file in bytes. */
  readonly size: number;
  readonly bytesRead: () => number;
}
