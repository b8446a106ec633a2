import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { parse } from "csv-parse";
import type { CardFile, FileCard } from "./card-file.ts";
import { type CsvColumns, cardOfRow, columnNames, columnOf, columnsOfHeader } from "./csv-columns.ts";
import { valueOfCell } from "./csv-values.ts";
import { NotUtf8Error, readStart, refuseUtf16, textOf } from "./utf8-file.ts";

/** Whether a file is a table by its name. */
export const isCsv = (path: string) => /\.(csv|tsv)$/i.test(path);

/**
 * Opens a table with one card a row, below a header: comma, semicolon or tab separated, quoted as in RFC 4180. A card's number is that of
 * its row, as a spreadsheet shows it.
 *
 * @param columns which column is which field; by default the header names the fields
 * @throws Error if it cannot be read or has not these columns; also while its rows are read, if one is malformed
 */
export async function openCsvFile(path: string, columns: CsvColumns | undefined): Promise<CardFile> {
  const { start, size } = await readStart(path);
  refuseUtf16(start, path);
  const [firstLine = ""] = start.split(/[\r\n]/, 1);
  const delimiter = delimiterOf(firstLine);
  const header = await headerOf(path, delimiter);
  const used = columns ?? columnsOfHeader(header);
  refuseIfMissing(path, header, used);

  const bytes = createReadStream(path);
  return {
    cards: cardsOfRows(textOf(bytes, path), { path, delimiter, header, columns: used }),
    size,
    bytesRead: () => bytes.bytesRead,
    columnOf: (pointer) => columnOf(used, pointer),
  };
}

/** The separator that the header has most of. */
function delimiterOf(header: string): string {
  const count = (delimiter: string) => header.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}

const options = (delimiter: string) => ({
  delimiter,
  bom: true,
  trim: true,
  skip_empty_lines: false,
  relax_column_count: true,
});

async function headerOf(path: string, delimiter: string): Promise<string[]> {
  const bytes = createReadStream(path);
  for await (const header of rowsOf(textOf(bytes, path), path, delimiter)) return header;
  return [];
}

function refuseIfMissing(path: string, header: readonly string[], columns: CsvColumns): void {
  const missing = columnNames(columns).filter((name) => !header.includes(name));
  const here = `Its header has ${header.map((name) => JSON.stringify(name)).join(", ")}.`;
  if (missing.length > 0) {
    throw new Error(
      `${path} has no column ${missing.map((name) => JSON.stringify(name)).join(", ")}. ${here}`,
    );
  }
  if (!columns.has("ExternalID")) {
    throw new Error(
      `No column of ${path} is the ExternalID, which names a card. ${here} Say by --columns which column is which field.`,
    );
  }
}

async function* rowsOf(
  text: AsyncIterable<string>,
  path: string,
  delimiter: string,
): AsyncGenerator<string[]> {
  const parser = parse(options(delimiter));
  // The reader of the rows gets the error.
  pipeline(text, parser).catch(() => undefined);
  try {
    for await (const row of parser) yield row as string[];
  } catch (cause) {
    if (cause instanceof NotUtf8Error) throw cause;
    const { lines } = cause as { lines?: number };
    throw new Error(`${path} is not a table from line ${lines ?? 1} on. Check its quotation marks.`, {
      cause,
    });
  }
}

/** A table that is being read. */
interface Table {
  readonly path: string;
  readonly delimiter: string;
  readonly header: readonly string[];
  readonly columns: CsvColumns;
}

async function* cardsOfRows(
  text: AsyncIterable<string>,
  { path, delimiter, header, columns }: Table,
): AsyncGenerator<FileCard> {
  let number = 0;
  for await (const row of rowsOf(text, path, delimiter)) {
    number += 1;
    if (number === 1 || row.every((cell) => cell === "")) continue;
    const value = cardOfRow(columns, (column) => row[header.indexOf(column)] ?? "", valueOfCell);
    yield { number, value, json: JSON.stringify(value) };
  }
}
