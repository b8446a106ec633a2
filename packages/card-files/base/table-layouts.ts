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

const columnsOfSystem = (header: readonly string[]) =>
  layouts.find(({ signature }) => signature.every((name) => header.includes(name)))?.columns ?? {};

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
 * The columns that a header says itself: those of a tournament system's table, and those that are headed by the names of fields, as a program
 * writes it. A heading such as HCP is a person's, unless others have the paths of fields.
 */
export function columnsOfHeader(header: readonly string[]): TableColumns {
  const ofSystem = Object.entries(columnsOfSystem(header)).filter(([, source]) =>
    columnsOfSource(source).every((name) => header.includes(name)),
  );
  const isOfFields =
    header.includes("ExternalID") ||
    header.some((name) => name.includes("/") && cardFields.has(name.replace(/\/\d+$/, "")));
  return new Map([...ofSystem, ...(isOfFields ? namedColumns(header) : [])]);
}
