import { cardFields } from "./card-fields.ts";
import { columnsOfSource, type FieldSource, type TableColumns } from "./table-columns.ts";

/** The columns that a tournament system's table has. */
interface TableLayout {
  readonly system: string;
  /** Columns that no other system's table has together. */
  readonly signature: readonly string[];
  /** Fields of the card by their columns; those that a table lacks are left out. */
  readonly columns: Readonly<Record<string, FieldSource>>;
}

/** Layouts as the systems' public help pages show them. What a page does not show is in no layout. */
const layouts: readonly TableLayout[] = [
  {
    // intercom.help/tournament-management/en/articles/11612718, "Export Results for WHS"
    system: "Golf Genius",
    signature: ["Tournament Local UID", "Player Local UID", "Round Number", "License Number"],
    columns: {
      ExternalID: { columns: ["Tournament Local UID", "Player Local UID", "Round Number"] },
      CreateDateTime: "Round Date",
      "Round/StartTime": "Round Date",
      "Round/TournamentName": "Tournament Name",
      "Round/TournamentRoundNumber": "Round Number",
      // The first or the last nine holes, or all.
      "Round/HolesPlayed": { column: "Nb Holes Played", meanings: { "1": "9", "2": "9", "3": "18" } },
      "Round/RoundType": { value: 2 },
      "Player/UnionID": "License Number",
      "Player/FullName": { columns: ["First Name", "Last Name"] },
    },
  },
  {
    // tw.golfsoftware.com/support/solutions/articles/4000213911, columns of its list of players
    system: "Tournament Manager (golfsoftware.com)",
    signature: ["GHIN ID Number", "Golfer Name", "Handicap Index"],
    columns: {
      HCP: "Handicap Index",
      "Round/RoundType": { value: 2 },
      "Player/UnionID": "GHIN ID Number",
      "Player/FullName": "Golfer Name",
    },
  },
];

/** The tournament system whose layout a header has; undefined if it is none that is known. */
export const systemOf = (header: readonly string[]): string | undefined => layoutOf(header)?.system;

const layoutOf = (header: readonly string[]) =>
  layouts.find(({ signature }) => signature.every((name) => header.includes(name)));

/** The columns whose headings are the names of fields: `HCP`, `Course/TeeID`, and `Result/Strokes/1` to `/18` for the holes. */
function namedColumns(header: readonly string[]): [string, FieldSource][] {
  return [...cardFields].flatMap(([field, kind]): [string, FieldSource][] => {
    if (kind !== "list") return header.includes(field) ? [[field, field]] : [];
    const ofHoles = Array.from({ length: 18 }, (_, hole) => `${field}/${hole + 1}`);
    const present = ofHoles.filter((name) => header.includes(name));
    return present.length > 0 ? [[field, present]] : [];
  });
}

/**
 * The columns of a table: those that are given, and of a tournament system's table what is known of its layout. If none are
 * given, the header names the fields. Other columns are ignored.
 *
 * @param given which column is which field, before everything else
 */
export function columnsOfHeader(header: readonly string[], given?: TableColumns): TableColumns {
  const known = Object.entries(layoutOf(header)?.columns ?? {}).filter(([, source]) =>
    columnsOfSource(source).every((name) => header.includes(name)),
  );
  const named = given === undefined ? namedColumns(header) : [];
  return new Map([...known, ...named, ...(given ?? [])]);
}
