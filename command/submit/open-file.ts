import { type CardFile, openCardFile } from "./card-file.ts";
import { readColumns } from "./columns-file.ts";
import { isTable, openTableFile } from "./table-file.ts";

/**
 * Opens a file of cards: JSON, NDJSON, or a table in CSV or of Excel.
 *
 * @param columns path of the file that says which column of a table is which field
 * @throws Error that says what is wrong with the file or its columns
 */
export async function openFile(path: string, columns: string | undefined): Promise<CardFile> {
  if (!isTable(path) && columns === undefined) return await openCardFile(path);
  return await openTableFile(path, columns === undefined ? undefined : await readColumns(columns));
}
