import { writeFile } from "node:fs/promises";
import type { UnionClient } from "@scorecard-pipeline/card-files/reading/consult-union";
import { writeTemplate } from "@scorecard-pipeline/card-files/template";
import { isPlayerList, orderTemplate } from "@scorecard-pipeline/card-files/template-order";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { counted, type Terminal } from "../base/terminal.ts";
import { readAnswers, type TableOptions } from "./table-options.ts";
import { openQuestionLines, readTable } from "./understood-table.ts";

/** `scorecards submit PLAYERS --template FILE`: makes a workbook to fill in. A file that is there may have been filled in, and stays. */
export async function templateCommand(
  path: string,
  template: string,
  options: TableOptions & { readonly language: string },
  client: UnionClient,
  terminal: Terminal,
): Promise<ExitCode> {
  const { encoding, language } = options;
  const answers = readAnswers(options);
  const { name, reading, memory } = await readTable(path, { client, answers, encoding });
  if (!isPlayerList(reading)) throw new Error(`${name} is no list of players without scores.`);
  if (reading.questions.length > 0) {
    for (const line of openQuestionLines(path, reading.questions)) terminal.note(line);
    return exitCode.unfinished;
  }
  const order = orderTemplate(reading, memory);
  const workbook = await writeTemplate(order, language);
  await writeFile(template, new Uint8Array(await workbook.arrayBuffer()), { flag: "wx" });
  terminal.note(`${template} has ${counted(order.players.length, "player")}. Fill it in, and submit it.`);
  return exitCode.done;
}
