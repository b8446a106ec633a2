import { extname } from "node:path";
import type { CardFile, FileCard } from "./card-file.ts";
import { openCsvRows } from "./csv-rows.ts";
import { openExcelRows } from "./excel-rows.ts";
import { cardOfRow, columnNames, columnOf, columnsOfHeader, type TableColumns } from "./table-columns.ts";
import type { TableRows } from "./table-rows.ts";
import { valueOfCell } from "./table-values.ts";
import { inTableWords, missingFields } from "./table-words.ts";

const openers: Readonly<Record<string, (path: string) => Promise<TableRows>>> = {
  ".csv": openCsvRows,
  ".tsv": openCsvRows,
  ".xlsx": openExcelRows,
};

/** Whether a file is a table by its name. */
export const isTable = (path: string) => extname(path).toLowerCase() in openers;

/**
 * Opens a table with one card a row, below a header: a CSV file or an Excel workbook. A card's number is that of its row, as a
 * spreadsheet shows it.
 *
 * @param columns which column is which field; by default the header names the fields
 * @throws Error if it cannot be read or has not these columns; also while its rows are read, if one is malformed
 */
export async function openTableFile(path: string, columns: TableColumns | undefined): Promise<CardFile> {
  const open = openers[extname(path).toLowerCase()] ?? openCsvRows;
  const table = await open(path);
  const used = columns ?? columnsOfHeader(table.header);
  refuseIfMissing(path, table.header, used);
  return {
    cards: cardsOfRows(table, used),
    size: table.size,
    bytesRead: table.bytesRead,
    table: {
      columnOf: (pointer) => columnOf(used, pointer),
      inItsWords: (findings) => inTableWords(findings, used),
      missingFields: missingFields(used),
    },
  };
}

function refuseIfMissing(path: string, header: readonly string[], columns: TableColumns): void {
  const missing = columnNames(columns).filter((name) => !header.includes(name));
  const here = `Its header has ${header.map((name) => JSON.stringify(name)).join(", ")}.`;
  if (missing.length > 0) {
    throw new Error(
      `${path} has no column ${missing.map((name) => JSON.stringify(name)).join(", ")}. ${here}`,
    );
  }
  const repeated = columnNames(columns).find((name) => header.indexOf(name) !== header.lastIndexOf(name));
  if (repeated !== undefined) {
    throw new Error(`${path} has two columns ${JSON.stringify(repeated)}. Give one of them another name.`);
  }
  if (!columns.has("ExternalID")) {
    throw new Error(
      `No column of ${path} is the ExternalID, which names a card. ${here} Say by --columns which column is which field.`,
    );
  }
}

async function* cardsOfRows(
  { rows, header, strayCells }: TableRows,
  columns: TableColumns,
): AsyncGenerator<FileCard> {
  let number = 0;
  for await (const row of rows) {
    number += 1;
    if (number === 1 || row.every((cell) => cell === "")) continue;
    const value = cardOfRow(columns, (column) => row[header.indexOf(column)] ?? "", valueOfCell);
    const cells = row.findLastIndex((cell) => cell !== "") + 1;
    // Spreadsheets write empty cells at the end of a row, or leave them out, but not some of them.
    const isRagged = cells > header.length || row.length < header.length;
    const detail =
      cells > header.length
        ? `The row has ${cells} cells, but the header has ${header.length}. ${strayCells}`
        : `The row has ${row.length} cells, but the header has ${header.length}. Write a cell for each column, empty ones too.`;
    yield {
      number,
      value,
      json: JSON.stringify(value),
      ...(isRagged && { fault: { code: "cells_count", detail } as const }),
    };
  }
}
