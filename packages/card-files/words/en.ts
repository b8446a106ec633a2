import { maxExternalIdLength } from "../base/external-id.ts";
import { questions } from "./questions-en.ts";

/** What is told about a table's cards, in English. Another language is another file with the same keys. */
export const en = {
  questions,
  /** What a field of a card, or each hole of a list, is written as in a table; follows "Write". */
  examples: {
    ExternalID: `a name of 1 to ${maxExternalIdLength} characters that no other card has`,
    HCP: "the handicap index, such as 15.8, or +1.2 for a plus handicap",
    CourseHandicap: "the course handicap, a whole number such as 18",
    PHCP: "the playing handicap, a whole number such as 18, or leave the cell empty",
    "Course/TeeID": "the ID of the tee that was played, such as BFE01603-9F66-5724-83DD-7E850840E082",
    "Round/RoundType": "1 for general play or 2 for a tournament",
    "Result/Strokes": "the number of strokes, x if the ball was picked up, or - if the hole was not played",
    "Player/LifeTimeID": "a number of the form xxxxxx-xxx, for instance 010190-001, or of 12 digits",
    "Player/UnionID": "the club's number and the member's number with a hyphen between, for instance 1016-1",
  } as Readonly<Record<string, string>>,
  examplesOfKind: {
    time: "a day and a time that exist, such as 24.11.2026 08:10",
    boolean: "yes or no",
    number: "a whole number from 0",
    text: "a text",
  } as Readonly<Record<string, string>>,
  write: (what: string) => `Write ${what}.`,
  or: " or ",
  to: (first: string, last: string) => `${first} to ${last}`,
  cellsTooMany: (cells: number, header: number) =>
    `The row has ${cells} cells, but the header has ${header}. A cell that contains the separator needs quotation marks around it.`,
  cellsTooFew: (cells: number, header: number) =>
    `The row has ${cells} cells, but the header has ${header}. Write a cell for each column, empty ones too.`,
  /** @param number that was there before */
  excelDate: (cell: string, number: string) =>
    `A spreadsheet has turned the number into a date: ${cell} was probably ${number}. Write the number. To prevent it, give the column the format Text before the numbers are pasted or the CSV is opened.`,
  sameName: (first: number) =>
    `Number ${first} of this file has the same ExternalID. Give each card its own.`,
  sameCard: (first: number) =>
    `Row ${first} is a card of the same player and round. Delete one of them, or write the round of each.`,
  noMarker: (columns: string) =>
    `The marker is missing. Write a member number or a name in ${columns || "the columns of the marker"}.`,
  teeNotFound:
    "No tee of the course follows from this cell and the player's number. Mend the one of them that is wrong.",
  unknownTee:
    "The union has no tee with this ID. Write the ID of the tee that was played, as the union's register has it.",
  /** Who marks cards unless somebody says so. */
  committee: "Tournament committee",
  lacking: (fields: readonly string[]) =>
    `The table has no heading for ${fields.join(", ")}. Write one above the cards, such as Player, Member No, Handicap Index, Tee, Date, 1 to 18; or say which column it is.`,
  sumDiffers: (written: string, expected: string) =>
    `The cell has ${written}, but the holes come to ${expected}. Correct the hole or the cell that is wrong.`,
  /** Why a table is not sent. */
  stops: {
    sum: (column: string, count: string, of: string) =>
      `The column “${column}” is the sum of the holes in ${count} of ${of} rows only: most likely the columns of the holes have moved, or they are not strokes. Nothing is sent.`,
    handicap: (column: string, count: string, of: string) =>
      `The Course Handicap in “${column}” follows from Handicap Index and tee in ${count} of ${of} rows only: one of the three is read from the wrong column, or the tee is another one. Nothing is sent.`,
    par: (column: string, count: string, of: string) =>
      `The file's pars are those of no tee of the course: ${count} of ${of} agree, and “${column}” does not. Most likely another course was played. Nothing is sent.`,
    index: (column: string, count: string, of: string) =>
      `The file's stroke indexes are those of no tee of the course: ${count} of ${of} agree, and “${column}” does not. Most likely another course was played. Nothing is sent.`,
    heading: (row: string) =>
      `Row ${row} is another heading. Give each table a sheet, or a file, of its own. Nothing is sent.`,
    unread: (row: string, count: string) =>
      `Row ${row} has a member number and scores, and is not read as a card (${count} such rows). Nothing is sent.`,
    secondSet: (columns: string) =>
      `The columns ${columns} have strokes, too. Delete the columns that are not to be sent. Nothing is sent.`,
    encoding: (column: string) =>
      `The heading “${column}” has signs that are no letters: the file is read in a wrong encoding. Say which one, or save it as UTF-8. Nothing is sent.`,
    long: (column: string, count: string, of: string) =>
      `${count} of ${of} rows have more cells than the heading, from ${column} on: a decimal comma has most likely split a cell. Export with another separator, or as .xlsx. Nothing is sent.`,
    moved: (_: string, __: string, of: string) =>
      `The strokes of ${of} cards fit the pars of the holes beside theirs: most likely the columns of the holes have moved by one. Nothing is sent.`,
    players: (columns: string) =>
      columns === ""
        ? "A side's score is nobody's round. Nothing is sent."
        : `Rows have two member numbers, in ${columns}: a side's score is nobody's round. If one of them is the marker's, say so. Nothing is sent.`,
  } satisfies Readonly<Record<string, (column: string, count: string, of: string) => string>>,
};

/** What is told about a table's cards, in any language. */
export type TableTexts = typeof en;
