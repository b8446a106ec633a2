import type { TableRows } from "@scorecard-pipeline/card-files/table-rows";

/** A table that is read from a file. */
export interface OpenedTable extends TableRows {
  /** Size of the file in bytes. */
  readonly size: number;
  readonly bytesRead: () => number;
}
