import type { FieldSource } from "../base/table-columns.ts";
import { type Assignment, placeOf, textsOf } from "./assign-columns.ts";
import { type DateOrder, isUndecided, ordersIn, readDate, readTime } from "./cell-dates.ts";
import type { RoundContext } from "./find-sheet.ts";
import { isDayHeading } from "./headings.ts";
import {
  type Answers,
  addedColumns,
  answerKey,
  type Facts,
  type Note,
  type Question,
  rowsOfSheet,
  type WorkingRow,
  type WorkingTable,
} from "./reading.ts";

/** The start of rounds as it was found. */
export interface ReadDates {
  readonly table: WorkingTable;
  readonly source: FieldSource | undefined;
  /** The day of most rounds, `2026-11-27`: a mistyped one is of a row or two. */
  readonly day: string | undefined;
  readonly questions: readonly Question[];
  readonly notes: readonly Note[];
}

/** The order of all dates of a column: what they say, what is not in the future, or what a person says; undefined if none says it. */
function findOrder(texts: readonly string[], { dates }: Answers, { today }: Facts): DateOrder | undefined {
  const undecided = texts.filter(isUndecided);
  if (undecided.length === 0) return "day-first";
  const decided = texts.filter((text) => !isUndecided(text) && /^\d{1,2}[/-]\d/.test(text));
  const orders = ordersIn(decided);
  if (orders.size > 0) return orders.size === 1 ? [...orders][0] : "day-first";
  const past = (["day-first", "month-first"] as const).filter((order) =>
    undecided.every((text) => (readDate(text, order) ?? "9") <= `${today} 99`),
  );
  if (past.length === 1) return past[0];
  return dates === "day-first" || dates === "month-first" ? dates : undefined;
}

/** Whether dates such as `26-07-04` begin with the year: with this one or the last, where they end with other numbers. */
function areYearFirst(texts: readonly string[], { today }: Facts): boolean {
  const year = Number(today.slice(2, 4));
  const isRecent = (part: string | undefined) => Number(part) === year || Number(part) === year - 1;
  const parts = texts.map((text) => /^(\d\d)-\d\d-(\d\d)(?!\d)/.exec(text));
  return (
    parts.length > 0 && parts.every((one) => isRecent(one?.[1])) && !parts.every((one) => isRecent(one?.[2]))
  );
}

const withTexts = (table: WorkingTable, column: string, write: (text: string) => string): WorkingTable => {
  const place = table.names.indexOf(column);
  if (place === -1) return table;
  return {
    ...table,
    rows: table.rows.map((row) => ({ ...row, cells: row.cells.with(place, write(row.cells[place] ?? "")) })),
  };
};

/** The dates that stand in titles; one is the day of play. */
export function datesIn(loose: readonly string[]): string[] {
  const parts = loose.flatMap((text) => [
    text,
    ...(text.match(/\d{4}-\d\d-\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2}\.? \p{L}{3,9} \d{4}/gu) ?? []),
  ]);
  const days = parts.flatMap((text) =>
    isUndecided(text) ? [] : (readDate(text, "day-first")?.slice(0, 10) ?? []),
  );
  return [...new Set(days)];
}

/** Reads the days and times of rounds, in one order in all rows. */
export function readDates(given: WorkingTable, byKind: Assignment, context: RoundContext): ReadDates {
  const { answers, facts } = context;
  const [date, time] = [byKind.get("Round/StartTime"), byKind.get("time")];
  const timed = time === undefined ? given : withTexts(given, time, (text) => readTime(text) ?? text);
  if (date === undefined) return readDaysOfSections(timed, byKind, context);
  const written = [...new Set(textsOf(given, date))];
  const isYearFirst = areYearFirst(written, facts);
  const texts = isYearFirst ? written.map((text) => `20${text}`) : written;
  const order = findOrder(texts, answers, facts);
  if (order === undefined) {
    const [example = ""] = texts.filter(isUndecided);
    const choices = (["day-first", "month-first"] as const).map((value) => ({
      value,
      label: readDate(example, value) ?? "",
    }));
    const question: Question = { id: "dates", about: example, choices };
    return { table: timed, source: date, day: undefined, questions: [question], notes: [] };
  }
  const read = (text: string) => readDate(isYearFirst ? `20${text}` : text, order);
  const table = withTexts(timed, date, (text) => read(text) ?? text);
  const days = textsOf(given, date).flatMap((text) => read(text) ?? []);
  const hasTime = days.some((text) => text.length > 10);
  const source: FieldSource = time === undefined || hasTime ? date : { columns: [date, time] };
  const ofOrder: Note[] = texts.some(isUndecided) ? [{ kind: "dates", text: order }] : [];
  const notes = [...ofOrder, ...noteDays(days)];
  return { table, source, day: mostFrequent(days.map((text) => text.slice(0, 10))), questions: [], notes };
}

