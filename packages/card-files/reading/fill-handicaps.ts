import type { FieldSource } from "../base/table-columns.ts";
import { type Assignment, findIndexColumns, placeOf } from "./assign-columns.ts";
import { indexOf, type ReadTees } from "./read-tees.ts";
import {
  addedColumns,
  type FilledColumns,
  type FilledRow,
  type Note,
  type Question,
  type WorkingRow,
  type WorkingTable,
} from "./reading.ts";
import type { RoundContext } from "./round-context.ts";
import { courseHandicapBy, type TeeChoice, teesOf } from "./tees.ts";

interface FilledHandicaps {
  readonly table: WorkingTable;
  readonly columns: ReadonlyMap<string, FieldSource>;
  readonly questions: readonly Question[];
  readonly notes: readonly Note[];
  /** Players whose index, or gender, has to be known. */
  readonly wanted: readonly string[];
  readonly sources: FilledColumns;
  /** What is added to a row, whose cells may have been mended. */
  readonly fill: (row: WorkingRow) => FilledRow;
}

const tenths = (index: string) => {
  const number = Number(index) / 10_000;
  return number < 0 ? `+${-number}` : String(number);
};

/** Adds what a table leaves to the register: the tee of each row, indexes that a person wants from the union, Course Handicaps by the tee. */
export function fillHandicaps(
  given: WorkingTable,
  byKind: Assignment,
  known: ReadonlyMap<string, FieldSource>,
  { teeOf, course }: ReadTees,
  { answers, facts }: RoundContext,
): FilledHandicaps {
  const columns = new Map<string, FieldSource>();
  const questions: Question[] = [];
  const has = (field: string) => byKind.has(field) || known.has(field);
  const place = (kind: string) => placeOf(given, byKind, kind);
  const [ofPlayer, ofIndex] = [place("Player/UnionID"), place("HCP")];
  const addTee = course !== undefined;
  const addIndex = !has("HCP") && answers.index === "register";
  const addHandicap = !has("CourseHandicap") && course !== undefined;
  const indexColumns =
    answers["column:HCP"] === undefined ? findIndexColumns(given, new Set(byKind.values())) : [];
  if (!has("HCP") && !addIndex && indexColumns.length > 0) {
    const choices = [...indexColumns, ""].map((value) => ({ value }));
    questions.push({ id: "columns", about: "HCP", choices });
  } else if (!has("HCP") && !addIndex)
    questions.push({ id: "index", about: "", choices: [{ value: "register" }] });
  const indexOfRow = ({ cells }: WorkingRow): string => {
    if (!addIndex) return cells[ofIndex] ?? "";
    const member = facts.members?.get(cells[ofPlayer] ?? "");
    return member?.index === undefined ? "" : tenths(member.index);
  };
  const handicapOf = (tee: TeeChoice | undefined, index: string): string => {
    const value = indexOf(index);
    if (tee === undefined || value === undefined) return "";
    const handicap = courseHandicapBy(value, tee);
    return String(handicap);
  };
  const added = [
    ...(addTee ? [addedColumns.tee] : []),
    ...(addIndex ? [addedColumns.index] : []),
    ...(addHandicap ? [addedColumns.handicap] : []),
  ];
  const names = [...given.names, ...added];
  const [ofMember = "", ofTee = "", ofHcp = ""] = ["Player/UnionID", "Course/TeeName", "HCP"].map((kind) =>
    byKind.get(kind),
  );
  const allSources = {
    [addedColumns.tee]: [ofTee, ofMember],
    [addedColumns.index]: [ofMember],
    [addedColumns.handicap]: [addIndex ? addedColumns.index : ofHcp, addedColumns.tee],
  };
  const sources = new Map(
    added.map((name) => [name, (allSources[name] ?? []).filter((source) => source !== "")]),
  );
  const tees = course === undefined ? [] : teesOf(course);
  const fill = (row: WorkingRow): FilledRow => {
    const byName = teeOf(row);
    // A tee that was written by its ID, where the name is none of the course.
    const written = row.cells[names.indexOf(addedColumns.tee)];
    const tee = byName ?? tees.find(({ id }) => id === written);
    const index = indexOfRow(row);
    const all: Record<string, string> = {
      [addedColumns.tee]: byName?.id ?? "",
      [addedColumns.index]: index,
      [addedColumns.handicap]: handicapOf(tee, index),
    };
    const player = row.cells[ofPlayer] ?? "";
    const isAsked = (addIndex || (addTee && byName === undefined)) && /^\d+-\w+$/.test(player);
    return {
      cells: Object.fromEntries(added.map((name) => [name, all[name] ?? ""])),
      wanted: isAsked && facts.members?.has(player) !== true ? [player] : [],
    };
  };
  const filled = given.rows.map(fill);
  const rows = given.rows.map((row, place) => ({
    ...row,
    cells: [...row.cells, ...Object.values(filled[place]?.cells ?? {})],
  }));
  if (addTee) columns.set("Course/TeeID", addedColumns.tee);
  if (addIndex) columns.set("HCP", addedColumns.index);
  if (addHandicap) columns.set("CourseHandicap", addedColumns.handicap);
  const notes: Note[] = addHandicap ? [{ kind: "computed", text: "CourseHandicap" }] : [];
  const wanted = addIndex ? filled.flatMap((row) => row.wanted) : [];
  return { table: { names, rows }, columns, questions, notes, wanted, sources, fill };
}
