import { open } from "node:fs/promises";
import { extname } from "node:path";
import { cardFields } from "@scorecard-pipeline/card-files/base/card-fields";
import { columnOf, type TableColumns } from "@scorecard-pipeline/card-files/base/table-columns";
import { columnsOfHeader } from "@scorecard-pipeline/card-files/base/table-layouts";
import { decodeText } from "@scorecard-pipeline/card-files/reading/text-encoding";
import { type ColumnsProblem, cardsOfRows, columnsProblem } from "@scorecard-pipeline/card-files/table-cards";
import { inTableWords, missingFields } from "@scorecard-pipeline/card-files/table-words";
import { startBytes } from "@scorecard-pipeline/card-files/utf8-text";
import { en } from "@scorecard-pipeline/card-files/words/en";
import type { CardFile } from "./card-file.ts";
import { openCsvRows } from "./csv-rows.ts";
import { openExcelRows } from "./excel-rows.ts";
import type { OpenedTable } from "./opened-table.ts";

const openers: Readonly<Record<string, (path: string) => Promise<OpenedTable>>> = {
  ".csv": openCsvRows,
  ".tsv": openCsvRows,
  ".xlsx": openExcelRows,
};

/** Whether a file is a table by its name. */
export const isTable = (path: string) => extname(path).toLowerCase() in openers;

/** Whether the first row of a table names fields of a card, as a program writes it. */
export async function namesFields(path: string): Promise<boolean> {
  const header = await headerOf(path);
  return (
    header.includes("ExternalID") ||
    header.some((name) => name.includes("/") && cardFields.has(name.replace(/\/\d+$/, "")))
  );
}

async function headerOf(path: string): Promise<readonly string[]> {
  if (extname(path).toLowerCase() === ".xlsx") return (await openExcelRows(path)).header;
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(startBytes), position: 0 });
  const [line = ""] = decodeText(buffer.subarray(0, bytesRead))
    .text.replace(/^\ufeff/, "")
    .split(/[\r\n]/, 1);
  return line.split(/[,;\t]/).map((name) => name.replaceAll('"', "").trim());
}

/**
 * Opens a table with one card a row, below a header: a CSV file or an Excel workbook. A card's number is that of its row, as a
 * spreadsheet shows it.
 *
 * @param columns which column is which field; what is known of a tournament system's layout is added
 * @throws Error if it cannot be read or has not these columns; also while its rows are read, if one is malformed
 */
export async function openTableFile(path: string, columns: TableColumns | undefined): Promise<CardFile> {
  const openRows = openers[extname(path).toLowerCase()] ?? openCsvRows;
  const table = await openRows(path);
  const used = columnsOfHeader(table.header, columns);
  refuseIfUnusable(path, table.header, used);
  return {
    cards: cardsOfRows(table, used, en),
    size: table.size,
    bytesRead: table.bytesRead,
    table: {
      columnOf: (pointer) => columnOf(used, pointer, en.to),
      inItsWords: (findings) => inTableWords(findings, used, en),
      missingFields: missingFields(used),
    },
  };
}

function refuseIfUnusable(path: string, header: readonly string[], columns: TableColumns): void {
  const here = `Its header has ${header.map((name) => JSON.stringify(name)).join(", ")}.`;
  const problem = columnsProblem(header, columns);
  if (problem !== undefined) throw new Error(problemText(path, here, problem));
  if (!columns.has("ExternalID")) {
    throw new Error(
      `No column of ${path} is the ExternalID, which names a card. ${here} Say by --columns which column is which field.`,
    );
  }
}

function problemText(path: string, here: string, { kind, columns }: ColumnsProblem): string {
  const names = columns.map((name) => JSON.stringify(name)).join(", ");
  return kind === "missing"
    ? `${path} has no column ${names}. ${here}`
    : `${path} has two columns ${names}. Give one of them another name.`;
}
