import { extname } from "node:path";
import type { UnionClient } from "@scorecard-pipeline/card-files/reading/consult-union";
import { settings } from "../../lib/settings.ts";
import type { Terminal } from "../base/terminal.ts";
import { type CardFile, openCardFile } from "./card-file.ts";
import { readAnswers, type TableOptions } from "./table-options.ts";
import { OpenQuestionsError, openUnderstoodTable } from "./understood-table.ts";

/** Whether a file is a table by its name. */
export const isTable = (path: string) =>
  [".csv", ".tsv", ".xlsx", ".xls", ".ods"].includes(extname(path).toLowerCase());

/**
 * Opens a file of cards: JSON, NDJSON, or a table in CSV or of Excel, and says how a table is read. A table that leaves something open is not
 * opened: the questions are printed, each with its option.
 *
 * @param client asks the union; tables are not read without one
 * @throws Error that says what is wrong with the file
 */
export async function openOrAsk(
  path: string,
  options: TableOptions & { readonly json?: true },
  client: UnionClient | undefined,
  terminal: Terminal,
): Promise<CardFile | undefined> {
  if (!isTable(path)) return await openCardFile(path);
  if (client === undefined)
    throw new Error(
      `${path} is a table, for which the union is asked. Name the vendor's account, or a JSON file.`,
    );
  try {
    const file = await openUnderstoodTable(path, {
      client,
      answers: readAnswers(options),
      encoding: options.encoding,
      likely: settings.production.union.tables,
    });
    if (!options.json) for (const line of file.table?.lines ?? []) terminal.note(line);
    return file;
  } catch (error) {
    if (!(error instanceof OpenQuestionsError)) throw error;
    if (options.json) terminal.json({ questions: error.questions, finished: false });
    terminal.note(`error: ${error.message}`);
    for (const line of error.lines()) terminal.note(line);
    return undefined;
  }
}
