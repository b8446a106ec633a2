import type { FieldSource } from "../base/table-columns.ts";
import { type Assignment, findIndexColumns, placeOf } from "./assign-columns.ts";
import type { RoundContext } from "./find-sheet.ts";
import { indexOf, type ReadTees } from "./read-tees.ts";
import {
  type Answers,
  addedColumns,
  type FilledColumns,
  type FilledRow,
  type Note,
  type Question,
  type WorkingRow,
  type WorkingTable,
} from "./reading.ts";
import { courseHandicapBy, teesOf } from "./tees.ts";

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

/** What is added, in the order of the columns, and the field that each is. */
const addedFields = { tee: "Course/TeeID", index: "HCP", handicap: "CourseHandicap" } as const;
type Added = keyof typeof addedFields;

/** Adds what a table lacks: the tee of each row, indexes that are the union's or that a person writes, Course Handicaps by the tee. */
export function fillHandicaps(
  given: WorkingTable,
  byKind: Assignment,
  tees: ReadTees,
  context: RoundContext,
): FilledHandicaps {
  const { answers } = context;
  const hasCourse = tees.course !== undefined;
  const isAdded: Readonly<Record<Added, boolean>> = {
    tee: hasCourse,
    index: !byKind.has("HCP") && answers.index !== undefined,
    handicap: !byKind.has("CourseHandicap") && hasCourse,
  };
  const added = (Object.keys(addedFields) as Added[]).filter((one) => isAdded[one]);
  const [ofPlayer = "", ofTee = "", ofIndex = ""] = ["Player/UnionID", "Course/TeeName", "HCP"].map((kind) =>
    byKind.get(kind),
  );
  const sources: Readonly<Record<Added, readonly string[]>> = {
    tee: [ofTee, ofPlayer],
    index: [ofPlayer],
    handicap: [isAdded.index ? addedColumns.index : ofIndex, addedColumns.tee],
  };
  const fill = createFill(given, byKind, added, tees, context);
  const filled = given.rows.map(fill);
  const names = [...given.names, ...added.map((one) => addedColumns[one])];
  const rows = given.rows.map((row, place) => ({
    ...row,
    cells: [...row.cells, ...Object.values(filled[place]?.cells ?? {})],
  }));
  return {
    table: { names, rows },
    columns: new Map(added.map((one) => [addedFields[one], addedColumns[one]])),
    questions: isAdded.index ? [] : askForIndex(given, byKind, answers),
    notes: isAdded.handicap ? [{ kind: "computed", text: "CourseHandicap" }] : [],
    wanted: isAdded.index ? filled.flatMap((row) => row.wanted) : [],
    sources: new Map(added.map((one) => [addedColumns[one], sources[one].filter((source) => source !== "")])),
    fill,
  };
}

/** Asks where Handicap Indexes are, if no column is known to have them. */
function askForIndex(table: WorkingTable, byKind: Assignment, answers: Answers): Question[] {
  if (byKind.has("HCP")) return [];
  const found = answers["column:HCP"] === undefined ? findIndexColumns(table, new Set(byKind.values())) : [];
  return found.length > 0
    ? [{ id: "columns", about: "HCP", choices: [...found, ""].map((value) => ({ value })) }]
    : [{ id: "index", about: "", choices: [{ value: "register" }, { value: "written" }] }];
}

/** Makes the function that works out what is added to a row. */
function createFill(
  { names }: WorkingTable,
  byKind: Assignment,
  added: readonly Added[],
  { teeOf, course }: ReadTees,
  { answers, facts: { members } }: RoundContext,
): FilledHandicaps["fill"] {
  const [ofPlayer, ofIndex] = ["Player/UnionID", "HCP"].map((kind) => placeOf({ names }, byKind, kind));
  const isOfRegister = added.includes("index") && answers.index === "register";
  const placeOfIndex = added.includes("index") ? names.length + added.indexOf("index") : (ofIndex ?? -1);
  const tees = course === undefined ? [] : teesOf(course);
  return ({ number, cells }) => {
    const byName = teeOf({ number, cells });
    // A tee that was written by its ID, where the name is none of the course.
    const tee = byName ?? tees.find(({ id }) => id === cells[names.length]);
    const player = cells[ofPlayer ?? -1] ?? "";
    const ofRegister = isOfRegister ? members?.get(player)?.index : undefined;
    const index = cells[placeOfIndex] || (ofRegister === undefined ? "" : tenths(ofRegister));
    const value = indexOf(index);
    const all: Readonly<Record<Added, string>> = {
      tee: byName?.id ?? "",
      index,
      handicap: tee === undefined || value === undefined ? "" : String(courseHandicapBy(value, tee)),
    };
    const isAsked =
      (isOfRegister || (added.includes("tee") && byName === undefined)) && /^\d+-\w+$/.test(player);
    return {
      cells: Object.fromEntries(added.map((one) => [addedColumns[one], all[one]])),
      wanted: isAsked && members?.has(player) !== true ? [player] : [],
    };
  };
}
