import { longestExternalId } from "../../core/golf/references.ts";
import { fields, formInWords } from "../../core/golf/scorecard.ts";
import type { CardFault } from "./card-fault.ts";
import { columnOf, columnsIn, type TableColumns } from "./table-columns.ts";
import { cardFields, textOfValue } from "./table-values.ts";

/** What a field of a card, or each hole of a list, is written as in a table; follows "Write". */
const examples: Readonly<Record<string, string>> = {
  ExternalID: `a name of 1 to ${longestExternalId} characters that no other card has`,
  HCP: "the handicap index, such as 15.8, or +1.2 for a plus handicap",
  CourseHandicap: "the course handicap, a whole number such as 18",
  PHCP: "the playing handicap, a whole number such as 18, or leave the cell empty",
  "Course/TeeID": "the ID of the tee that was played, such as BFE01603-9F66-5724-83DD-7E850840E082",
  "Course/TeeRating": "the Course Rating, such as 71.8, or leave the cell empty",
  "Course/TeeSlope": "the Slope Rating, a whole number such as 119, or leave the cell empty",
  "Course/Country": "a country's two letters, such as DK",
  "Round/RoundType": "1 for general play or 2 for a tournament",
  "Result/Strokes": "the number of strokes, x if the ball was picked up, or - if the hole was not played",
  "Result/Points": "the Stableford points of the hole, a number from 0",
};

const examplesOfKind: Readonly<Record<string, string>> = {
  time: "a day and a time that exist, such as 24.11.2026 08:10",
  boolean: "yes or no",
  number: "a whole number from 0",
};

/** The field of a pointer, without the hole of a list. @example "Result/Strokes" for "/Result/Strokes/3" */
function fieldOf(pointer: string): string {
  const [name = "", part] = pointer.slice(1).split("/");
  return part === undefined || cardFields.has(name) ? name : `${name}/${part}`;
}

function whatToWrite(field: string): string {
  return examples[field] ?? examplesOfKind[cardFields.get(field) ?? ""] ?? formInWords(field);
}

/** Faults of one cell whose text is not, or not quite, a value of its field. */
const cellFaults: Readonly<Record<string, string>> = {
  required: "The cell is empty.",
  out_of_range: "The cell has a value that is not possible.",
  value_not_allowed: "The cell has a value that is not possible.",
  external_id_invalid: "The cell cannot be the name of a card.",
};

/** Codes of faults that only say that a cell cannot be read as its field. */
const unreadableCodes = new Set([
  "wrong_type",
  "guid_invalid",
  "timestamp_invalid",
  "ten_thousandths_invalid",
  "lifetime_id_invalid",
  "union_id_invalid",
  "country_invalid",
  "slope_invalid",
]);

/** What to do about a finding, for somebody who sees only the table; undefined if the API's words can be used. */
function remedyOf({ code, pointer = "", expected }: CardFault, columns: TableColumns): string | undefined {
  const field = fieldOf(pointer);
  const value = textOfExpected(expected, field);
  if (code in cellFaults || unreadableCodes.has(code)) {
    const why = cellFaults[code] ?? "The cell cannot be read.";
    // What the API expects of a whole number is a bound, "at most 200".
    const bound = cardFields.get(field) === "number" && value !== undefined ? `, ${value}` : "";
    return `${why} Write ${whatToWrite(field)}${bound}.`;
  }
  switch (code) {
    case "marker_unidentified":
      return `The marker is missing. Write a member number or a name in ${columnsIn(columns, "Marker").map(quoted).join(" or ")}.`;
    case "course_unknown":
      return "The union has no course with this ID. Write the ID of the course that was played.";
    case "club_mismatch":
      return `The course belongs to another club. Write ${value}, the ID of its club, or leave the cell empty.`;
    case "tee_unknown":
    case "tee_ambiguous": {
      const tees = teesIn(expected, field);
      const why = code === "tee_unknown" ? "The course has no such tee." : "Several tees have this name.";
      const which = field === "Course/TeeName" && code === "tee_unknown" ? "name" : "ID";
      return `${why} Write the ${which} of the tee that was played${tees === "" ? "" : `: ${tees}`}.`;
    }
    case "start_in_future":
      return "The round has not been played yet. Write the day and the time at which it began.";
    case "version_not_in_force":
      return `The course did not exist on that day, ${value}. Write the day and the time at which the round began.`;
    case "total_mismatch":
    case "tee_rating_mismatch":
    case "tee_slope_mismatch":
    case "net_double_bogey_differs":
      return `${code === "total_mismatch" ? "The holes come to" : "Right is"} ${value}. Write ${value}, or leave the cell empty.`;
    case "points_differ":
      return "The points are not what strokes and handicap come to. They are passed on as written. Leave the cells empty to have them calculated; if the format counts points in another way, nothing is to be corrected.";
    case "strokes_count":
    case "points_count":
      return `The tee has ${value} holes, so ${value} columns are needed. Put cards of other lengths into a table of their own.`;
    case "no_hole_played":
      return "No hole was played. Write the strokes of each hole, or x if the ball was picked up; or delete the row.";
    case "holes_played_mismatch":
      return `Write the number of holes of the round, ${value}.`;
    case "handicap_not_a_tenth":
    case "rating_not_a_tenth":
      return `The number has more than one decimal. Write ${whatToWrite(field)}, if that is meant.`;
    case "handicap_unlikely":
      return "No player has such a handicap index. Write it with its decimal point, such as 15.8; a plus handicap as +1.2.";
    case "handicap_differs":
      return `The union has ${value} for the player. If the round was played off the index that is written, nothing is to be corrected.`;
    case "start_long_ago":
      return "The round is from before 2000. Write the day and the time at which it began.";
    default:
      return undefined;
  }
}

