import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { parse } from "csv-parse";
import type { TableRows } from "./table-rows.ts";
import { NotUtf8Error, readStart, refuseUtf16, textOf } from "./utf8-file.ts";

/**
 * Opens a file whose rows are separated by commas, semicolons or tabs and quoted as in RFC 4180. It is streamed.
 *
 * @throws Error if it cannot be read; also while its rows are read, if one is malformed
 */
export async function openCsvRows(path: string): Promise<TableRows> {
  const { start, size } = await readStart(path);
  refuseUtf16(start, path);
  const delimiter = delimiterOf(start.split(/[\r\n]/, 1)[0] ?? "");
  const header = await headerOf(path, delimiter);
  const bytes = createReadStream(path);
  return {
    header,
    rows: rowsOf(textOf(bytes, path), path, delimiter),
    size,
    bytesRead: () => bytes.bytesRead,
    strayCells: "A cell that contains the separator needs quotation marks around it.",
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
