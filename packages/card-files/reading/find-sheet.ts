import type { Sheet } from "../base/workbook.ts";
import { asideReason, findHeading, type Heading } from "./find-heading.ts";
import { isMemberHeading } from "./headings.ts";
import { findHoleColumns, kindOfWords } from "./hole-columns.ts";
import {
  type Answers,
  type AsideRow,
  type Facts,
  type GridFile,
  type Question,
  rowsOfSheet,
  type WorkingRow,
  type WorkingTable,
} from "./reading.ts";

/** A sheet with a heading and the rows below it. */
export interface FoundTable {
  readonly sheet: string;
  readonly heading: Heading;
  readonly table: WorkingTable;
  readonly aside: readonly AsideRow[];
  /** Whether it has a column for each hole, or says the hole of each row. */
  readonly hasHoles: boolean;
}

/** What rounds are read with. */
export interface RoundContext {
  readonly file: GridFile;
  readonly chosen: FoundTable;
  readonly answers: Answers;
  readonly facts: Facts;
  readonly loose: readonly string[];
}

/** A row with as many cells as there are columns; what it has too few or too many is noted. */
function toRow(number: number, cells: readonly string[], columns: number): WorkingRow {
  const missing = columns - cells.length;
  const surplus = cells.slice(columns);
  return {
    number,
    cells: missing > 0 ? [...cells, ...Array.from({ length: missing }, () => "")] : cells.slice(0, columns),
    ...(missing > 0 && { written: cells.length }),
    ...(surplus.some((cell) => cell !== "") && { surplus }),
  };
}

type Grid = readonly (readonly string[])[];

/** A table that is longer has a player a row. */
const maxTurnedRows = 60;
const minTitleCells = 3;
const minScoreAhead = 4;

/** A table with a column a player, turned so that it has a row a player; titles stay above it. */
function turnTable(rows: Grid): Grid {
  if (rows.length > maxTurnedRows) return [];
  const from = rows.findIndex((row) => row.filter((cell) => cell !== "").length >= minTitleCells);
  const body = rows.slice(Math.max(0, from));
  const width = Math.max(0, ...body.map(({ length }) => length));
  const turned = Array.from({ length: width }, (_, place) => body.map((row) => row[place] ?? ""));
  return [...rows.slice(0, Math.max(0, from)), ...turned];
}

function findTable(
  { name, rows: given, hidden = [] }: Sheet,
  offset: number,
  memberColumn: string | undefined,
): FoundTable | undefined {
  const turned = turnTable(given);
  const [asWritten, asTurned] = [findHeading(given), findHeading(turned)];
  const isTurned =
    (asTurned?.score ?? 0) > (asWritten?.score ?? 0) + minScoreAhead &&
    findHoleColumns(asTurned?.names ?? []).length > 0;
  const [heading, rows] = isTurned ? [asTurned, turned] : [asWritten, given];
  if (heading === undefined) return undefined;
  const { first, last, names } = heading;
  const aside: AsideRow[] = [];
  const kept: WorkingTable["rows"][number][] = [];
  const unseen = new Set(isTurned ? [] : hidden);
  for (const [place, cells] of rows.entries()) {
    if ((place >= first && place <= last) || cells.every((cell) => cell === "")) continue;
    const number = place + 1 + offset;
    const isTitle = place < first;
    const reason = isTitle
      ? "title"
      : (asideReason(cells, names, memberColumn) ?? (unseen.has(place) ? "hidden" : undefined));
    if (reason !== undefined) aside.push({ number, reason, cells });
    else kept.push(toRow(number, cells, names.length));
  }
  // Twelve numbers in a row are holes beside a member's number, and places otherwise.
  const isPlayers = names.some(isMemberHeading);
  const sets = findHoleColumns(names).filter(({ columns }) => isPlayers || columns.length % 9 === 0);
  const hasHoles = sets.length > 0 || names.some((one) => /^(hole|hul|hull|hål|loch)\b/i.test(one));
  return { sheet: name, heading, table: { names, rows: kept }, aside, hasHoles };
}

/** The sheets of a file that may have its cards, the likeliest first; more than one if it cannot be told which. */
export function findTables({ sheets }: GridFile, answers: Answers): readonly FoundTable[] {
  const found = sheets.flatMap(({ name, rows, hidden = [] }, place) => {
    const unseen = answers.hidden === "read" ? [] : hidden;
    return (
      findTable({ name, rows, hidden: unseen }, place * rowsOfSheet, answers["column:Player/UnionID"]) ?? []
    );
  });
  const withHoles = found.filter(({ hasHoles, table }) => hasHoles && table.rows.length > 0);
  if (withHoles.length === 0)
    return found.toSorted((one, other) => other.heading.score - one.heading.score).slice(0, 1);
  // A sheet may say that it has points, or net strokes.
  const withStrokes = withHoles.filter(({ sheet }) => kindOfWords(sheet) === undefined);
  return withStrokes.length > 0 ? withStrokes : withHoles;
}

/** Several sheets of one form, one below the other; undefined if their headings differ. */
export function joinSheets(found: readonly FoundTable[]): FoundTable | undefined {
  const [first] = found;
  if (
    first === undefined ||
    found.some(({ heading }) => heading.names.join("\n") !== first.heading.names.join("\n"))
  )
    return undefined;
  return {
    ...first,
    table: { names: first.table.names, rows: found.flatMap(({ table }) => table.rows) },
    aside: found.flatMap(({ aside }) => aside),
  };
}

/** The sheet that a person has said, or the only one that may have the cards; or else what is asked. */
export function chooseSheet(
  found: readonly FoundTable[],
  { sheet: answer }: Answers,
): { readonly table?: FoundTable; readonly question?: Question } {
  const [first] = found;
  if (found.length <= 1) return first === undefined ? {} : { table: first };
  const joined = joinSheets(found);
  if (answer === "all" && joined !== undefined) return { table: joined };
  const named = found.find(({ sheet }) => sheet === answer);
  if (named !== undefined) return { table: named };
  const choices = found.map(({ sheet, table }) => ({
    value: sheet,
    label: `${sheet} (${table.rows.length})`,
  }));
  return {
    question: {
      id: "sheet",
      about: "",
      choices: joined === undefined ? choices : [{ value: "all" }, ...choices],
    },
  };
}
