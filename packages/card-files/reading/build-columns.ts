import { cardFields } from "../base/card-fields.ts";
import { columnNames, type FieldSource, inOrder, type TableColumns } from "../base/table-columns.ts";
import type { Assignment } from "./assign-columns.ts";
import type { RoundContext } from "./find-sheet.ts";
import { isUnnamed, kindsOfHeading, plainHeading } from "./headings.ts";
import type { ReadHoles } from "./read-strokes.ts";
import { courseLabel, type ReadTees } from "./read-tees.ts";
import { type Answers, addedColumns, type CourseOfClub, type Note, type Question } from "./reading.ts";

/** Which column of the table that was made is which field of a card. */
export function buildColumns(parts: {
  readonly byKind: Assignment;
  readonly start: FieldSource | undefined;
  readonly read: ReadHoles | undefined;
  readonly filled: ReadonlyMap<string, FieldSource>;
  readonly tees: ReadTees;
  readonly context: RoundContext;
}): TableColumns {
  const { byKind, start, read, filled, context } = parts;
  const columns = new Map(filled);
  const set = (field: string, source: FieldSource | undefined) => {
    if (source !== undefined && !columns.has(field)) columns.set(field, source);
  };
  // The start is made of a day and a time.
  for (const field of cardFields.keys()) if (field !== "Round/StartTime") set(field, byKind.get(field));
  const [first, last] = [byKind.get("firstName"), byKind.get("lastName")];
  if (first !== undefined && last !== undefined) columns.set("Player/FullName", { columns: [first, last] });
  set("Player/FullName", last ?? first);
  set("Round/StartTime", start);
  set("CreateDateTime", start);
  set("Result/Strokes", read?.columns);
  if (read?.hasHoleCount) columns.set("Round/HolesPlayed", addedColumns.holes);
  const strokes = columns.get("Result/Strokes");
  if (Array.isArray(strokes)) set("Round/HolesPlayed", { value: strokes.length });
  set("Round/RoundType", { value: 2 });
  set("Result/IsQualifying", { value: true });
  const { tournament } = context.answers;
  const marker = context.answers.marker ?? context.facts.committee;
  if (![...columns.keys()].some((field) => field.startsWith("Marker/")) && marker !== undefined)
    set(/^\d+-\w+$/.test(marker) ? "Marker/UnionID" : "Marker/FullName", { value: marker });
  if (tournament !== undefined && tournament !== "") set("Round/TournamentName", { value: tournament });
  else if (tournament === undefined)
    set("Round/TournamentName", valueOrNone(titleOf(context, parts.tees.course)));
  set("ExternalID", { made: "round" });
  return inOrder(columns);
}

const valueOrNone = (text: string | undefined): FieldSource | undefined =>
  text === undefined ? undefined : { value: text };

const genericTitles =
  /^(result|resultat|score|sheet|ark|tabel|blad|leaderboard|export|rapport|report|liste?|players?|spillere|page|side|printed|udskrevet)/i;

/** The title beside a word for the tournament, or the first above the table that names one. */
function titleOf({ chosen }: RoundContext, course: CourseOfClub | undefined): string | undefined {
  const places =
    course === undefined ? [] : [course.Name, course.clubName, courseLabel(course)].map(plainHeading);
  const titles = chosen.aside.filter(
    ({ reason, number }) => reason === "title" && number % 1_000_000 <= chosen.heading.first,
  );
  const isName = (heading = "") => kindsOfHeading(heading).includes("Round/TournamentName");
  const named = titles.flatMap(({ cells }) =>
    cells.filter((text, place) => text !== "" && isName(cells[place - 1])),
  );
  if (named[0] !== undefined) return named[0];
  return titles
    .flatMap(({ cells }) => cells)
    .find(
      (text) =>
        /\p{L}{3}/u.test(text) &&
        !places.includes(plainHeading(text)) &&
        !genericTitles.test(text) &&
        !/:\s*$/.test(text) &&
        text.length < 100,
    );
}

export function tournamentNote(columns: TableColumns, { answers }: RoundContext): Note[] {
  const source = columns.get("Round/TournamentName");
  return answers.tournament === undefined && typeof source === "object" && "value" in source
    ? [{ kind: "tournament", text: String(source.value) }]
    : [];
}

/** Asks for the members' numbers if no column is known to have them. @param names of all columns */
export function memberQuestion(columns: TableColumns, names: readonly string[]): Question[] {
  if (columns.has("Player/UnionID")) return [];
  const used = new Set(columnNames(columns));
  const free = names.filter((name) => !used.has(name) && !/ •$/.test(name) && !isUnnamed(name));
  return [{ id: "columns", about: "Player/UnionID", choices: free.map((value) => ({ value })) }];
}

/** Says that the committee stands for markers whom the table does not have. */
export function markerNote(columns: TableColumns, { answers, facts }: RoundContext): Note[] {
  const source = columns.get("Marker/FullName");
  const isCommittee = typeof source === "object" && "value" in source && source.value === facts.committee;
  return isCommittee && answers.marker === undefined
    ? [{ kind: "marker", text: String(facts.committee) }]
    : [];
}

export function markerQuestion(columns: TableColumns, { marker }: Answers): Question[] {
  const has = [...columns.keys()].some((field) => field.startsWith("Marker/"));
  return has || marker !== undefined ? [] : [{ id: "marker", about: "", choices: [] }];
}
