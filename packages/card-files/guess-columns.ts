import { cardFields } from "./base/card-fields.ts";
import { columnNames, type FieldSource, type TableColumns } from "./base/table-columns.ts";
import { columnsOfHeader } from "./base/table-layouts.ts";

/** Headings that people write above the column of a field, in English and Danish, in the order of preference. */
const headings: Readonly<Record<string, readonly string[]>> = {
  ExternalID: ["external id", "card", "card id", "scorecard", "scorecard id", "kort", "kort id", "scorekort"],
  HCP: ["hcp", "handicap index", "hcp index", "whs index", "index", "handicapindeks", "indeks", "handicap"],
  CourseHandicap: ["course handicap", "course hcp", "ch", "banehandicap", "bane hcp", "tildelte slag"],
  PHCP: [
    "playing handicap",
    "playing hcp",
    "phcp",
    "ph",
    "spillehandicap",
    "spille hcp",
    "turneringshandicap",
  ],
  Comment: ["comment", "remark", "note", "bemærkning", "kommentar"],
  "Course/TeeID": ["tee id", "tee", "tees"],
  "Course/TeeName": ["tee name", "tee navn"],
  "Course/CourseID": ["course id", "bane id"],
  "Course/ClubID": ["club id", "klub id"],
  "Round/HolesPlayed": [
    "holes played",
    "nb holes played",
    "holes",
    "number of holes",
    "huller",
    "antal huller",
  ],
  "Round/RoundType": ["round type", "type", "rundetype"],
  "Round/StartTime": [
    "start time",
    "start",
    "tee time",
    "date and time",
    "played",
    "date",
    "round date",
    "starttid",
    "dato",
    "spilledag",
  ],
  "Round/TournamentName": [
    "tournament name",
    "tournament",
    "competition",
    "event",
    "turnering",
    "turneringsnavn",
  ],
  "Round/TournamentRoundNumber": ["round number", "round", "round no", "runde", "runde nr", "rundenummer"],
  "Result/IsQualifying": ["qualifying", "is qualifying", "counts", "tællende", "handicaptællende"],
  "Result/TotalStrokes": ["total strokes", "gross", "total", "brutto", "slag i alt"],
  "Result/TotalPoints": ["total points", "stableford points", "point i alt"],
  "Player/FullName": ["player", "player name", "full name", "name", "golfer name", "spiller", "navn"],
  "Player/HomeClubName": ["home club", "club", "club name", "hjemmeklub", "klub"],
  "Player/UnionID": [
    "union id",
    "member",
    "member number",
    "member no",
    "membership number",
    "player id",
    "license number",
    "dgu number",
    "medlem",
    "medlemsnummer",
    "medlemsnr",
    "medlemsnr.",
    "dgu nr",
    "dgu nummer",
    "ghin id number",
    "ghin",
  ],
  "Player/LifeTimeID": ["lifetime id", "lifetimeid"],
  "Marker/UnionID": [
    "marker",
    "marker number",
    "marker id",
    "marker member",
    "markør",
    "markør nr",
    "markørnummer",
  ],
  "Marker/FullName": ["marker name", "marker full name", "markørnavn", "markørens navn"],
};

/** A heading as it is compared: in lower case, with words instead of signs. */
const plain = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The hole that a heading is above, as "1", "Hole 1", "hul 1", "H1" or "Hole 1 strokes". */
function holeOf(heading: string): number | undefined {
  const [, digits] =
    /^(?:(?:hole|hul|h|s|strokes|score|slag|result strokes)(?: hole| hul)? ?)?(\d{1,2})(?: (?:strokes|score|slag))?$/.exec(
      plain(heading),
    ) ?? [];
  const hole = Number(digits);
  return hole >= 1 && hole <= 18 ? hole : undefined;
}

/** The columns of the holes in their order; undefined if there are not nine or eighteen that follow one another. */
function holesOf(header: readonly string[]): readonly string[] | undefined {
  const byHole = new Map<number, string>();
  for (const name of header) {
    const hole = holeOf(name);
    if (hole !== undefined && !byHole.has(hole)) byHole.set(hole, name);
  }
  const holes = [...byHole.keys()].toSorted((one, other) => one - other);
  const isWhole = holes.length === 18 || (holes.length === 9 && (holes[0] === 1 || holes[0] === 10));
  const follows = holes.every((hole, place) => hole === (holes[0] ?? 0) + place);
  return isWhole && follows ? holes.map((hole) => byHole.get(hole) ?? "") : undefined;
}

/**
 * A first guess at which column is which field, for a person to look at: what the header or a tournament system's layout
 * says, and headings that people write.
 */
export function guessColumns(header: readonly string[]): TableColumns {
  const known = columnsOfHeader(header);
  const taken = new Set(columnNames(known));
  const byHeading = new Map(header.map((name) => [plain(name), name]));
  const guessed: [string, FieldSource][] = [];
  const take = (field: string, column: string) => {
    guessed.push([field, column]);
    taken.add(column);
  };
  const holes = holesOf(header);
  for (const name of holes ?? []) taken.add(name);
  for (const [field, names] of Object.entries(headings)) {
    if (known.has(field)) continue;
    const own = [field, field.split("/").at(-1) ?? field].map(plain);
    const column = [...own, ...names]
      .map((name) => byHeading.get(name))
      .find((name) => name !== undefined && !taken.has(name));
    if (column !== undefined) take(field, column);
  }
  if (holes !== undefined && !known.has("Result/Strokes")) guessed.push(["Result/Strokes", holes]);
  return inOrder(new Map([...known, ...guessed]));
}

/** Columns in the order of the card's fields. */
export function inOrder(columns: TableColumns): TableColumns {
  return new Map(
    [...cardFields.keys()].flatMap((field) => {
      const source = columns.get(field);
      return source === undefined ? [] : [[field, source] as const];
    }),
  );
}
