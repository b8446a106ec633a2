import { cardFields } from "../base/card-fields.ts";
import { columnsOfSource, type FieldSource, type TableColumns } from "../base/table-columns.ts";
import tableWords from "../words/table-words.json" with { type: "json" };

/** The columns that a tournament system's table has. */
interface TableLayout {
  readonly name: string;
  /** The page that shows them. */
  readonly source: string;
  /** Columns that no other system's table has together. */
  readonly signature: readonly string[];
  /** Fields of the card by their columns; those that a table lacks are left out. */
  readonly columns: Readonly<Record<string, FieldSource>>;
}

/** Layouts as the systems' public help pages show them. What a page does not show is in no layout. */
const layouts: readonly TableLayout[] = tableWords.systems;

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
