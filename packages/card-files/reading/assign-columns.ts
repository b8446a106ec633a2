import { isDamagedByExcel, readDate, readTime } from "./cell-dates.ts";
import { kindsOfHeading, rankOfHeading } from "./headings.ts";
import type { Answers, WorkingTable } from "./reading.ts";
import { genderOfText } from "./tees.ts";

/** Which column is what: a field of a card, or what a field is made of. */
export type Assignment = ReadonlyMap<string, string>;

const sampleRows = 400;
const memberNumber = /^\d{1,4}-[0-9A-Za-z]{1,8}$/;
const guid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** The number of a person, whatever the clubs. */
export const personNumber = /^\d{6}-\d{3}$/;
const decimal = /^[+-]?\d{1,2}[.,]\d{1,2}$/;
const number = /^[+-]?\d{1,3}([.,]\d+)?$/;

const share = (texts: readonly string[], test: (text: string) => boolean): number =>
  texts.length === 0 ? 0 : texts.filter(test).length / texts.length;

const isDateText = (text: string) =>
  readDate(text, "day-first") !== undefined || readDate(text, "month-first") !== undefined;
const isTimeText = (text: string) =>
  readTime(text) !== undefined && (/[:.]|m$/i.test(text) || /^\d{4}$/.test(text));
const isWhole = (text: string) => /^[+-]?\d{1,3}$/.test(text);

const minRowNumbers = 3;

/** Whether numbers count the rows, as a program's index does. */
const areRowNumbers = (texts: readonly string[]): boolean =>
  texts.length >= minRowNumbers &&
  texts.every((text, place) => /^\d+$/.test(text) && Number(text) === Number(texts[0]) + place);

/** What the texts of a column have to be for a kind; a kind that is not here takes any. */
const tests: Readonly<Record<string, (texts: readonly string[]) => boolean>> = {
  "Player/UnionID": (texts) =>
    share(texts, (text) => /\d/.test(text)) > 0.5 &&
    share(texts, (text) => decimal.test(text)) < 0.5 &&
    share(texts, (text) => personNumber.test(text)) < 0.5,
  "Player/LifeTimeID": (texts) => share(texts, (text) => personNumber.test(text)) > 0.5,
  "Marker/UnionID": (texts) =>
    share(texts, (text) => memberNumber.test(text) || isDamagedByExcel(text)) > 0.2,
  "Round/StartTime": (texts) => share(texts, isDateText) > 0.4,
  time: (texts) => share(texts, isTimeText) > 0.4,
  HCP: (texts) =>
    share(texts, (text) => number.test(text) || isDamagedByExcel(text)) > 0.5 && !areRowNumbers(texts),
  CourseHandicap: (texts) => share(texts, isWhole) > 0.5,
  PHCP: (texts) => share(texts, isWhole) > 0.5,
  "Round/TournamentRoundNumber": (texts) => share(texts, (text) => /^\D{0,8}[1-9]$/.test(text)) > 0.5,
  "Round/HolesPlayed": (texts) => share(texts, (text) => text === "9" || text === "18") > 0.8,
  "Round/RoundType": (texts) => share(texts, (text) => text === "1" || text === "2") > 0.5,
  "Course/TeeID": (texts) => share(texts, (text) => guid.test(text)) > 0.2,
  "Player/FullName": (texts) => share(texts, (text) => /\p{L}{2}/u.test(text)) > 0.5,
  gender: (texts) => share(texts, (text) => genderOfText(text) !== undefined) > 0.5,
  hole: (texts) => share(texts, (text) => /^([1-9]|1[0-8])$/.test(text)) > 0.9,
  strokes: (texts) => share(texts, isWhole) > 0.5,
  total: (texts) => share(texts, isWhole) > 0.4,
  net: (texts) => share(texts, isWhole) > 0.4,
  points: (texts) => share(texts, isWhole) > 0.4,
};

/** Kinds that another kind's heading may stand above, if the texts say so. */
const also: Readonly<Record<string, readonly string[]>> = {
  time: ["Round/StartTime"],
  "Round/StartTime": ["time"],
  "Course/TeeName": ["Course/TeeID"],
  "Course/TeeID": ["Course/TeeName"],
  "Marker/UnionID": ["Marker/FullName"],
  "Marker/FullName": ["Marker/UnionID"],
  "Player/UnionID": ["Player/LifeTimeID"],
};

/** The texts of a column in the first rows, without empty ones. */
export const textsOf = ({ names, rows }: WorkingTable, column: string): string[] => {
  const place = names.indexOf(column);
  return rows.slice(0, sampleRows).flatMap(({ cells }) => cells[place] || []);
};

