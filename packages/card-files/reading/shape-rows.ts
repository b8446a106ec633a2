import { type Assignment, assignColumns, placeOf, textsOf } from "./assign-columns.ts";
import { isUndecided, readDate } from "./cell-dates.ts";
import { isAsideWord, isWord } from "./headings.ts";
import { findHoleColumns, type HoleColumns, kindOfWords, kindsOfHoles } from "./hole-columns.ts";
import { joinClubNumbers, keepStrokes, splitHoles, splitNumbers, writeMemberNumbers } from "./plain-cells.ts";
import { datesIn } from "./read-dates.ts";
import { type Answers, addedColumns, type Note, type Question, type WorkingTable } from "./reading.ts";
import { joinHoleRows, joinNineRows, joinPlayerRows, type RoundDay, splitRounds } from "./reshape-rows.ts";

/** A table of one row a round. */
export interface Shaped {
  readonly table: WorkingTable;
  readonly byKind: Assignment;
  readonly holes: HoleColumns | undefined;
  /** Sets of columns that are no holes of a card: points, pars, putts. */
  readonly others: readonly HoleColumns[];
  /** Sets that look like strokes, beside those that are read. */
  readonly unread: readonly HoleColumns[];
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
  let byKind = assignColumns(table, new Set(sets.flatMap(({ columns }) => columns)), answers);
  const joined = sets.length === 0 ? joinHoleRows(table, byKind) : undefined;
  const rounds = roundSets(sets);
  table = joined ?? joinNineRows(table, byKind, sets) ?? table;
  const days = rounds.length > 0 && !byKind.has("Round/StartTime") ? daysOfRounds(table, rounds) : undefined;
  if (rounds.length > 0) table = splitRounds(table, rounds, addedColumns, days);
  if (table !== plain) {
    sets = findHoleColumns(table.names);
    byKind = assignColumns(table, new Set(sets.flatMap(({ columns }) => columns)), answers);
    if (rounds.length > 0) byKind = new Map([...byKind, ["Round/TournamentRoundNumber", addedColumns.round]]);
    if (days !== undefined) byKind = new Map([...byKind, ["Round/StartTime", addedColumns.day]]);
  }
  [table, byKind] = splitNumbers(table, byKind);
  table = joinClubNumbers(table, byKind);
  for (const set of sets) table = keepStrokes(table, set);
  const notes: Note[] = [];
  const positive = withoutMinus(table, byKind);
  if (positive !== table) notes.push({ kind: "minus", text: byKind.get("HCP") ?? "" });
  table = positive;
  const holes = chooseSet(table, sets, byKind);
  const others = sets.filter((set) => set !== holes);
  const unread = holes === undefined ? [] : others.filter((set) => isUnread(table, set, holes, byKind));
  const shaped = { byKind, holes, others, unread };
  if (holes === undefined) return { ...shaped, table, questions: [], notes };
  const rows = joinPlayerRows(table, byKind, holes, answers.rows);
  if (rows.kind === "question") {
    const question: Question = { id: "rows", about: "", choices: rows.choices.map((value) => ({ value })) };
    return { ...shaped, table, questions: [question], notes };
  }
  if (rows.kind === "joined") notes.push({ kind: "rows", text: rows.counted });
  return { ...shaped, table: rows.kind === "joined" ? rows.table : table, questions: [], notes };
}

/** The day of each round that stands beside another: above its holes, or in a column for each round. */
function daysOfRounds(table: WorkingTable, rounds: readonly HoleColumns[]): readonly RoundDay[] | undefined {
  const above = rounds.map(({ columns }) => datesIn([columns[0] ?? ""])[0]);
  if (above.every((day) => day !== undefined)) return above.map((text) => ({ text }));
  const columns = table.names.filter((name) => {
    const texts = textsOf(table, name);
    return (
      texts.length > 0 &&
      texts.every((text) => readDate(text, "day-first") !== undefined || isUndecided(text))
    );
  });
  return columns.length === rounds.length ? columns.map((column) => ({ column })) : undefined;
}

/** Handicaps without the minus that a table writes before ordinary ones; a plus handicap has its plus. */
function withoutMinus(table: WorkingTable, byKind: Assignment): WorkingTable {
  const places = ["HCP", "CourseHandicap", "PHCP"].flatMap((kind) => {
    const column = byKind.get(kind);
    const texts = column === undefined ? [] : textsOf(table, column);
    const isMost = texts.filter((text) => /^[-−]\d/.test(text)).length > texts.length / 2;
    return isMost ? [table.names.indexOf(column ?? "")] : [];
  });
  if (places.length === 0) return table;
  const write = (cells: readonly string[]) =>
    cells.map((text, place) => (places.includes(place) ? text.replace(/^[-−]/, "") : text));
  return { ...table, rows: table.rows.map((row) => ({ ...row, cells: write(row.cells) })) };
}

/** Whether a set beside the one that is read has strokes by its numbers, and no word says that it has something else. */
function isUnread(table: WorkingTable, set: HoleColumns, chosen: HoleColumns, byKind: Assignment): boolean {
  if (isOtherSet(set) || kindOfWords(set.around) !== undefined || isGross(chosen)) return false;
  if (set.columns.length !== chosen.columns.length) return false;
  const rows = evidence(table, set, byKind);
  const isSame = rows.every(({ holes }) => holes.join() === rows[0]?.holes.join());
  return !isSame && kindsOfHoles({ rows, pars: undefined })[0] === "strokes";
}

/** Whether a word beside the holes says that their numbers are strokes as they were played. */
export const isGross = ({ around }: HoleColumns) =>
  around.split(/[# ]/).some((word) => isWord(word, "gross"));

/** A sum of holes; undefined if the text is none. */
const parseSum = (text: string | undefined) =>
  text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : undefined;

/** What rows say about the holes of some columns. */
export function evidence(table: WorkingTable, set: HoleColumns, byKind: Assignment) {
  const places = set.columns.map((column) => table.names.indexOf(column));
  const ofSums = ["total", "net", "points"].map((kind) => placeOf(table, byKind, kind));
  return table.rows.slice(0, 500).map(({ cells }) => {
    const [total, net, points] = ofSums.map((place) => parseSum(cells[place]));
    return {
      holes: places.map((place) => cells[place] ?? ""),
      sums: {
        ...(total !== undefined && { total }),
        ...(net !== undefined && { net }),
        ...(points !== undefined && { points }),
      },
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
  const gross = full.filter(isGross);
  if (gross.length === 1) return gross[0];
  if (full.length <= 1) return full[0];
  const isStrokes = (set: HoleColumns) =>
    kindsOfHoles({ rows: evidence(table, set, byKind), pars: undefined })[0] === "strokes";
  const unnamed = full.filter(({ around }) => kindOfWords(around) === undefined);
  return unnamed.find(isStrokes) ?? full.find(isStrokes) ?? full[0];
}

/** Whether numbers of holes are the course's, or of what is counted beside strokes. */
const isOtherSet = ({ around }: HoleColumns) =>
  around
    .split(/[# ]/)
    .some((word) => (isAsideWord(word) && !isWord(word, "holes")) || isWord(word, "otherCounts"));
