import { type CardFile, openCardFile } from "./card-file.ts";
import { readColumns } from "./columns-file.ts";
import { isTable, namesFields, openTableFile } from "./table-file.ts";
import { openUnderstoodTable, type TableContext } from "./understood-table.ts";

/**
 * Opens a file of cards: JSON, NDJSON, or a table in CSV or of Excel.
 *
 * @param columns path of the file that says which column of a table is which field
 * @param context for a table whose heading does not name the fields; without it, such a table is an error
 * @throws Error that says what is wrong with the file or its columns
 */
export async function openFile(
  path: string,
  columns: string | undefined,
  context?: TableContext,
): Promise<CardFile> {
  if (!isTable(path) && columns === undefined) return await openCardFile(path);
  if (columns === undefined && context !== undefined && !(await namesFields(path)))
    return await openUnderstoodTable(path, context);
  return await openTableFile(path, columns === undefined ? undefined : await readColumns(columns));
}
