/** Excel keeps 15 digits of a number; more are noise of binary fractions, as in 15.799999999999999. */
const digitsOfExcel = 15;

/** A cell of a workbook as the text that a CSV file would have. */
export function textOfCell(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date) return textOfDate(cell);
  if (typeof cell === "number") return String(Number(cell.toPrecision(digitsOfExcel)));
  return String(cell).trim();
}

/** Excel's dates have no time zone, and their fractions of a day miss whole seconds by a little. */
function textOfDate(date: Date): string {
  const wholeSecond = new Date(Math.round(date.getTime() / 1_000) * 1_000);
  return wholeSecond.toISOString().slice(0, 19);
}

/** Why a workbook cannot be read, and what to do. @param name of the file */
export const unreadableWorkbook = (name: string): string =>
  `${name} is not an Excel workbook that can be read. Save it as .xlsx without a password, or as CSV in UTF-8.`;
