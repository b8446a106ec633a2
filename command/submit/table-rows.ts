/** The rows of a table, whatever kind of file it is in. */
export interface TableRows {
  readonly header: readonly string[];
  /** All rows, the header first. */
  readonly rows: AsyncIterable<readonly string[]>;
  /** Size of the file in bytes. */
  readonly size: number;
  readonly bytesRead: () => number;
  /** A sentence: what to do if a row has more cells than the header. */
  readonly strayCells: string;
}
