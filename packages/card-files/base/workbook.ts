import readWorkbook from "read-excel-file/universal";
import { textOfCell, unreadableWorkbook } from "./excel-cells.ts";
import { checkCellLength, checkTableSize, FileBudgetError } from "./file-budget.ts";
import { unzipWorkbook, zipParts } from "./unzip-workbook.ts";

/** A sheet of a file; a CSV file has one without a name. */
export interface Sheet {
  readonly name: string;
  /** Texts of the cells, row by row, from the first one of the file on. */
  readonly rows: readonly (readonly string[])[];
}

const columnNumber = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** A cell whose row or column cannot be told is as far out as a cell can be. */
const farthest = ["", "XFD", "1048576"];

/** Twice what Excel allows: styles of cells, and those that they are based on. */
const maxStyles = 2 * 65_490;

const reference = /\sr\s*=\s*["']([^"']*)["']/g;

/** Characters that stand for one in XML, at most: `&quot;`. */
const escapedLength = 6;

/** @throws FileBudgetError if a text is no cell's, before a parser has it; Error if a part has more styles than a workbook */
function checkPart(xml: string, name: string): void {
  let before = 0;
  for (let at = xml.indexOf("<"); at !== -1; at = xml.indexOf("<", at + 1)) {
    checkCellLength((at - before) / escapedLength, name);
    before = at;
  }
  const styles = xml.match(/<(?:\w+:)?xf[\s/>]/g)?.length ?? 0;
  if (styles > maxStyles) throw new Error("A workbook has fewer styles.");
}

/** Sheets by their relations, and the relations' parts. */
const names = [
  /<(?:\w+:)?sheet\s[^>]*?:id\s*=\s*["']([^"']*)/g,
  /\bTarget\s*=\s*["'](?:[^"']*\/)?(worksheets\/[^"']*)/g,
];

/** @throws Error if a sheet has two names: it would be read twice, and a small file would be a large table */
function checkNames(xml: string): void {
  for (const name of names) {
    const found = [...xml.matchAll(name)].map(([, part]) => part);
    if (new Set(found).size < found.length) throw new Error("A sheet has two names.");
  }
}

/** @throws FileBudgetError if a sheet's cells or their references are too many or too far out */
function checkSheet(xml: string, name: string): void {
  let [rows, columns, last] = [xml.match(/<(?:\w+:)?row[\s/>]/g)?.length ?? 0, 1, ""];
  for (const [, text = ""] of xml.matchAll(reference)) {
    const [, letters = "", digits = ""] = /^([A-Z]{0,3})(\d{1,7})$/.exec(text) ?? farthest;
    const [row, column] = [Number(digits), columnNumber(letters)];
    if (row > rows || column > columns) last = text;
    rows = Math.max(rows, row);
    columns = Math.max(columns, column);
  }
  checkTableSize({ rows, columns, cells: rows * columns }, name, last);
  const cells = xml.match(/<(?:\w+:)?c[\s/>]/g)?.length ?? 0;
  checkTableSize({ rows, columns, cells }, name);
}

/**
 * Reads the sheets of an Excel workbook (.xlsx) that have cells, as texts such as a CSV file has.
 *
 * @param name of the file
 * @throws FileBudgetError, or Error that says what to do if it is no such workbook
 */
export async function readSheets(bytes: Uint8Array, name: string): Promise<Sheet[]> {
  try {
    const parts = unzipWorkbook(bytes, name);
    for (const [part, content] of parts) {
      const xml = new TextDecoder().decode(content);
      if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new Error("A workbook has no document types.");
      checkPart(xml, name);
      if (/^xl\/(_rels\/)?workbook\.xml/i.test(part)) checkNames(xml);
      if (xml.includes("sheetData")) checkSheet(xml, name);
    }
    const { buffer } = zipParts(parts);
    // The parser unpacks them again.
    parts.clear();
    const sheets = await readWorkbook(buffer);
    return sheets
      .map(({ sheet, data }) => ({ name: sheet, rows: data.map((row) => row.map(textOfCell)) }))
      .filter(({ rows }) => rows.some((row) => row.some((cell) => cell !== "")));
  } catch (cause) {
    if (cause instanceof FileBudgetError) throw cause;
    throw new Error(unreadableWorkbook(name), { cause });
  }
}
