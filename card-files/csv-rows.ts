import { type Parser, parse } from "csv-parse";
import { NotUtf8Error } from "./utf8-text.ts";

/** The separator that the header has most of: a comma, a semicolon or a tab. @param start of the file */
export function delimiterOf(start: string): string {
  const header = start.split(/[\r\n]/, 1)[0] ?? "";
  const count = (delimiter: string) => header.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/**
 * Reads rows that are separated and quoted as in RFC 4180. They are streamed.
 *
 * @param name of the file, for errors
 * @throws Error if a row is malformed
 */
export async function* csvRows(
  text: AsyncIterable<string>,
  delimiter: string,
  name: string,
): AsyncGenerator<string[]> {
  const parser = parse({
    delimiter,
    bom: true,
    trim: true,
    skip_empty_lines: false,
    relax_column_count: true,
  });
  // The reader of the rows gets the error.
  void writeAll(text, parser).catch((cause: Error) => parser.destroy(cause));
  try {
    for await (const row of parser) yield row as string[];
  } catch (cause) {
    if (cause instanceof NotUtf8Error) throw cause;
    const { lines } = cause as { lines?: number };
    throw new Error(`${name} is not a table from line ${lines ?? 1} on. Check its quotation marks.`, {
      cause,
    });
  }
}

/** Writes a text, not faster than it is read. Ends if the reader has stopped. */
async function writeAll(text: AsyncIterable<string>, parser: Parser): Promise<void> {
  for await (const piece of text) {
    if (parser.destroyed) return;
    if (parser.write(piece)) continue;
    await new Promise<void>((resolve) => {
      parser.once("drain", resolve);
      parser.once("close", resolve);
    });
  }
  parser.end();
}
