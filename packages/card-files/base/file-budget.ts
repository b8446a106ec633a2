/**
 * The most that is read of a table: a 20,000-row tournament season has a tenth of it. A file may come from anybody, so each limit is checked
 * before what it limits is held in memory.
 */
export const fileBudget = {
  bytes: 24 * 1_024 * 1_024,
  /** Of all parts of a workbook that are read. */
  inflatedBytes: 32 * 1_024 * 1_024,
  /** Parts of a workbook: sheets, strings, styles, pictures. */
  parts: 500,
  /** Of a sheet, from A1 to its largest reference. */
  cells: 2_000_000,
  rows: 100_000,
  columns: 500,
  /** Characters of a cell: as many as Excel allows. */
  cellLength: 32_767,
} as const;

/** A file is larger than what is read of one. The message says what to do. */
export class FileBudgetError extends Error {
  override readonly name = "FileBudgetError";
}

const megabytes = (bytes: number) => Math.round(bytes / 1_024 / 1_024);

/** @throws FileBudgetError if a file of so many bytes is not read */
export function checkFileSize(bytes: number, name: string): void {
  if (bytes <= fileBudget.bytes) return;
  throw new FileBudgetError(
    `${name} has ${megabytes(bytes)} MB, and a table may have ${megabytes(fileBudget.bytes)}. Send it in several files.`,
  );
}

/** What a workbook is that inflates to more than is read of one. */
export const inflatedTooFar = (name: string): FileBudgetError =>
  new FileBudgetError(
    `${name} is larger inside than the ${megabytes(fileBudget.inflatedBytes)} MB that are read. Save only the sheet with the cards, as .xlsx or CSV, and send that.`,
  );

/** @throws FileBudgetError if a cell has more characters than Excel allows */
export function checkCellLength(length: number, name: string): void {
  if (length <= fileBudget.cellLength) return;
  throw new FileBudgetError(
    `${name} has a cell of more than ${fileBudget.cellLength} characters. Check its quotation marks and separators, or save it as .xlsx, and send that.`,
  );
}

/** How large a table is. */
interface TableSize {
  readonly rows: number;
  readonly columns: number;
  readonly cells: number;
}

/** @throws FileBudgetError if a table of this size is not read. @param reference of its last cell, if it is a workbook's */
export function checkTableSize({ rows, columns, cells }: TableSize, name: string, reference = ""): void {
  const max = fileBudget;
  if (rows <= max.rows && columns <= max.columns && cells <= max.cells) return;
  const extent = reference === "" ? `${rows} rows and ${cells} cells` : `a cell at ${reference}`;
  throw new FileBudgetError(
    `${name} has ${extent}. A table may have ${max.rows} rows, ${max.columns} columns and ${max.cells} cells. Delete the rows and columns beyond the table, or copy it to a new file, and send that.`,
  );
}
