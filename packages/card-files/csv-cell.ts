/** What programs skip before a sign, and the signs with which a formula begins; some take full-width ones, too. */
const [skipped, sign] = ["[\\s\"'\\p{Cc}\\p{Cf}]*", "[=+\\-@\uff1d\uff0b\uff0d\uff20]"];
const beginsFormula = new RegExp(`^(?:${skipped}${sign}|[\\t\\r])`, "u");
/** A program that takes another separator does not see the quotation marks, and begins a cell within the text. */
const afterSeparator = new RegExp(`([,;|\\t\\r\\n\\u2028]${skipped})(?=${sign})`, "gu");

/**
 * A cell of a CSV file. A text is quoted, so that it stays one cell whatever separator its reader's program takes, and never is a formula.
 *
 * @param cell a number is written as it is
 */
export function writeCsvCell(cell: string | number | undefined): string {
  if (cell === undefined || cell === "") return "";
  if (typeof cell === "number" || /^[+-]?\d+([.,]\d+)?$/.test(cell)) return String(cell);
  // A lone dash is a hole's mark; any other text that begins like this a spreadsheet would run as a formula.
  const text = cell !== "-" && beginsFormula.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll(afterSeparator, "$1'").replaceAll('"', '""')}"`;
}