/** Whether a column without a sure heading has indexes, by their decimals, or else whole handicaps. */
function kindOfHandicap(texts: readonly string[]): "HCP" | "CourseHandicap" | undefined {
  if (share(texts, (text) => decimal.test(text)) > 0.2) return "HCP";
  return share(texts, isWhole) > 0.5 ? "CourseHandicap" : undefined;
}

/** The columns that a person has said by their fields; empty if the table has none for a field. */
const readColumnAnswers = (answers: Answers): (readonly [field: string, column: string])[] =>
  Object.entries(answers).flatMap(([key, column = ""]) => {
    const [, field] = /^column:(.+)$/.exec(key) ?? [];
    return field === undefined ? [] : [[field, column] as const];
  });

/** Which columns are what, by their headings in the order of preference and by the texts below them. */
export function assignColumns(table: WorkingTable, holes: ReadonlySet<string>, answers: Answers): Assignment {
  const taken = new Set(holes);
  const byKind = new Map<string, string>();
  const texts = new Map<string, string[]>();
  const textsIn = (column: string) => {
    const found = texts.get(column) ?? textsOf(table, column);
    texts.set(column, found);
    return found;
  };
  const passes = (kind: string, column: string) => {
    const found = textsIn(column);
    return found.length === 0 || (tests[kind]?.(found) ?? true);
  };
  const take = (kind: string, column: string) => {
    if (byKind.has(kind) || taken.has(column) || refused.has(kind)) return;
    byKind.set(kind, column);
    taken.add(column);
  };
  /** Takes the only column with such texts: of a pair's numbers, or a birthday and the day of play, only a person knows which. */
  const takeOnly = (kind: string, isOfKind: (texts: readonly string[]) => boolean) => {
    if (byKind.has(kind)) return;
    const found = table.names.filter((column) => !taken.has(column) && isOfKind(textsIn(column)));
    if (found.length === 1) take(kind, found[0] ?? "");
  };
  const said = readColumnAnswers(answers);
  const refused = new Set(said.map(([field]) => field));
  for (const [field, column] of said.filter(([, one]) => table.names.includes(one))) {
    byKind.set(field, column);
    taken.add(column);
  }
  const candidates = table.names
    .filter((name) => !taken.has(name))
    .flatMap((column) =>
      kindsOfHeading(column).map((kind) => ({ column, kind, rank: rankOfHeading(column, kind) })),
    )
    .toSorted((one, other) => one.rank - other.rank);
  for (const { column, kind } of candidates) {
    if (kind !== "handicap" && passes(kind, column)) take(kind, column);
  }
  for (const { column, kind } of candidates) {
    const other = also[kind]?.find(
      (one) =>
        textsIn(column).length > 0 &&
        (one === "Course/TeeName" || one === "Marker/FullName" || passes(one, column)),
    );
    if (other !== undefined) take(other, column);
  }
  const ofHandicaps = candidates.filter(({ kind }) => kind === "handicap");
  takeHandicaps(ofHandicaps, byKind, take, textsIn);
  takeOnly("Player/UnionID", (found) => share(found, (text) => memberNumber.test(text)) > 0.7);
  takeOnly("Round/StartTime", (found) => share(found, isDateText) > 0.9);
  return byKind;
}

/** Columns that nothing was taken from, with decimals as a Handicap Index has them. */
export const findIndexColumns = (table: WorkingTable, used: ReadonlySet<string>): readonly string[] =>
  table.names.filter((column) => {
    const texts = used.has(column) ? [] : textsOf(table, column);
    return share(texts, (text) => decimal.test(text) && Math.abs(Number(text.replace(",", "."))) <= 54) > 0.5;
  });

/** Columns of member numbers that are not the marker's. */
export const findMemberColumns = (table: WorkingTable, byKind: Assignment): readonly string[] =>
  table.names.filter(
    (column) =>
      column !== byKind.get("Marker/UnionID") &&
      !/ •$/.test(column) &&
      share(textsOf(table, column), (text) => memberNumber.test(text)) > 0.7,
  );

/** The place of the column of a kind in each row; -1 if the table has none. */
export const placeOf = ({ names }: Pick<WorkingTable, "names">, byKind: Assignment, kind: string): number =>
  names.indexOf(byKind.get(kind) ?? "");

function takeHandicaps(
  candidates: readonly { readonly column: string }[],
  byKind: Map<string, string>,
  take: (kind: string, column: string) => void,
  textsIn: (column: string) => string[],
): void {
  for (const { column } of candidates) {
    const kind = kindOfHandicap(textsIn(column));
    if (kind !== undefined) take(kind, column);
    if (kind === "CourseHandicap" && byKind.get("CourseHandicap") !== column) take("PHCP", column);
  }
}
