import { cardOfRow, type TableColumns } from "./base/table-columns.ts";
import type { FileCard, FileFault } from "./card-fault.ts";
import { findSumFault, proveTable, type SumColumn, type TableProof } from "./proof.ts";
import { isDamagedByExcel, numberBeforeExcel } from "./reading/cell-dates.ts";
import type { Reading } from "./reading/reading.ts";
import type { TeeChoice } from "./reading/tees.ts";
import { valueOfCell } from "./table-values.ts";
import type { TableTexts } from "./words/en.ts";

/** Makes the card of one row. */
export type RowReader = (row: readonly string[], number: number) => FileCard;

/**
 * Returns a function that reads the rows of a table.
 *
 * @param texts of the reader's language
 */
export function rowReader(
  header: readonly string[],
  columns: TableColumns,
  texts: TableTexts,
  proof: { readonly sums: readonly SumColumn[]; readonly tees: readonly TeeChoice[] } = {
    sums: [],
    tees: [],
  },
): RowReader {
  const tees = new Map(proof.tees.map((tee) => [tee.id.toLowerCase(), tee]));
  const places = new Map(header.map((name, place) => [name, place]));
  return (row, number) => {
    const cell = (column: string) => row[places.get(column) ?? -1] ?? "";
    const value = cardOfRow(columns, cell, valueOfCell);
    const fault =
      raggedness(row, header, texts) ??
      excelDate(columns, cell, texts) ??
      findSumFault(proof.sums, cell, value, tees, texts);
    return {
      number,
      value,
      json: JSON.stringify(value),
      ...(fault && { fault }),
    };
  };
}

/** Reads the rows of a reading as cards, and proves the table by them. */
export function proveRows(reading: Reading, texts: TableTexts): TableProof {
  const read = rowReader(reading.header, reading.columns, texts);
  return proveTable(
    reading,
    reading.rows.map((cells, place) => {
      const { value, number } = read(cells, reading.numbers[place] ?? 0);
      return { number, cells, value };
    }),
  );
}

const maybeDamaged = ["Player/UnionID", "Marker/UnionID", "HCP"] as const;

/** The fault of a row with a number that Excel has turned into a date, which the union would take for another member's. */
function excelDate(
  columns: TableColumns,
  cell: (column: string) => string,
  texts: TableTexts,
): FileFault | undefined {
  for (const field of maybeDamaged) {
    const source = columns.get(field);
    if (typeof source !== "string" || !isDamagedByExcel(cell(source))) continue;
    const number = numberBeforeExcel(cell(source), field === "HCP" ? "." : "-");
    return { code: "excel_date", pointer: `/${field}`, detail: texts.excelDate(cell(source), number) };
  }
  return undefined;
}

/** The fault of a row with other cells than the header. */
function raggedness(
  row: readonly string[],
  { length }: readonly string[],
  texts: TableTexts,
): FileFault | undefined {
  const cells = row.findLastIndex((cell) => cell !== "") + 1;
  // Spreadsheets write empty cells at the end of a row, or leave them out, but not some of them.
  if (cells > length) return { code: "cells_count", detail: texts.cellsTooMany(cells, length) };
  return row.length < length
    ? { code: "cells_count", detail: texts.cellsTooFew(row.length, length) }
    : undefined;
}
