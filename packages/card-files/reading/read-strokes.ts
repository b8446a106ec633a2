import type { Assignment } from "./assign-columns.ts";
import type { FoundTable, RoundContext } from "./find-sheet.ts";
import { isWord } from "./headings.ts";
import {
  agreement,
  type HoleColumns,
  type HoleKind,
  holeNumber,
  kindOfWords,
  kindsOfHoles,
  minAgreement,
  sumUp,
} from "./hole-columns.ts";
import {
  emptyAtEnd,
  notPlayed,
  parseHandicap,
  receivedOn,
  unsetMarks,
  unsetQuestion,
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
import { evidence, isGross } from "./shape-rows.ts";
import { courseHandicapBy } from "./tees.ts";

/** The strokes of all rows. */
export interface ReadHoles {
  readonly table: WorkingTable;
  readonly columns: readonly string[];
  readonly questions: readonly Question[];
  readonly notes: readonly Note[];
  /** Whether rows have other numbers of holes than columns. */
  readonly hasHoleCount: boolean;
}

/** The pars that the headings, or a row of the file, say of these holes. */
export function parsOfFile({ aside, table }: FoundTable, holes: HoleColumns): number[] | undefined {
  const places = holes.columns.map((column) => table.names.indexOf(column));
  if (places.includes(-1)) return undefined;
  const inHeadings = holes.columns.map((column) => Number(/\(?(?:par )?\(?([3-6])\)$/i.exec(column)?.[1]));
  if (inHeadings.every((par) => par >= 3)) return inHeadings;
  return courseRows(aside, places).find((numbers) => numbers.every((par) => par >= 3 && par <= 6));
}

const courseRows = (aside: FoundTable["aside"], places: readonly number[]): number[][] =>
  aside
    .filter(({ reason }) => reason !== "noRound" && reason !== "hidden")
    .map(({ cells }) => places.map((place) => Number(cells[place])));

/** The stroke indexes that a row of the file says of eighteen holes: each number once, and not in order, as holes are. */
export function indexesOfFile({ aside, table }: FoundTable, { columns }: HoleColumns): number[] | undefined {
  const places = columns.map((column) => table.names.indexOf(column));
  return courseRows(aside, places).find(
    (numbers) =>
      numbers.length === 18 &&
      numbers.every((_, hole) => numbers.includes(hole + 1)) &&
      numbers.some((one, hole) => one !== hole + 1),
  );
}

/** The holes of a row, with what tells how they are to be read. */
interface RowHoles {
  readonly texts: readonly string[];
  readonly pars: readonly number[] | undefined;
  /** As it is written, or else by the index and the tee. */
  readonly handicap: string | undefined;
  readonly received: readonly number[] | undefined;
  /** Whether the row says that the player did not finish. */
  readonly hasLeft: boolean;
}

/** Reads the holes of all rows as strokes: what their numbers are, what unset ones mean, and which nine they are of. */
export function readHoles(
  given: WorkingTable,
  byKind: Assignment,
  holes: HoleColumns,
  tees: ReadTees,
  chosen: FoundTable,
  { answers }: RoundContext,
): ReadHoles {
  const nine = findNine(holes, tees, given, answers);
  const ofFile = parsOfFile(chosen, holes);
  const readRow = rowHolesReader(given, byKind, holes, tees, nine, ofFile);
  const rows = given.rows.map(readRow);
  const found = evidence(given, holes, byKind);
  const kinds = kindsOfHoles({ rows: found, pars: ofFile ?? rows[0]?.pars });
  // A total that a word calls gross, or that stands beside the net one, is of strokes as they were played.
  const isOfGross = byKind.has("net") || isWord(byKind.get("total") ?? "", "gross");
  const isProven = isOfGross && (agreement(found, ({ total }) => total) ?? 0) >= minAgreement;
  const { kind, choices } = decideKind(kinds, holes, isProven ? [] : rows, answers);
  const marks = unsetMarks(
    rows.map(({ texts }) => texts),
    kind,
  );
  const unset = unsetQuestion(marks, answers);
  const left = rows.filter(({ texts, hasLeft }) => emptyAtEnd(texts) > 0 && !hasLeft).length;
  const isLeftOpen = left > 0 && answers.left !== "not-played" && answers.left !== "picked-up";
  const ask = (id: Question["id"], about: string, values: readonly string[]): Question => ({
    id,
    about,
    choices: values.map((value) => ({ value })),
  });
  const strokes = rows.map(({ texts, hasLeft, pars, received }) =>
    writeStrokes(texts, {
      kind,
      unset: answers.unset,
      left: hasLeft ? "not-played" : answers.left,
      pars,
      received,
    }),
  );
  return {
    ...writeHoles(given, holes, strokes, nine),
    questions: [
      ...(choices.length > 0 ? [ask("holes", `${holes.columns[0]} – ${holes.columns.at(-1)}`, choices)] : []),
      ...(unset === undefined ? [] : [unset]),
      ...(isLeftOpen ? [ask("left", String(left), ["not-played", "picked-up"])] : []),
      ...(nine === "ask" ? [ask("nine", "", ["front", "back"])] : []),
    ],
    notes: [
      { kind: "holes", text: kind },
      ...(isLeftOpen ? [] : [{ kind: "left", text: String(left) } as const]),
    ],
  };
}

function rowHolesReader(
  { names }: WorkingTable,
  byKind: Assignment,
  { columns }: HoleColumns,
  tees: ReadTees,
  nine: Nine,
  ofFile: readonly number[] | undefined,
): (row: WorkingRow) => RowHoles {
  const places = columns.map((column) => names.indexOf(column));
  const ofPlaying = names.indexOf(byKind.get("PHCP") ?? byKind.get("CourseHandicap") ?? "");
  const ofIndex = names.indexOf(byKind.get("HCP") ?? "");
  return (row) => {
    const { cells } = row;
    const tee = tees.teeOf(row);
    const index = indexOf(cells[ofIndex] ?? "");
    const isWritten = ofPlaying !== -1 || tee === undefined || index === undefined;
    const handicap = isWritten ? cells[ofPlaying] : String(courseHandicapBy(index, tee));
    return {
      texts: places.map((place) => cells[place] ?? ""),
      pars: partOf(tee?.pars, places.length, nine) ?? ofFile,
      handicap,
      received: partOf(receivedOn(handicap, tee?.indexes), places.length, nine),
      hasLeft: cells.some((text, place) => !places.includes(place) && notPlayed.has(text.toLowerCase())),
    };
  };
}

const allKinds = ["strokes", "points", "over-par", "net"] as const;

/** What the numbers of the holes are: by an answer, a word or themselves. @param rows that may be net @returns the choices of a question if none decides it */
function decideKind(
  kinds: readonly HoleKind[],
  holes: HoleColumns,
  rows: readonly RowHoles[],
  answers: Answers,
): { readonly kind: HoleKind; readonly choices: readonly HoleKind[] } {
  const answered = allKinds.find((kind) => kind === answers.holes);
  if (answered !== undefined) return { kind: answered, choices: [] };
  const said = kindOfWords(holes.around);
  const possible = said === undefined || kinds.length === 0 ? kinds : [said];
  const [kind = "strokes", ...others] = possible;
  if (kind === "strokes" && others.length === 0)
    return { kind, choices: !isGross(holes) && areMaybeNet(rows) ? ["strokes", "net"] : [] };
  const isDecided = kind === "over-par" && others.length === 0;
  return { kind, choices: isDecided ? [] : [...new Set<HoleKind>([...possible, "strokes"])] };
}

/** A larger handicap is mistyped. */
const maxHandicap = 60;

/** Whether rounds are as far over par as net strokes are: less, all in all, than most of what is received. A question costs less than a wrong card. */
function areMaybeNet(rows: readonly RowHoles[]): boolean {
  const excess = rows.map(({ texts, pars, handicap = "" }) => {
    const strokes = texts.map((text) => holeNumber(text) ?? 0);
    const received = parseHandicap(handicap);
    if (pars?.length !== 18 || texts.length !== 18 || strokes.some((one) => one < 1)) return 0;
    if (received === undefined || Math.abs(received) > maxHandicap) return 0;
    return sumUp(strokes) - sumUp(pars) - received * 0.7;
  });
  return sumUp(excess) < 0;
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
