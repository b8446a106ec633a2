import { type CardFile, openCardFile } from "./card-file.ts";
import { readColumns } from "./csv-columns.ts";
import { isCsv, openCsvFile } from "./csv-file.ts";

/**
 * Opens a file of cards: JSON, NDJSON, or a table.
 *
 * @param columns path of the file that says which column of a table is which field
 * @throws Error that says what is wrong with the file or its columns
 */
export async function openFile(path: string, columns: string | undefined): Promise<CardFile> {
  if (!isCsv(path) && columns === undefined) return await openCardFile(path);
  return await openCsvFile(path, columns === undefined ? undefined : await readColumns(columns));
}
