import type { Assignment } from "./assign-columns.ts";
import type { FoundTable } from "./find-sheet.ts";
import { type HoleColumns, type HoleKind, holeNumber, kindOfWords, kindsOfHoles } from "./hole-columns.ts";
import {
  emptyAtEnd,
  notPlayed,
  receivedOn,
  unsetMarks,
  unsetQuestion,
  writeMarks,
  writeStrokes,
} from "./read-holes.ts";
import { indexOf, type ReadTees } from "./read-tees.ts";
import {
  type Answers,
  addedColumns,
  type Note,
  type Question,
  type WorkingRow,
  type WorkingTable,
} from "./reading.ts";
import type { RoundContext } from "./round-context.ts";
import { evidence, parseSum } from "./shape-rows.ts";
import { courseHandicapBy, type TeeChoice } from "./tees.ts";

/** The strokes of all rows. */
export interface ReadHoles {
  readonly table: WorkingTable;
  readonly columns: readonly string[];
  readonly questions: readonly Question[];
  readonly notes: readonly Note[];
  readonly marks: string;
  /** Whether rows have other numbers of holes than columns. */
  readonly hasHoleCount: boolean;
  readonly isTotalRight: boolean;
}

/** The pars that the headings, or a row of the file, say of these holes. */
export function parsOfFile({ aside, table }: FoundTable, holes: HoleColumns): number[] | undefined {
  const places = holes.columns.map((column) => table.names.indexOf(column));
  if (places.includes(-1)) return undefined;
  const inHeadings = holes.columns.map((column) => Number(/\(?(?:par )?\(?([3-6])\)$/i.exec(column)?.[1]));
  if (inHeadings.every((par) => par >= 3)) return inHeadings;
  const pars = aside
    .filter(({ reason }) => reason !== "noRound")
    .map(({ cells }) => places.map((place) => Number(cells[place])))
    .find((numbers) => numbers.every((par) => par >= 3 && par <= 6));
  return pars;
}

/** Reads the holes of all rows as strokes: what their numbers are, what unset ones mean, and which nine they are of. */
export function readHoles(
  given: WorkingTable,
  byKind: Assignment,
  holes: HoleColumns,
  tees: ReadTees,
  chosen: FoundTable,
  { answers, facts }: RoundContext,
): ReadHoles {
  const places = holes.columns.map((column) => given.names.indexOf(column));
  const rowsOfHoles = evidence(given, holes, byKind);
  const ofFile = parsOfFile(chosen, holes);
  const [firstTee] = given.rows.slice(0, 1).map(tees.teeOf);
  const said = kindOfWords(holes.around);
  const kinds = kindsOfHoles({
    rows: rowsOfHoles,
    pars: ofFile ?? (firstTee?.pars.length === places.length ? firstTee.pars : undefined),
  });
  const possible = said === undefined || kinds.length === 0 ? kinds : [said];
  const answered = (["strokes", "points", "over-par", "net"] as const).find((kind) => kind === answers.holes);
  const decided: HoleKind | undefined =
    answered ??
    (possible.length === 1 && (possible[0] === "strokes" || possible[0] === "over-par")
      ? possible[0]
      : undefined);
  const questions: Question[] = [];
  if (decided === undefined && possible.length > 0) {
    const values = [...new Set<HoleKind>([...possible, "strokes"])];
    questions.push({
      id: "holes",
      about: `${holes.columns[0]} – ${holes.columns.at(-1)}`,
      choices: values.map((value) => ({ value })),
    });
  }
  const kind = decided ?? possible[0] ?? "strokes";
  const marks = unsetMarks(
    given.rows.map(({ cells }) => places.map((place) => cells[place] ?? "")),
    kind,
  );
  const unset = unsetQuestion(marks, answers, facts.likely?.unset);
  if (unset !== undefined) questions.push(unset);
  const hasLeft = ({ cells }: WorkingRow) =>
    cells.some((text, place) => !places.includes(place) && notPlayed.has(text.toLowerCase()));
  const left = given.rows.filter(
    (row) => emptyAtEnd(places.map((place) => row.cells[place] ?? "")) > 0 && !hasLeft(row),
  );
  if (left.length > 0 && answers.left !== "not-played" && answers.left !== "picked-up") {
    const choices = [{ value: "not-played" }, { value: "picked-up" }];
    questions.push({ id: "left", about: String(left.length), choices, recommended: "not-played" });
  }
  const nine = findNine(holes, tees, given, answers);
  if (nine === "ask")
    questions.push({ id: "nine", about: "", choices: [{ value: "front" }, { value: "back" }] });
  const ofPlaying = given.names.indexOf(byKind.get("PHCP") ?? byKind.get("CourseHandicap") ?? "");
  const ofIndex = given.names.indexOf(byKind.get("HCP") ?? "");
  /** As it is written, or else by the index and the tee. */
  const handicapOf = ({ cells }: WorkingRow, tee: TeeChoice | undefined): string | undefined => {
    const index = indexOf(cells[ofIndex] ?? "");
    if (ofPlaying !== -1 || tee === undefined || index === undefined) return cells[ofPlaying];
    return String(courseHandicapBy(index, tee));
  };
  const write = (row: WorkingRow): string[] => {
    const tee = tees.teeOf(row);
    const texts = places.map((place) => row.cells[place] ?? "");
    const part = <Value>(list: readonly Value[] | undefined) => partOf(list, texts.length, nine);
    return writeStrokes(texts, {
      kind,
      unset: answers.unset,
      left: hasLeft(row) ? "not-played" : answers.left,
      pars: part(tee?.pars) ?? ofFile,
      received:
        kind === "points" || kind === "net"
          ? part(receivedOn(handicapOf(row, tee), tee?.indexes))
          : undefined,
    });
  };
  const notes: Note[] = kind === "strokes" ? [] : [{ kind: "holes", text: kind }];
  const strokes = given.rows.map(write);
  return {
    ...writeHoles(given, holes, strokes, nine),
    questions,
    notes,
    marks: writeMarks(marks),
    isTotalRight: isTotalOf(given, byKind, strokes),
  };
}

type Nine = "front" | "back" | "ask" | undefined;

function partOf<Value>(
  list: readonly Value[] | undefined,
  count: number,
  nine: Nine,
): readonly Value[] | undefined {
  if (list === undefined || list.length === count) return list;
  if (count > 9 && list.length === 18) return list.slice(0, count);
  if (count !== 9 || list.length !== 18) return undefined;
  return nine === "back" ? list.slice(9) : list.slice(0, 9);
}

/** Which nine of an eighteen-hole tee nine columns are of; undefined if they are all of the tee's holes. */
function findNine(holes: HoleColumns, tees: ReadTees, table: WorkingTable, { nine }: Answers): Nine {
  if (holes.columns.length !== 9) return undefined;
  const isLonger = table.rows.some((row) => tees.teeOf(row)?.pars.length === 18);
  if (nine === "front" || nine === "back") return isLonger || tees.course === undefined ? nine : undefined;
  if (!isLonger) return undefined;
  return holes.firstHole === 10 ? "back" : "ask";
}

/** Writes the strokes into the table, with the nine holes that were not played, and the length of each round. */
function writeHoles(
  table: WorkingTable,
  holes: HoleColumns,
  strokes: readonly (readonly string[])[],
  nine: Nine,
): Pick<ReadHoles, "table" | "columns" | "hasHoleCount"> {
  const places = holes.columns.map((column) => table.names.indexOf(column));
  const isPart = holes.columns.length > 9 && holes.columns.length < 18;
  const isPadded = nine === "front" || nine === "back";
  const added = isPart ? 18 - holes.columns.length : isPadded ? 9 : 0;
  const others = Array.from(
    { length: added },
    (_, place) => `${place + (nine === "back" ? 1 : 19 - added)} •`,
  );
  const isEmptyNine = (row: readonly string[], from: number) =>
    row.slice(from, from + 9).every((text) => text === "-");
  const isHalf = (row: readonly string[]) => row.length === 18 && isEmptyNine(row, 0) !== isEmptyNine(row, 9);
  const hasHoleCount = isPadded || strokes.some(isHalf);
  const rows = table.rows.map((row, at) => {
    const own = strokes[at] ?? [];
    const cells = [...row.cells];
    for (const [place, text] of own.entries()) cells[places[place] ?? -1] = text;
    cells.length = Math.max(cells.length, table.names.length);
    const length = isPadded || isHalf(own) ? "9" : String(own.length);
    return {
      ...row,
      cells: [...cells, ...others.map(() => "-"), ...(hasHoleCount ? [length] : [])],
    };
  });
  const all = nine === "back" ? [...others, ...holes.columns] : [...holes.columns, ...others];
  return {
    table: { names: [...table.names, ...others, ...(hasHoleCount ? [addedColumns.holes] : [])], rows },
    columns: all,
    hasHoleCount,
  };
}

/** Whether the column of totals is the sum of strokes, so that a row whose total differs has a mistake. */
function isTotalOf(
  table: WorkingTable,
  byKind: Assignment,
  strokes: readonly (readonly string[])[],
): boolean {
  const place = table.names.indexOf(byKind.get("total") ?? "");
  if (place === -1) return false;
  let [compared, same] = [0, 0];
  for (const [at, holes] of strokes.entries()) {
    const total = parseSum(table.rows[at]?.cells[place]);
    const numbers = holes.flatMap((text) => holeNumber(text) ?? []);
    if (total === undefined || numbers.length !== holes.length) continue;
    compared += 1;
    if (numbers.reduce((sum, one) => sum + one, 0) === total) same += 1;
  }
  const isRight = compared > 2 && same / compared > 0.8;
  // A round with a hole that was picked up has no total that could be compared; one with a hole that is mistyped has.
  const isWhole = strokes.every(
    (holes, at) =>
      !holes.some((text) => text === "x" || text === "-") || (table.rows[at]?.cells[place] ?? "") === "",
  );
  return isRight && isWhole;
}
