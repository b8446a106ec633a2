import { cardFields } from "@scorecard-pipeline/card-files/base/card-fields";
import type { FieldSource } from "@scorecard-pipeline/card-files/base/table-columns";
import type { ColumnList } from "./worker-messages.ts";

/** What every table is asked for, in the order in which a person thinks of it. */
export const neededFields = [
  "ExternalID",
  "Player/UnionID",
  "HCP",
  "CourseHandicap",
  "Round/StartTime",
  "Course/TeeID",
  "Result/Strokes",
  "Marker/UnionID",
  "Marker/FullName",
  "Round/TournamentName",
  "Round/TournamentRoundNumber",
  "Round/RoundType",
  "Result/IsQualifying",
] as const;

/** Fields that some tables have, too. */
export const otherFields: readonly string[] = [...cardFields.keys()].filter(
  (field) => !neededFields.some((one) => one === field) && field !== "ID",
);

/** What a card is named by if the table has no name for it. */
const madeName: FieldSource = { made: "round" };

/**
 * Adds what most tables leave out because it goes without saying: the length of the round by the columns of its holes, the time
 * of the card by the start, a tournament that counts for the handicap, and names that are made.
 */
export function withDefaults(columns: ColumnList): ColumnList {
  const known = new Map(columns);
  const strokes = known.get("Result/Strokes");
  const start = known.get("Round/StartTime");
  const defaults: [string, FieldSource | undefined][] = [
    ["ExternalID", madeName],
    ["CreateDateTime", start],
    ["Round/HolesPlayed", Array.isArray(strokes) ? { value: strokes.length } : undefined],
    ["Round/RoundType", { value: 2 }],
    ["Result/IsQualifying", { value: true }],
  ];
  for (const [field, source] of defaults) {
    if (source !== undefined && !known.has(field)) known.set(field, source);
  }
  return [...known];
}

/** Fields whose defaults a person should see before rows are checked, since the cards depend on them. */
const toBeSeen = ["ExternalID", "Round/RoundType", "Result/IsQualifying", "Round/TournamentName"];

/** Whether a table's own columns say so much that its rows can be checked at once. */
export const saysAll = (columns: ColumnList): boolean =>
  toBeSeen.every((field) => columns.some(([one, source]) => one === field && typeof source === "string"));

/** How a field is chosen in the form. */
export type ChoiceKind = "none" | "same" | "made" | "column" | "layout";

/** How the source of a field is shown in the form. `layout` is one that only a layout or a file of columns makes. */
export function classifySource(source: FieldSource | undefined): ChoiceKind {
  if (source === undefined) return "none";
  if (typeof source === "string" || Array.isArray(source)) return "column";
  if ("value" in source) return "same";
  return "made" in source ? "made" : "layout";
}

/** The source for a choice of the form. @param choice a column, or one of the kinds with a sign that no heading begins with */
export function chooseSource(choice: string, before: FieldSource | undefined): FieldSource | undefined {
  if (choice === "\u0000none") return undefined;
  if (choice === "\u0000made") return classifySource(before) === "made" ? before : madeName;
  if (choice === "\u0000layout") return before;
  if (choice === "\u0000same") return classifySource(before) === "same" ? before : { value: "" };
  return choice;
}

/** The columns of the holes from one on, in the order of the table; fewer if it ends before. */
export function holesFrom(header: readonly string[], first: string, count: number): readonly string[] {
  const place = header.indexOf(first);
  return place === -1 ? [] : header.slice(place, place + count);
}

/** Sources without values that were left empty. */
export const withoutEmpty = (columns: ColumnList): ColumnList =>
  columns.filter(
    ([, source]) =>
      !(
        typeof source === "object" &&
        "value" in source &&
        (source.value === "" || source.value === undefined || source.value === null)
      ),
  );
