import type { FieldSource } from "../base/table-columns.ts";
import { type Assignment, assignColumns, placeOf } from "./assign-columns.ts";
import { isCourseWord, isOtherCount } from "./headings.ts";
import { findHoleColumns, type HoleColumns, kindOfWords, kindsOfHoles } from "./hole-columns.ts";
import { joinClubNumbers, keepStrokes, splitHoles, splitNumbers, writeMemberNumbers } from "./plain-cells.ts";
import { type Answers, addedColumns, type Note, type Question, type WorkingTable } from "./reading.ts";
import { joinHoleRows, joinNineRows, joinPlayerRows, splitRounds } from "./reshape-rows.ts";

/** A table of one row a round. */
export interface Shaped {
  readonly table: WorkingTable;
  readonly byKind: Assignment;
  readonly known: ReadonlyMap<string, FieldSource>;
  readonly holes: HoleColumns | undefined;
  readonly questions: readonly Question[];
  readonly notes: readonly Note[];
}

/** Sets of columns that are the holes of several rounds: their words differ by a number only. */
function roundSets(sets: readonly HoleColumns[]): readonly HoleColumns[] {
  const forms = Map.groupBy(sets, ({ around }) => around.replaceAll(/\d+/g, "").trim());
  const rounds = [...forms.values()].find(
    (same) => same.length > 1 && new Set(same.map(({ around }) => around)).size === same.length,
  );
  return rounds ?? [];
}

/** Makes one row a round of a table, whatever its rows are. */
export function shapeRows(given: WorkingTable, answers: Answers): Shaped {
  const plain = writeMemberNumbers(splitHoles(given));
  let table = plain;
  let sets = findHoleColumns(table.names);
  let { byKind, known } = assignColumns(table, new Set(sets.flatMap(({ columns }) => columns)), answers);
  const joined = sets.length === 0 ? joinHoleRows(table, byKind) : undefined;
  const rounds = roundSets(sets);
  table = joined ?? joinNineRows(table, byKind, sets) ?? table;
  if (rounds.length > 0) table = splitRounds(table, rounds, addedColumns.round);
  if (table !== plain) {
    sets = findHoleColumns(table.names);
    ({ byKind, known } = assignColumns(table, new Set(sets.flatMap(({ columns }) => columns)), answers));
    if (rounds.length > 0) byKind = new Map([...byKind, ["Round/TournamentRoundNumber", addedColumns.round]]);
  }
  [table, byKind] = splitNumbers(table, byKind);
  table = joinClubNumbers(table, byKind);
  for (const set of sets) table = keepStrokes(table, set);
  const holes = chooseSet(table, sets, byKind);
  if (holes === undefined) return { table, byKind, known, holes, questions: [], notes: [] };
  const rows = joinPlayerRows(table, byKind, holes, answers.rows);
  if (rows.kind === "question") {
    const question: Question = { id: "rows", about: "", choices: rows.choices.map((value) => ({ value })) };
    return { table, byKind, known, holes, questions: [question], notes: [] };
  }
  const notes: Note[] = rows.kind === "joined" ? [{ kind: "rows", text: rows.counted }] : [];
  return { table: rows.kind === "joined" ? rows.table : table, byKind, known, holes, questions: [], notes };
}

/** A sum of holes; undefined if the text is none. */
export const parseSum = (text: string | undefined) =>
  text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : undefined;
const parseHandicap = (text: string | undefined) =>
  text !== undefined && /^[+-]?\d{1,2}([.,]\d)?$/.test(text) ? Number(text.replace(",", ".")) : undefined;

/** What rows say about the holes of some columns. */
export function evidence(table: WorkingTable, set: HoleColumns, byKind: Assignment) {
  const places = set.columns.map((column) => table.names.indexOf(column));
  const at = (kind: string) => placeOf(table, byKind, kind);
  const [ofTotal, ofNet, ofPoints, ofIndex, ofHandicap] = [
    "total",
    "net",
    "points",
    "HCP",
    "CourseHandicap",
  ].map(at);
  return table.rows.slice(0, 500).map(({ cells }) => {
    const [total, net, points] = [ofTotal, ofNet, ofPoints].map((place) => parseSum(cells[place ?? -1]));
    return {
      holes: places.map((place) => cells[place] ?? ""),
      sums: {
        ...(total !== undefined && { total }),
        ...(net !== undefined && { net }),
        ...(points !== undefined && { points }),
      },
      handicap: parseHandicap(cells[ofHandicap ?? -1]) ?? parseHandicap(cells[ofIndex ?? -1]),
    };
  });
}

/** The set of columns with strokes, of several. */
function chooseSet(
  table: WorkingTable,
  sets: readonly HoleColumns[],
  byKind: Assignment,
): HoleColumns | undefined {
  const full = sets.filter((set) => !isOtherSet(set));
  if (full.length <= 1) return full[0];
  const byWords = full.filter(({ around }) => kindOfWords(around) === undefined);
  return (
    byWords.find(
      (set) => kindsOfHoles({ rows: evidence(table, set, byKind), pars: undefined })[0] === "strokes",
    ) ??
    full.find(
      (set) => kindsOfHoles({ rows: evidence(table, set, byKind), pars: undefined })[0] === "strokes",
    ) ??
    full[0]
  );
}

/** Whether numbers of holes are the course's, or of what is counted beside strokes. */
const isOtherSet = ({ around }: HoleColumns) =>
  around.split(/[# ]/).some((word) => word !== "" && (isCourseWord(word) || isOtherCount(word)));