const quoted = (column: string) => JSON.stringify(column);

/** What the API expects, as a table has it: 71.8 for "718000". */
function textOfExpected(expected: unknown, field: string): string | undefined {
  if (expected === undefined || (typeof expected === "object" && expected !== null)) return undefined;
  const [, words = "", day] = /^(not (?:before|after) )(\d{8})$/.exec(String(expected)) ?? [];
  return day === undefined ? textOfValue(expected, field) : `${words}${textOfValue(`${day}T000000`, field)}`;
}

const mostNamedTees = 8;

/** The tees that a course has, by the name or the ID that the column takes. */
function teesIn(expected: unknown, field: string): string {
  const tees = Array.isArray(expected) ? (expected as { TeeID?: string; TeeName?: string }[]) : [];
  return tees
    .slice(0, mostNamedTees)
    .map(({ TeeID, TeeName }) => (field === "Course/TeeID" ? `${TeeID} (${TeeName})` : TeeName))
    .join(", ");
}

/** Fields that describe a course outside the union. A table has no holes, so it cannot have such a course. */
const isOfUnlistedCourse = ({ code, pointer = "" }: CardFault) =>
  code === "required" && /^\/Course(\/|$)/.test(pointer);

/** One fault in place of those of a course that the union does not have: the tee or the course that the row names. */
function unknownTee(columns: TableColumns): CardFault {
  const field = ["Course/TeeID", "Course/CourseID", "Course/TeeName"].find((name) => columns.has(name));
  const pointer = `/${field ?? "Course/TeeID"}`;
  return {
    code: "tee_unknown",
    pointer,
    ...columnAt(columns, pointer),
    detail: `The union has no ${field === "Course/CourseID" ? "course" : "tee"} with this ID. Write the ID of the ${field === "Course/CourseID" ? "course" : "tee"} that was played, as the union's register has it.`,
  };
}

function columnAt(columns: TableColumns, pointer: string): { column?: string } {
  const column = columnOf(columns, pointer);
  return column === undefined ? {} : { column };
}

/**
 * Tells the findings of one row for somebody who sees only the table: with the column, and with what to write in the cell, in the table's
 * own units. Faults that have one cause are one.
 *
 * @param findings as the API or the reader of the file told them
 */
export function inTableWords(findings: readonly CardFault[], columns: TableColumns): CardFault[] {
  const isUnlisted = findings.some(isOfUnlistedCourse);
  const told = findings
    .filter((finding) => !(isUnlisted && isOfUnlistedCourse(finding)))
    .map((finding) => ({
      ...finding,
      ...(finding.pointer !== undefined && columnAt(columns, finding.pointer)),
      detail: remedyOf(finding, columns) ?? translated(finding.detail, columns),
    }));
  const isCauseTold = told.some(({ pointer }) => /^\/Course\/(CourseID|TeeID|TeeName)$/.test(pointer ?? ""));
  return withoutRepetition(isUnlisted && !isCauseTold ? [unknownTee(columns), ...told] : told);
}

/** Without what a cell is told twice, because two fields come from its column. */
function withoutRepetition(findings: readonly CardFault[]): CardFault[] {
  const isSame = (one: CardFault, other: CardFault) =>
    one.column === other.column && one.detail === other.detail;
  return findings.filter(
    (one, place) => one.column === undefined || findings.findIndex((other) => isSame(one, other)) === place,
  );
}

/** The API's words, with the names of columns instead of those of fields. */
function translated(detail: string, columns: TableColumns): string {
  let text = detail;
  for (const field of cardFields.keys()) {
    const column = columnOf(columns, `/${field}`);
    if (column === undefined || !text.includes(lastName(field))) continue;
    const name = new RegExp(`(?<![\\w/"])(?:${field}|${lastName(field)})(?![\\w/"])`, "g");
    text = text.replaceAll(name, () => quoted(column));
  }
  return text
    .replaceAll(/\bcard at index \d+ of this submission, (.+?), is /g, 'card "$1" is ')
    .replaceAll(/\bSend\b/g, "Write")
    .replaceAll(/\bsend\b/g, "write");
}

const lastName = (field: string) => field.split("/").at(-1) ?? field;

/** Fields that every card needs and that no column or common value gives. */
export function missingFields(columns: TableColumns): string[] {
  const has = (field: string) => columns.has(field);
  const required = Object.entries({ "": fields.card, "Round/": fields.round, "Result/": fields.result })
    .flatMap(([part, of]) =>
      Object.entries(of).flatMap(([name, field]) => ("required" in field ? [`${part}${name}`] : [])),
    )
    .filter((field) => cardFields.has(field) && !has(field));
  const hasTee = has("Course/TeeID") || (has("Course/CourseID") && has("Course/TeeName"));
  const hasMarker = columnsIn(columns, "Marker").length > 0 || hasValueIn(columns, "Marker");
  return [
    ...required,
    ...(has("Player/UnionID") ? [] : ["Player/UnionID"]),
    ...(hasTee ? [] : ["Course/TeeID"]),
    ...(hasMarker ? [] : ["Marker/UnionID"]),
  ];
}

const hasValueIn = (columns: TableColumns, part: string) =>
  [...columns.keys()].some((field) => field.startsWith(`${part}/`));
