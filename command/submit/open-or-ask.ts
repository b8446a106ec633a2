import type { UnionClient } from "@scorecard-pipeline/card-files/reading/consult-union";
import { settings } from "../../lib/settings.ts";
import type { Terminal } from "../base/terminal.ts";
import type { CardFile } from "./card-file.ts";
import { openFile } from "./open-file.ts";
import { readAnswers, type TableOptions } from "./table-options.ts";
import { OpenQuestionsError } from "./understood-table.ts";

/**
 * Opens a file, and says how a table is read. A table that leaves something open is not opened: the questions are printed, each with its
 * option.
 *
 * @param client asks the union; without one, tables are only read whose header or `--columns` names the fields
 * @throws Error that says what is wrong with the file
 */
export async function openOrAsk(
  path: string,
  options: TableOptions & { readonly json?: true },
  client: UnionClient | undefined,
  terminal: Terminal,
): Promise<CardFile | undefined> {
  try {
    const context = client && {
      client,
      answers: readAnswers(options),
      encoding: options.encoding,
      layout: options.layout,
      likely: settings.production.union.tables,
    };
    const file = await openFile(path, options.columns, context);
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
