import type { FieldSource } from "../table-columns.ts";
import { type Assignment, placeOf } from "./assign-columns.ts";
import { indexOf, type ReadTees } from "./read-tees.ts";
import { addedColumns, type Note, type Question, type WorkingRow, type WorkingTable } from "./reading.ts";
import type { RoundContext } from "./round-context.ts";
import { courseHandicapBy, type TeeChoice } from "./tees.ts";

interface FilledHandicaps {
  readonly table: WorkingTable;
  readonly columns: ReadonlyMap<string, FieldSource>;
  readonly questions: readonly Question[];
  readonly notes: readonly Note[];
  readonly wanted: readonly string[];
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
  if (!has("HCP") && !addIndex) questions.push({ id: "index", about: "", choices: [{ value: "register" }] });
  const wanted = new Set<string>();
  const indexOfRow = ({ cells }: WorkingRow): string => {
    if (!addIndex) return cells[ofIndex] ?? "";
    const player = cells[ofPlayer] ?? "";
    const member = facts.members?.get(player);
    if (member === undefined && /^\d+-\w+$/.test(player)) wanted.add(player);
    return member?.index === undefined ? "" : tenths(member.index);
  };
  const handicapOf = (tee: TeeChoice | undefined, index: string): string => {
    const value = indexOf(index);
    if (tee === undefined || value === undefined) return "";
    const handicap = courseHandicapBy(value, tee);
    return String(handicap);
  };
  const rows = given.rows.map((row) => {
    const tee = teeOf(row);
    const index = indexOfRow(row);
    return {
      ...row,
      cells: [
        ...row.cells,
        ...(addTee ? [tee?.id ?? ""] : []),
        ...(addIndex ? [index] : []),
        ...(addHandicap ? [handicapOf(tee, index)] : []),
      ],
    };
  });
  const names = [
    ...given.names,
    ...(addTee ? [addedColumns.tee] : []),
    ...(addIndex ? [addedColumns.index] : []),
    ...(addHandicap ? [addedColumns.handicap] : []),
  ];
  if (addTee) columns.set("Course/TeeID", addedColumns.tee);
  if (addIndex) columns.set("HCP", addedColumns.index);
  if (addHandicap) columns.set("CourseHandicap", addedColumns.handicap);
  const notes: Note[] = addHandicap ? [{ kind: "computed", text: "CourseHandicap" }] : [];
  return { table: { names, rows }, columns, questions, notes, wanted: [...wanted] };
}
