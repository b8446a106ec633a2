import { readFile } from "node:fs/promises";
import * as z from "zod";
import { cardFields } from "./table-values.ts";

/** Where a field of a card comes from: a column, one column a hole, or a value that all rows share. */
type FieldSource = string | readonly string[] | { readonly value: unknown };

/** Sources by the path of a field, such as `Course/TeeID`. */
export type TableColumns = ReadonlyMap<string, FieldSource>;

const schema = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()), z.strictObject({ value: z.unknown() })]),
);

/**
 * Reads a file that says which column of a table is which field of a card.
 *
 * @throws Error that says what is wrong with it
 */
export async function readColumns(path: string): Promise<TableColumns> {
  const text = await readFile(path, "utf8");
  const { data } = schema.safeParse(jsonOf(text));
  if (data === undefined) {
    throw new Error(
      `${path} does not say which column is which field. Write a JSON object such as {"ExternalID": "Card", "Result/Strokes": ["1", "2"], "Round/RoundType": {"value": 2}}.`,
    );
  }
  for (const [field, source] of Object.entries(data)) {
    if (!cardFields.has(field)) {
      throw new Error(
        `${path}: a card has no field ${field}. There are ${[...cardFields.keys()].join(", ")}.`,
      );
    }
    if (Array.isArray(source) !== (cardFields.get(field) === "list") && !isValue(source)) {
      const wanted = cardFields.get(field) === "list" ? "a list of columns, one a hole" : "one column";
      throw new Error(`${path}: ${field} needs ${wanted}.`);
    }
  }
  return new Map(Object.entries(data));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isValue = (source: FieldSource): source is { readonly value: unknown } =>
  typeof source === "object" && !Array.isArray(source);

/**
 * The columns of a table whose header has the names of fields: `HCP`, `Course/TeeID`, and `Result/Strokes/1` to `/18` for the holes.
 * Other columns are ignored.
 */
export function columnsOfHeader(header: readonly string[]): TableColumns {
  const columns = new Map<string, FieldSource>();
  for (const [field, kind] of cardFields) {
    if (kind === "list") {
      const ofHoles = Array.from({ length: 18 }, (_, hole) => `${field}/${hole + 1}`);
      const present = ofHoles.filter((name) => header.includes(name));
      if (present.length > 0) columns.set(field, present);
    } else if (header.includes(field)) columns.set(field, field);
  }
  return columns;
}

/** The names of all columns that are read. */
export function columnNames(columns: TableColumns): string[] {
  return [...columns.values()].flatMap((source) => (isValue(source) ? [] : source));
}

/**
 * The card of a row.
 *
 * @param cell the text of a column
 * @param read turns a text into the value of a field; undefined leaves it out
 */
export function cardOfRow(
  columns: TableColumns,
  cell: (column: string) => string,
  read: (text: string, field: string) => unknown,
): object {
  const card: Record<string, unknown> = {};
  for (const [field, source] of columns) {
    const [name = "", ofPart] = field.split("/");
    const value = isValue(source)
      ? source.value
      : typeof source === "string"
        ? read(cell(source), field)
        : source.map((column) => read(cell(column), field));
    // Without it, a row whose cells of a part are empty would lack the part, which is no column's fault.
    if (ofPart !== undefined) card[name] ??= {};
    if (value === undefined) continue;
    if (ofPart === undefined) card[name] = value;
    else card[name] = { ...(card[name] as object | undefined), [ofPart]: value };
  }
  return card;
}

/** The column that a fault is in. @param pointer JSON pointer into the card */
export function columnOf(columns: TableColumns, pointer: string): string | undefined {
  const [name = "", ofPart = "", place] = pointer.slice(1).split("/");
  const source = columns.get(name) ?? columns.get(`${name}/${ofPart}`);
  if (source === undefined && ofPart === "") return columnsIn(columns, name)[0];
  if (source === undefined || isValue(source)) return undefined;
  if (typeof source === "string") return source;
  return source[Number(place ?? Number.NaN)] ?? `${source[0]} to ${source.at(-1)}`;
}

/** The columns of a part of the card, such as `Marker`. */
export function columnsIn(columns: TableColumns, part: string): string[] {
  return columnNames(new Map([...columns].filter(([field]) => field.startsWith(`${part}/`))));
}
