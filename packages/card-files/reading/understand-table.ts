import { type Assignment, findMemberColumns, personNumber } from "./assign-columns.ts";
import { buildColumns, markerNote, markerQuestion, memberQuestion, tournamentNote } from "./build-columns.ts";
import { fillHandicaps } from "./fill-handicaps.ts";
import { chooseSheet, type FoundTable, findTables, type RoundContext } from "./find-sheet.ts";
import { isMemberHeading, kindsOfHeading, sideFormats } from "./headings.ts";
import { type HoleColumns, holeNumber } from "./hole-columns.ts";
import { readDates } from "./read-dates.ts";
import { isUnset } from "./read-holes.ts";
import { indexesOfFile, parsOfFile, readHoles } from "./read-strokes.ts";
import { courseLabel, hasName, readTees } from "./read-tees.ts";
import {
  type Answers,
  addedColumns,
  type CourseOfClub,
  type Facts,
  type GridFile,
  type Note,
  type Question,
  type Reading,
  type TableStop,
  type WorkingRow,
  type WorkingTable,
} from "./reading.ts";
import { type Shaped, shapeRows } from "./shape-rows.ts";
import { type TeeChoice, teesOf } from "./tees.ts";

const noTable: FoundTable = {
  sheet: "",
  heading: { first: 0, last: 0, names: [], score: 0 },
  table: { names: [], rows: [] },
  aside: [],
  hasHoles: false,
};

/**
 * Understands a table from its own cells, what the union has, and answers: which sheet and heading, which column is what, in which form
 * dates and holes are. What none of these decide is asked, and no cell is guessed.
 */
export function understandTable(file: GridFile, answers: Answers, facts: Facts): Reading {
  const found = findTables(file, answers);
  const { table: chosen = noTable, question } = chooseSheet(found, answers);
  const { sheet, aside } = chosen;
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
  const doubts = [...doubtTable(chosen, shaped), ...(answers.ball === "side" ? [sideStop] : [])];
  const isOfSides = doubts.some(({ code }) => code === "players");
  const ball = isOfSides ? [] : ballQuestion([...loose, ...shaped.table.names], shaped, answers);
  const questions = question === undefined ? [...ball, ...shaped.questions, ...read.questions] : [question];
  const ofHoles = [...(shaped.holes === undefined ? [] : [shaped.holes]), ...shaped.others, ...shaped.unread];
  const written = writeRows(read.table);
  const places = read.table.names.map((name) => written.header.indexOf(name));
  return {
    ...written,
    filled: read.filled,
    fill: (cells) => read.fill({ number: 0, cells: places.map((place) => cells[place] ?? "") }),
    numbers: read.table.rows.map(({ number }) => number),
    columns: read.columns,
    usedColumns: [
      ...shaped.byKind
        .values()
        .filter((column) => !sumKinds.some((kind) => shaped.byKind.get(kind) === column)),
      ...ofHoles.flatMap(({ columns }) => columns),
      ...read.table.names.filter((name) => name.endsWith(" •")),
    ],
    tees: read.tees,
    course: read.course,
    doubts: [...doubts, ...read.doubts],
    questions,
    notes: [
      ...notes,
      ...shaped.notes,
      ...read.notes,
      ...(ball.length > 0 || answers.ball === "side" ? [] : [{ kind: "ball", text: "" } as const]),
      { kind: "hidden", text: String(aside.filter(({ reason }) => reason === "hidden").length) },
    ],
    teeColumn: read.teeColumn,
    aside: [...aside, ...read.aside],
    wants: read.wants,
  };
}

const sumKinds = ["total", "net", "points", "out", "in", "strokes", "rowKind"];
const sideStop: TableStop = { code: "players", column: "", count: 1, of: 1 };

/** Asks whether each player played his own ball, if a word, or scores that partners share, say that sides may have played. */
function ballQuestion(texts: readonly string[], shaped: Shaped, { ball }: Answers): Question[] {
  const word = texts.map((text) => sideFormats.exec(text)?.[0]).find((found) => found !== undefined);
  if (ball === "own" || ball === "side" || (word === undefined && !haveSharedScores(shaped))) return [];
  return [{ id: "ball", about: word ?? "", choices: [{ value: "own" }, { value: "side" }] }];
}

const maxOfSide = 4;
const minSides = 3;

