import { cardFields, requiredFields } from "./base/card-fields.ts";
import { columnOf, columnsIn, type TableColumns } from "./base/table-columns.ts";
import type { CardFault } from "./card-fault.ts";
import { addedColumns, type FilledColumns } from "./reading/reading.ts";
import type { TableTexts } from "./words/en.ts";

/** The field of a pointer, without the hole of a list. @example "Result/Strokes" for "/Result/Strokes/3" */
function fieldOf(pointer: string): string {
  const [name = "", part] = pointer.slice(1).split("/");
  return part === undefined || cardFields.has(name) ? name : `${name}/${part}`;
}

const whatToWrite = (field: string, texts: TableTexts): string =>
  texts.examples[field.replace("Marker/U", "Player/U")] ??
  texts.examplesOfKind[cardFields.get(field) ?? "text"] ??
  "";

/** Codes of one cell that is empty, or has no value of its field. */
const ofCell = /^(?:required|out_of_range|value_not_allowed|wrong_type)$|_invalid$/;

/** Faults that are found without the API, in the table's words. */
const ofFile: ReadonlySet<string> = new Set(["cells_count", "excel_date", "sum_differs"]);

/** What to write into the table's cells because of a finding; undefined if the code's own meaning says it. */
function findRemedy(finding: CardFault, columns: TableColumns, texts: TableTexts): string | undefined {
  const { code, pointer = "", expected } = finding;
  if (ofFile.has(code)) return finding.detail;
  if (ofCell.test(code)) return texts.write(whatToWrite(fieldOf(pointer), texts));
  if (code === "marker_unidentified")
    return texts.noMarker(columnsIn(columns, "Marker").map(quoted).join(texts.or));
  // The API has no rows, so it does not say which one is the first.
  if (code === "duplicate_external_id" && typeof expected === "number")
    return isMade(columns) ? texts.sameCard(expected) : texts.sameName(expected);
  return undefined;
}

/** Whether cards are named by what they are of, and not by a cell. */
function isMade(columns: TableColumns): boolean {
  const source = columns.get("ExternalID");
  return typeof source === "object" && "made" in source;
}

const quoted = (column: string) => JSON.stringify(column);

/** Fields that describe a course outside the union. A table has no holes, so it cannot have such a course. */
const isOfUnlistedCourse = ({ code, pointer = "" }: CardFault) =>
  code === "required" && /^\/Course(\/|$)/.test(pointer);

function columnAt(columns: TableColumns, pointer: string, texts: TableTexts): { column?: string } {
  const column = columnOf(columns, pointer, texts.to);
  return column === undefined ? {} : { column };
}

/** A finding as somebody is told who sees only the table. */
export interface TableFinding extends CardFault {
  /** What to write into its cells; without it the code's own meaning says what to do. */
  readonly told?: string;
}

/**
 * Tells the findings of one row for somebody who sees only the table: with the column, and with what to write in the cell, in the table's
 * own units. Faults that have one cause are one.
 *
 * @param findings as the API or the reader of the file told them
 * @param filled columns that the file does not have: a fault of theirs is one of the cells that they are worked out from
 */
export function inTableWords(
  findings: readonly CardFault[],
  columns: TableColumns,
  texts: TableTexts,
  filled: FilledColumns = new Map(),
): TableFinding[] {
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
    .map((finding): TableFinding => {
      const { column, pointer } = finding;
      const remedy = findRemedy(finding, columns, texts);
      return {
        ...finding,
        ...(column === undefined && pointer !== undefined && columnAt(columns, pointer, texts)),
        ...(remedy !== undefined && { told: remedy }),
      };
    });
  const pointer = "/Course/TeeID";
  const unknownTee = {
    ...{ code: "tee_unknown", pointer, detail: texts.unknownTee, told: texts.unknownTee },
    ...columnAt(columns, pointer, texts),
  };
  // One fault in place of those of a course that the union does not have: the tee that the row names.
  const all = isUnlisted && !told.some((one) => one.pointer === pointer) ? [unknownTee, ...told] : told;
  return ofWrittenCells(all, filled, texts);
}

/** Faults of cells that are worked out are those of the cells that they follow from. */
function ofWrittenCells(
  told: readonly TableFinding[],
  filled: FilledColumns,
  texts: TableTexts,
): TableFinding[] {
  const isTold = (source: string) => told.some(({ column }) => column === source);
  return told.flatMap((finding) => {
    const sources = filled.get(finding.column ?? "") ?? [];
    if (sources.some(isTold)) return [];
    const [column] = sources;
    if (column === undefined || finding.column !== addedColumns.tee) return [finding];
    return [{ ...finding, column, told: texts.teeNotFound }];
  });
}

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
