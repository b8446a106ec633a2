import { extname } from "node:path";
import type { UnionClient } from "@scorecard-pipeline/card-files/reading/consult-union";
import type { Terminal } from "../base/terminal.ts";
import { type CardFile, openCardFile } from "./card-file.ts";
import { readAnswers, type TableOptions } from "./table-options.ts";
import { openQuestionLines, openUnderstoodTable, readingLines } from "./understood-table.ts";

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
  const file = await openUnderstoodTable(path, {
    client,
    answers: readAnswers(options),
    encoding: options.encoding,
  });
  if ("cards" in file) {
    if (!options.json && file.table !== undefined)
      for (const line of readingLines(file.table.reading)) terminal.note(line);
    return file;
  }
  if (options.json) terminal.json({ questions: file.questions, finished: false });
  for (const line of openQuestionLines(path, file.questions)) terminal.note(line);
  return undefined;
}
