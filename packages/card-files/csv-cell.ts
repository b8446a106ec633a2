/** A program that takes another separator does not see the quotation marks, and begins a cell within the text. */
const afterSeparator = /([,;|\t\r\n][\s"]*)(?=[=+\-@])/g;

/**
 * A cell of a CSV file. A text is quoted, so that it stays one cell whatever separator its reader's program takes, and never is a formula.
 *
 * @param cell a number is written as it is
 */
export function writeCsvCell(cell: string | number | undefined): string {
  if (cell === undefined || cell === "") return "";
  if (typeof cell === "number" || /^[+-]?\d+([.,]\d+)?$/.test(cell)) return String(cell);
  // A lone dash is a hole's mark; any other text that begins like this a spreadsheet would run as a formula.
  const text = cell !== "-" && /^\s*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll(afterSeparator, "$1'").replaceAll('"', '""')}"`;
}
