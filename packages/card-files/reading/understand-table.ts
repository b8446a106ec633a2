import { textsOf } from "./assign-columns.ts";
import { buildColumns, markerQuestion, memberQuestion, tournamentNote } from "./build-columns.ts";
import { fillHandicaps } from "./fill-handicaps.ts";
import { chooseSheet, findTables } from "./find-sheet.ts";
import type { HoleColumns } from "./hole-columns.ts";
import { readDates } from "./read-dates.ts";
import { isUnset } from "./read-holes.ts";
import { readHoles } from "./read-strokes.ts";
import { type ReadTees, readTees } from "./read-tees.ts";
import {
  type Answers,
  addedColumns,
  type Facts,
  type FilledRow,
  type GridFile,
  type Note,
  type Reading,
  type WorkingRow,
  type WorkingTable,
} from "./reading.ts";
import type { RoundContext } from "./round-context.ts";
import { type Shaped, shapeRows } from "./shape-rows.ts";

const nothingFound: Reading = {
  header: [],
  rows: [],
  numbers: [],
  columns: new Map(),
  questions: [],
  notes: [],
  teeColumn: undefined,
  marks: "",
  aside: [],
  heading: undefined,
  filled: new Map(),
  fill: () => ({ cells: {}, wanted: [] }),
  wants: { members: [] },
};

/**
 * Understands a table from its own cells, what the union has, and answers: which sheet and heading, which column is what, in which form
 * dates and holes are. What none of these decide is asked, and no cell is guessed.
 */
export function understandTable(file: GridFile, answers: Answers, facts: Facts): Reading {
  const found = findTables(file);
  const { table: chosen, question } = chooseSheet(found, answers);
  if (chosen === undefined)
    return question === undefined ? nothingFound : { ...nothingFound, questions: [question] };
  const { heading, sheet, aside } = chosen;
  const notes: Note[] = [];
  if (file.encoding !== undefined && file.encoding !== "utf-8")
    notes.push({ kind: "encoding", text: file.encoding });
  if (file.sheets.length > 1) notes.push({ kind: "sheet", text: answers.sheet === "all" ? "all" : sheet });
  const shaped = shapeRows(chosen.table, answers);
  const loose = [
    file.name.replace(/\.\w+$/, ""),
    sheet,
    ...aside
      .filter(({ reason }) => reason === "title")
      .flatMap(({ cells }) => cells.filter((cell) => cell !== "")),
  ];
  const read = readRounds(shaped, { file, chosen, answers, facts, loose });
  const questions = [...shaped.questions, ...read.questions];
  const written = writeRows(read.table);
  const places = read.table.names.map((name) => written.header.indexOf(name));
  return {
    ...written,
    filled: read.filled,
    fill: (cells) => read.fill({ number: 0, cells: places.map((place) => cells[place] ?? "") }),
    numbers: read.table.rows.map(({ number }) => number),
    columns: read.columns,
    questions,
    notes: [...notes, ...shaped.notes, ...read.notes],
    teeColumn: shaped.byKind.get("Course/TeeName"),
    marks: read.marks,
    aside: [...aside, ...read.aside],
    heading: { sheet, first: heading.first + 1, last: heading.last + 1 },
    wants: read.wants,
  };
}

interface ReadRounds
  extends Pick<Reading, "columns" | "questions" | "notes" | "marks" | "aside" | "filled" | "wants"> {
  readonly table: WorkingTable;
  readonly fill: (row: WorkingRow) => FilledRow;
}

/**
 * The rows with as many cells as the file has of each. Columns that were added come first if rows are short, so that what the row lacks is
 * at its end.
 */
function writeRows({ names, rows }: WorkingTable): Pick<Reading, "header" | "rows"> {
  const isShort = rows.some(({ written }) => written !== undefined);
  const isAdded = (name: string) => isShort && name.endsWith(" •");
  const places = names.map((_, place) => place);
  const first = places.filter((place) => isAdded(names[place] ?? ""));
  const order = [...first, ...places.filter((place) => !first.includes(place))];
  return {
    header: order.map((place) => names[place] ?? ""),
    rows: rows.map(({ cells, written, surplus = [] }) => {
      const ordered = isShort ? order.map((place) => cells[place] ?? "") : cells;
      return written === undefined ? [...ordered, ...surplus] : ordered.slice(0, first.length + written);
    }),
  };
}

/** Reads the rounds of a table of one row each: days, tees, holes and handicaps. */
function readRounds({ table: given, byKind, known, holes }: Shaped, context: RoundContext): ReadRounds {
  const { answers, facts, loose, chosen } = context;
  const isOfKnown = (field: string) => known.has(field);
  const { rounds, aside } = withoutAbsent(given, holes);
  const dates = isOfKnown("Round/StartTime")
    ? { table: rounds, source: known.get("Round/StartTime"), day: undefined, questions: [], notes: [] }
    : readDates(rounds, byKind, { answers, facts, loose, startColumn: addedColumns.start });
  const hasTee = isOfKnown("Course/TeeID") || byKind.has("Course/TeeID");
  const courseNames = [...new Set(textsOf(rounds, byKind.get("Course/Name") ?? ""))];
  const tees: ReadTees = hasTee
    ? { teeOf: () => undefined, course: undefined, questions: [], notes: [], wants: { members: [] } }
    : readTees(dates.table, byKind, {
        answers,
        facts,
        loose: [...loose, ...courseNames],
        courseNames,
        day: dates.day,
      });
  const read =
    holes === undefined || isOfKnown("Result/Strokes")
      ? undefined
      : readHoles(dates.table, byKind, holes, tees, chosen, context);
  const withHoles = read?.table ?? dates.table;
  const filled = fillHandicaps(withHoles, byKind, known, tees, context);
  const { table } = filled;
  const columns = buildColumns({
    byKind,
    known,
    start: dates.source,
    read,
    filled: filled.columns,
    tees,
    context,
  });
  const questions = [
    ...dates.questions,
    ...tees.questions,
    ...(read?.questions ?? []),
    ...filled.questions,
    ...markerQuestion(columns, answers),
    ...memberQuestion(columns, given.names),
  ];
  const members = [...new Set([...tees.wants.members, ...filled.wanted])];
  return {
    table,
    columns,
    questions: holes === undefined && !isOfKnown("Result/Strokes") ? [] : questions,
    notes: [
      ...dates.notes,
      ...tees.notes,
      ...(read?.notes ?? []),
      ...filled.notes,
      ...tournamentNote(columns, context),
    ],
    marks: read?.marks ?? "",
    aside,
    filled: filled.sources,
    fill: filled.fill,
    wants: { ...tees.wants, members },
  };
}

/** Without the rows of players who have no holes: they did not play. */
function withoutAbsent(
  table: WorkingTable,
  holes: HoleColumns | undefined,
): { readonly rounds: WorkingTable; readonly aside: Reading["aside"] } {
  if (holes === undefined) return { rounds: table, aside: [] };
  const places = holes.columns.map((column) => table.names.indexOf(column));
  const isAbsent = ({ cells }: WorkingRow) => places.every((place) => isUnset(cells[place] ?? ""));
  return {
    rounds: { ...table, rows: table.rows.filter((row) => !isAbsent(row)) },
    aside: table.rows
      .filter(isAbsent)
      .map(({ number, cells }) => ({ number, cells, reason: "noRound" as const })),
  };
}