/** Whether most rows have the holes of one to three others: partners with the score of their side. */
function haveSharedScores({ holes, table: { names, rows } }: Shaped): boolean {
  const places = (holes?.columns ?? []).map((column) => names.indexOf(column));
  const scores = rows.map(({ cells }) => places.map((place) => cells[place]).join(" "));
  const sides = [...Map.groupBy(scores, (score) => score).values()].filter(
    ({ length, 0: score = "" }) => length > 1 && length <= maxOfSide && /[1-9]/.test(score),
  );
  return sides.length >= minSides && sides.flat().length > rows.length / 2;
}

/** Rows with more cells than the heading, of which a few are mistakes of their own. */
const maxShareOfSurplus = 0.2;
const broken = /[¿�]|Ã[\u0080-¿]/u;

/** What the form of a table says against it, before any card is compared. */
function doubtTable(
  { table, heading: { names }, aside }: FoundTable,
  { byKind, unread, table: { names: shapedNames, rows } }: Shaped,
): TableStop[] {
  const stop = (code: TableStop["code"], column: string, count: number): TableStop[] =>
    count === 0 ? [] : [{ code, column, count, of: rows.length }];
  const beyond = table.rows.filter(({ surplus }) => surplus !== undefined).length;
  const members = findMemberColumns({ names: shapedNames, rows }, byKind);
  const ofNumber = names.flatMap((name, place) => (isMemberHeading(name) ? [place] : []));
  const headings = table.rows.filter(({ cells }) => isOtherHeading(cells));
  const lost = aside.filter(({ reason, cells }) => reason !== "hidden" && looksLikeCard(cells, ofNumber));
  return [
    ...(beyond > rows.length * maxShareOfSurplus ? stop("long", `(${names.length + 1})`, beyond) : []),
    ...stop(
      "encoding",
      names.find((name) => broken.test(name)) ?? "",
      names.filter((name) => broken.test(name)).length,
    ),
    ...(members.length > 1 ? stop("players", members.join(", "), members.length) : []),
    ...stop("heading", String(headings[0]?.number ?? ""), headings.length),
    ...stop("unread", String(lost[0]?.number ?? ""), lost.length),
    ...unread.flatMap(({ columns }) => stop("secondSet", `${columns[0]} – ${columns.at(-1)}`, 1)),
  ];
}

const minKinds = 4;

/** Whether a row is a heading of other columns: the rows below it would be read by the first one. */
const isOtherHeading = (cells: readonly string[]): boolean =>
  new Set(cells.flatMap((cell) => kindsOfHeading(cell)[0] ?? [])).size >= minKinds;

/** Whether a row has a number of a member, and scores of nine holes. */
const looksLikeCard = (cells: readonly string[], ofNumber: readonly number[]): boolean =>
  ofNumber.some((place) => /\d/.test(cells[place] ?? "")) &&
  cells.filter((text) => (holeNumber(text) ?? 0) > 0).length >= 9;

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

/** The members' numbers of persons who are named by another number, as far as the union has told them. */
function addMemberNumbers(table: WorkingTable, byKind: Assignment, members: Facts["members"]) {
  const place = table.names.indexOf(byKind.get("Player/LifeTimeID") ?? "");
  if (place === -1 || byKind.has("Player/UnionID")) return { table, byKind, wanted: [] };
  const numberOf = ({ cells }: WorkingRow) => cells[place] ?? "";
  const added = {
    names: [...table.names, addedColumns.Player],
    rows: table.rows.map((row) => ({
      ...row,
      cells: [...row.cells, members?.get(numberOf(row))?.unionId ?? ""],
    })),
  };
  const wanted = table.rows.map(numberOf).filter((text) => personNumber.test(text) && !members?.has(text));
  return { table: added, byKind: new Map([...byKind, ["Player/UnionID", addedColumns.Player]]), wanted };
}

