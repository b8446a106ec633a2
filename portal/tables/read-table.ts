import type { TableProof } from "@scorecard-pipeline/card-files/proof";
import type { FilledColumns, GridFile, Reading } from "@scorecard-pipeline/card-files/reading/reading";
import type { TableForm } from "@scorecard-pipeline/card-files/table-cards";

/** A table that was read whole. */
export interface ReadTable extends TableForm {
  /** All rows below the header, empty ones too. */
  readonly rows: readonly (readonly string[])[];
  /** Of each row, by which it is found: as a spreadsheet shows it, or in the order of the cards if those repeat. */
  readonly numbers: readonly number[];
  /** The column of the tees' names, which go into no card. */
  readonly teeColumn?: string | undefined;
  readonly filled?: FilledColumns;
  /** By what each row is proved. */
  readonly proof?: { readonly sums: TableProof["sums"]; readonly tees: Reading["tees"] } | undefined;
}

/**
 * The rows as they are understood, or as they are below the first one if no heading was found. Several rounds in one row, or rows of
 * several sheets, have the same numbers in the file: by these only one of them would be sent.
 */
export function toReadTable(
  { kind, sheets }: GridFile,
  { heading, header, rows, numbers, teeColumn, filled }: Reading,
): ReadTable {
  const inOrder = (of: readonly unknown[]) => of.map((_, place) => place + 2);
  if (heading !== undefined) {
    const isUnique = new Set(numbers).size === numbers.length;
    return { kind, header, rows, numbers: isUnique ? numbers : inOrder(rows), teeColumn, filled };
  }
  const [first, ...others] = sheets[0]?.rows ?? [];
  return { kind, header: first ?? [], rows: others, numbers: inOrder(others) };
}
