import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { csvForm, delimiterOf, malformedCsv } from "@scorecard-pipeline/card-files/csv-form";
import { NotUtf8Error, refuseUtf16, textOf } from "@scorecard-pipeline/card-files/utf8-text";
import { parse } from "csv-parse";
import type { OpenedTable } from "./opened-table.ts";
import { readStart } from "./utf8-file.ts";

/**
 * Opens a file whose rows are separated by commas, semicolons or tabs and quoted as in RFC 4180. It is streamed.
 *
 * @throws Error if it cannot be read; also while its rows are read, if one is malformed
 */
export async function openCsvRows(path: string): Promise<OpenedTable> {
  const { start, size } = await readStart(path);
  refuseUtf16(start, path);
  const delimiter = delimiterOf(start);
  const header = await headerOf(path, delimiter);
  const bytes = createReadStream(path);
  return {
    header,
    rows: rowsOf(textOf(bytes, path), path, delimiter),
    kind: "csv",
    size,
    bytesRead: () => bytes.bytesRead,
  };
}

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
  const parser = parse(csvForm(delimiter));
  // The reader of the rows gets the error.
  pipeline(text, parser).catch(() => undefined);
  try {
    for await (const row of parser) yield row as string[];
  } catch (cause) {
    if (cause instanceof NotUtf8Error) throw cause;
    throw malformedCsv(path, cause);
  }
}
