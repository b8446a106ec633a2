import { cardFields, requiredFields } from "./base/card-fields.ts";
import { columnOf, columnsIn, type TableColumns } from "./base/table-columns.ts";
import type { CardFault } from "./card-fault.ts";
import { addedColumns, type FilledColumns } from "./reading/reading.ts";
import { textOfValue } from "./table-values.ts";
import type { TableTexts } from "./words/en.ts";

/** The field of a pointer, without the hole of a list. @example "Result/Strokes" for "/Result/Strokes/3" */
function fieldOf(pointer: string): string {
  const [name = "", part] = pointer.slice(1).split("/");
  return part === undefined || cardFields.has(name) ? name : `${name}/${part}`;
}

const whatToWrite = (field: string, texts: TableTexts): string =>
  texts.examples[field] ?? texts.examplesOfKind[cardFields.get(field) ?? "text"] ?? "";

/** Faults of one cell whose text is not, or not quite, a value of its field. */
const cellFaults: Readonly<Record<string, keyof TableTexts["meanings"]>> = {
  required: "required",
  out_of_range: "notPossible",
  value_not_allowed: "notPossible",
  external_id_invalid: "noName",
  wrong_type: "unreadable",
  guid_invalid: "unreadable",
  timestamp_invalid: "unreadable",
  ten_thousandths_invalid: "unreadable",
  lifetime_id_invalid: "unreadable",
  union_id_invalid: "unreadable",
};

/** What to do about a finding, for somebody who sees only the table; undefined if the API's words can be used. */
function remedyOf(finding: CardFault, columns: TableColumns, texts: TableTexts): string | undefined {
  const { code, pointer = "", expected } = finding;
  const field = fieldOf(pointer);
  const value = textOfExpected(expected, field, texts) ?? "";
  const cell = cellFaults[code];
  if (cell !== undefined) {
    // What the API expects of a whole number is a bound, "at most 200".
    const bound = cardFields.get(field) === "number" && value !== "" ? value : undefined;
    return texts.write(texts.meanings[cell], whatToWrite(field, texts), bound);
  }
  if (code === "marker_unidentified")
    return texts.noMarker(columnsIn(columns, "Marker").map(quoted).join(texts.or));
  if (code === "handicap_not_a_tenth") return texts.moreDecimals(whatToWrite(field, texts));
  // The API has no rows, so it does not say which one is the first.
  if (code === "duplicate_external_id" && typeof expected === "number")
    return isMade(columns) ? texts.sameCard(expected) : texts.sameName(expected);
  return remedies(texts, value)[code];
}

/** What to do about other findings. @param value that the API expects */
const remedies = (texts: TableTexts, value: string): Readonly<Record<string, string>> => ({
  tee_unknown: texts.unknownTee,
  start_in_future: texts.inFuture,
  version_not_in_force: texts.beforeCourse(value),
  strokes_count: texts.otherHoles(value),
  no_hole_played: texts.noHole,
  holes_played_mismatch: texts.otherLength(value),
  handicap_unlikely: texts.unlikelyHandicap,
  handicap_differs: texts.otherHandicap(value),
  course_handicap_differs: texts.otherCourseHandicap(value),
  start_long_ago: texts.longAgo,
});

/** Whether cards are named by what they are of, and not by a cell. */
function isMade(columns: TableColumns): boolean {
  const source = columns.get("ExternalID");
  return typeof source === "object" && "made" in source;
}

const quoted = (column: string) => JSON.stringify(column);

/** What the API expects, as a table has it: 71.8 for "718000". */
function textOfExpected(expected: unknown, field: string, texts: TableTexts): string | undefined {
  if (expected === undefined || (typeof expected === "object" && expected !== null)) return undefined;
  const [, words = "", bound = ""] =
    /^(at least|at most|not before|not after) (.+)$/.exec(String(expected)) ?? [];
  const inWords = texts.bounds[words];
  if (inWords === undefined) return textOfValue(expected, field, texts);
  return inWords(/^\d{8}$/.test(bound) ? textOfValue(`${bound}T000000`, field, texts) : bound);
}

/** Fields that describe a course outside the union. A table has no holes, so it cannot have such a course. */
const isOfUnlistedCourse = ({ code, pointer = "" }: CardFault) =>
  code === "required" && /^\/Course(\/|$)/.test(pointer);

function columnAt(columns: TableColumns, pointer: string, texts: TableTexts): { column?: string } {
  const column = columnOf(columns, pointer, texts.to);
  return column === undefined ? {} : { column };
}

/**
 * Tells the findings of one row for somebody who sees only the table: with the column, and with what to write in the cell, in the table's
 * own units. Faults that have one cause are one. What only the API can say stays in its words.
 *
 * @param findings as the API or the reader of the file told them
 * @param filled columns that the file does not have: a fault of theirs is one of the cells that they are worked out from
 */
export function inTableWords(
  findings: readonly CardFault[],
  columns: TableColumns,
  texts: TableTexts,
  filled: FilledColumns = new Map(),
): CardFault[] {
  const isUnlisted = findings.some(isOfUnlistedCourse);
  // A card whose name could not be made lacks what it is made of, which is told.
  const isNameless = ({ code, pointer }: CardFault) =>
    code === "required" && pointer === "/ExternalID" && isMade(columns);
  // Both times are of one column.
  const isRepeated = ({ pointer }: CardFault) => pointer === "/CreateDateTime";
  const isLeftOut = (finding: CardFault) =>
    (isUnlisted && isOfUnlistedCourse(finding)) || isNameless(finding) || isRepeated(finding);
  const told = findings
    .filter((finding) => !isLeftOut(finding))
    .map((finding) => ({
      ...finding,
      ...(finding.column === undefined &&
        finding.pointer !== undefined &&
        columnAt(columns, finding.pointer, texts)),
      detail: remedyOf(finding, columns, texts) ?? translated(finding.detail, columns, texts),
    }));
  const pointer = "/Course/TeeID";
  const unknownTee = {
    code: "tee_unknown",
    pointer,
    ...columnAt(columns, pointer, texts),
    detail: texts.unknownTee,
  };
  // One fault in place of those of a course that the union does not have: the tee that the row names.
  const all = isUnlisted && !told.some((one) => one.pointer === pointer) ? [unknownTee, ...told] : told;
  return ofWrittenCells(all, filled, texts);
}

/** Faults of cells that are worked out are those of the cells that they follow from. */
function ofWrittenCells(told: readonly CardFault[], filled: FilledColumns, texts: TableTexts): CardFault[] {
  const isTold = (source: string) => told.some(({ column }) => column === source);
  return told.flatMap((finding) => {
    const sources = filled.get(finding.column ?? "") ?? [];
    if (sources.some(isTold)) return [];
    const [column] = sources;
    if (column === undefined || finding.column !== addedColumns.tee) return [finding];
    return [{ ...finding, column, detail: texts.teeNotFound }];
  });
}

/** The API's words, with the names of columns instead of those of fields. */
function translated(detail: string, columns: TableColumns, texts: TableTexts): string {
  let text = detail;
  for (const field of cardFields.keys()) {
    const column = columnOf(columns, `/${field}`, texts.to);
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
  const hasMarker = [...columns.keys()].some((field) => field.startsWith("Marker/"));
  return [
    ...requiredFields.filter((field) => !has(field)),
    ...(has("Course/TeeID") ? [] : ["Course/TeeID"]),
    ...(hasMarker ? [] : ["Marker/UnionID"]),
  ];
}
