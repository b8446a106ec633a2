import type { Options } from "csv-parse";

/** The separator that the header has most of: a comma, a semicolon or a tab. @param start of the file */
export function delimiterOf(start: string): string {
  const header = start.split(/[\r\n]/, 1)[0] ?? "";
  const count = (delimiter: string) => header.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** How rows are read: quoted as in RFC 4180, and each with the cells that it has. */
export const csvForm = (delimiter: string) =>
  ({
    delimiter,
    bom: true,
    trim: true,
    skip_empty_lines: false,
    relax_column_count: true,
  }) as const satisfies Options;

/** Why a file is no table. @param name of the file; @param cause what the reader of CSV threw */
export function malformedCsv(name: string, cause: unknown): Error {
  const { lines } = cause as { lines?: number };
  return new Error(`${name} is not a table from line ${lines ?? 1} on. Check its quotation marks.`, {
    cause,
  });
}