const maxDaysShown = 4;

/** Says on which days it was played, of many the first and the last. */
function noteDays(starts: readonly string[]): Note[] {
  const days = [...new Set(starts.map((text) => text.slice(0, 10)))].toSorted();
  const text = days.length > maxDaysShown ? `${days[0]} – ${days.at(-1)}` : days.join(", ");
  return days.length === 0 ? [] : [{ kind: "date", text }];
}

/** The text that comes most often, the first of several. */
function mostFrequent(texts: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(texts, (text) => text).values()];
  return groups.toSorted((one, other) => other.length - one.length)[0]?.[0];
}

const maxWordsForDays = 4;

/** The column that says the day by a word, or without its year; undefined if none does. */
function findDayWords(table: WorkingTable, byKind: Assignment): string | undefined {
  const used = new Set(byKind.values());
  return table.names.find((name) => {
    const texts = used.has(name) || !isDayHeading(name) ? [] : [...new Set(textsOf(table, name))];
    const form = texts.length > maxWordsForDays ? /\b\d{1,2}[./-] ?\d{1,2}\b/ : /\d[./-] ?\d|\p{L}{2}/u;
    return texts.length > 0 && texts.every((text) => form.test(text));
  });
}

/** What tells the days of rows apart: their sheet, the title with a date above them, their round, a word for the day. */
function readSections(
  table: WorkingTable,
  byKind: Assignment,
  { file, chosen }: RoundContext,
): (row: WorkingRow) => string {
  const places = [
    placeOf(table, byKind, "Round/TournamentRoundNumber"),
    table.names.indexOf(findDayWords(table, byKind) ?? ""),
  ];
  const sheetOf = (number: number) => Math.floor(number / rowsOfSheet);
  const sheets = new Set(table.rows.map(({ number }) => sheetOf(number)));
  const titles = chosen.aside.flatMap(({ number, reason, cells }) => {
    const [day] = reason === "title" ? datesIn(cells) : [];
    return day === undefined ? [] : [{ number, day, text: cells.find((cell) => cell !== "") ?? "" }];
  });
  return ({ number, cells }) => {
    const above = titles.findLast(
      (title) => title.number < number && sheetOf(title.number) === sheetOf(number),
    );
    // The same date above several parts is one day, whatever else stands there.
    const title = titles.find(({ day }) => day === above?.day)?.text;
    const sheet = sheets.size > 1 ? file.sheets[sheetOf(number)]?.name : title;
    return [sheet, ...places.map((place) => cells[place])].filter(Boolean).join(", ");
  };
}

/** The starts of a table without days in its rows: a person says that of each part. */
function readDaysOfSections(table: WorkingTable, byKind: Assignment, context: RoundContext): ReadDates {
  const { answers, loose } = context;
  const found = datesIn(loose);
  const sectionOf = readSections(table, byKind, context);
  const all = [...new Set(table.rows.map(sectionOf))];
  const toAbout = (section: string) => (all.length > 1 ? section : "");
  const days = new Map(
    all.map((section) => {
      const answer = answers[answerKey({ id: "date", about: toAbout(section) })];
      return [section, answer === undefined ? undefined : readDate(answer, "day-first")];
    }),
  );
  const open = all.filter((section) => days.get(section) === undefined);
  // A date outside the table may be the day of printing, so it is offered and never taken.
  const choices = found.map((value) => ({ value }));
  const questions = open.map((section): Question => ({ id: "date", about: toAbout(section), choices }));
  if (questions.length > 0) return { table, source: undefined, day: found[0], questions, notes: [] };
  const place = placeOf(table, byKind, "time");
  const written = {
    names: [...table.names, addedColumns.start],
    rows: table.rows.map((row) => ({
      ...row,
      cells: [...row.cells, `${days.get(sectionOf(row))} ${row.cells[place] ?? ""}`.trim()],
    })),
  };
  const starts = [...days.values()].flatMap((day) => day ?? []);
  const [day] = starts.map((start) => start.slice(0, 10));
  return { table: written, source: addedColumns.start, day, questions: [], notes: noteDays(starts) };
}