/** Puts the club's number before members' numbers without one: of the club that the file names, or that a person says. */
function addClub(
  table: WorkingTable,
  byKind: Assignment,
  course: CourseOfClub | undefined,
  { answers, loose }: RoundContext,
) {
  const none = { questions: [] as Question[], notes: [] as Note[] };
  const place = table.names.indexOf(byKind.get("Player/UnionID") ?? "");
  const isBare = ({ cells }: WorkingRow) => /^\d{1,8}$/.test(cells[place] ?? "");
  if (place === -1 || table.rows.filter(isBare).length < table.rows.length * 0.8 || table.rows.length === 0)
    return { table, ...none };
  const isNamed = course?.clubNumber !== undefined && hasName(loose, course.clubName);
  const club = answers.club ?? (isNamed ? String(course.clubNumber) : undefined);
  if (club === undefined) {
    const choices =
      course?.clubNumber === undefined ? [] : [{ value: String(course.clubNumber), label: course.clubName }];
    const about = String(table.rows.filter(isBare).length);
    return { ...none, table, questions: [{ id: "club", about, choices } as const] };
  }
  const rows = table.rows.map((row) =>
    isBare(row) ? { ...row, cells: row.cells.with(place, `${club}-${row.cells[place]}`) } : row,
  );
  return { ...none, table: { ...table, rows }, notes: [{ kind: "club", text: club } as const] };
}

/** Whether the pars of the file are those of a tee, and at least half of its stroke indexes; or the first hole that is not. */
function doubtCourse(
  tees: readonly TeeChoice[],
  holes: HoleColumns | undefined,
  chosen: FoundTable,
): TableStop[] {
  if (holes === undefined) return [];
  const compare = (
    code: "par" | "index",
    ofFile: readonly number[] | undefined,
    list: "pars" | "indexes",
  ): TableStop[] => {
    const same = tees.filter((tee) => tee[list].length === ofFile?.length);
    if (ofFile === undefined || same.length === 0) return [];
    const agreeing = Math.max(
      ...same.map((tee) => ofFile.filter((one, hole) => tee[list][hole] === one).length),
    );
    // Clubs number the indexes anew now and then, and keep their sheets.
    if (agreeing === ofFile.length || (code === "index" && agreeing >= ofFile.length / 2)) return [];
    const differing = ofFile.findIndex((one, hole) => same.every((tee) => tee[list][hole] !== one));
    return [
      { code, column: holes.columns[Math.max(0, differing)] ?? "", count: agreeing, of: ofFile.length },
    ];
  };
  return [
    ...compare("par", parsOfFile(chosen, holes), "pars"),
    ...compare("index", indexesOfFile(chosen, holes), "indexes"),
  ];
}

/** Reads the rounds of a table of one row each: days, tees, holes and handicaps. */
function readRounds({ table: shaped, byKind: found, holes }: Shaped, context: RoundContext) {
  const { answers, facts, chosen } = context;
  const { table: given, byKind, wanted } = addMemberNumbers(shaped, found, facts.members);
  const { rounds, aside } = withoutAbsent(given, holes);
  const dates = readDates(rounds, byKind, context);
  const { course } = readTees(dates.table, byKind, context, dates.day);
  const club = addClub(dates.table, byKind, course, context);
  const tees = readTees(club.table, byKind, context, dates.day);
  const read = holes === undefined ? undefined : readHoles(club.table, byKind, holes, tees, chosen, context);
  const withHoles = read?.table ?? club.table;
  const ofTee = tees.column === undefined ? [] : ([["Course/TeeName", tees.column]] as const);
  const filled = fillHandicaps(withHoles, new Map([...byKind, ...ofTee]), tees, context);
  const { table } = filled;
  const columns = buildColumns({
    byKind,
    start: dates.source,
    read,
    filled: filled.columns,
    tees,
    context,
  });
  const questions = [
    ...dates.questions,
    ...tees.questions,
    ...club.questions,
    ...(read?.questions ?? []),
    ...filled.questions,
    ...markerQuestion(columns, answers),
    ...memberQuestion(columns, given.names),
  ];
  const ofCourse = tees.course === undefined ? [] : teesOf(tees.course);
  const members = [...new Set([...tees.wants.members, ...filled.wanted, ...wanted])];
  return {
    table,
    columns,
    // Without holes it may still be a list of players, of which a workbook to fill in is made.
    questions: holes !== undefined || columns.has("Player/UnionID") ? questions : [],
    notes: [
      ...dates.notes,
      ...tees.notes,
      ...club.notes,
      ...(read?.notes ?? []),
      ...filled.notes,
      ...tournamentNote(columns, context),
      ...markerNote(columns, context),
    ],
    tees: ofCourse,
    teeColumn: tees.column ?? byKind.get("Course/TeeName"),
    course: tees.course && courseLabel(tees.course),
    doubts: doubtCourse(ofCourse, holes, chosen),
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
