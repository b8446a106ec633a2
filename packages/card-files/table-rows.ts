/** The rows of a table, whatever kind of file it is in. */
export interface TableRows {
  readonly header: readonly string[];
  /** All rows, the header first. */
  readonly rows: AsyncIterable<readonly string[]> | Iterable<readonly string[]>;
  /** What the table is in, which says how a row gets more cells than the header. */
  readonly kind: "csv" | "excel";
}
