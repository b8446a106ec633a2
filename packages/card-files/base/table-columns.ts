import { v5 as uuidOf } from "uuid";
import { cardFields } from "./card-fields.ts";
import { readRoundFacts } from "./round-facts.ts";

/** Where a field of a card comes from. */
export type FieldSource =
  /** A column. */
  | string
  /** One column a hole. */
  | readonly string[]
  /** A value that all rows share. */
  | { readonly value: unknown }
  /** Columns whose texts are joined by a space. */
  | { readonly columns: readonly string[] }
  /** Only of the ExternalID: the round tells the card from all others. */
  | { readonly made: "round" };

/** Sources by the path of a field, such as `Course/TeeID`. */
export type TableColumns = ReadonlyMap<string, FieldSource>;

/** The columns that a field comes from. */
export function columnsOfSource(source: FieldSource): readonly string[] {
  if (typeof source === "string") return [source];
  if (isHoles(source)) return source;
  return "columns" in source ? source.columns : [];
}

const isHoles = (source: FieldSource): source is readonly string[] => Array.isArray(source);

/** The names of all columns that are read. */
export function columnNames(columns: TableColumns): string[] {
  return [...columns.values()].flatMap(columnsOfSource);
}

/** Columns in the order of the card's fields. */
export const inOrder = (columns: TableColumns): TableColumns =>
  new Map(
    [...cardFields.keys()].flatMap((field) => {
      const source = columns.get(field);
      return source === undefined ? [] : [[field, source] as const];
    }),
  );

/** Namespace of the names that are made of a round (RFC 9562, version 5). Another one would name all cards anew. */
const namesOfRounds = "5b9a1c52-6d0e-5f0b-9a55-2c8f6b1f7c3e";

/**
 * The name of a card by its tournament, day, round and player: the same from every file and every row that the round stands in.
 *
 * @returns undefined if player or day are missing, which is told of the card
 */
export function nameRound(card: unknown): string | undefined {
  const { tournament, day, round, player } = readRoundFacts(card);
  if (day === undefined || player === undefined) return undefined;
  return uuidOf(JSON.stringify([tournament.toLowerCase(), day, round ?? null, player]), namesOfRounds);
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
  const take = (field: string, value: unknown) => {
    const [name = "", ofPart] = field.split("/");
    // Without it, a row whose cells of a part are empty would lack the part, which is no column's fault.
    if (ofPart !== undefined) card[name] ??= {};
    if (value === undefined) return;
    if (ofPart === undefined) card[name] = value;
    else (card[name] as Record<string, unknown>)[ofPart] = value;
  };
  for (const [field, source] of columns) {
    if (typeof source === "string") take(field, read(cell(source), field));
    else if (isHoles(source))
      take(
        field,
        source.map((column) => read(cell(column), field)),
      );
    else if ("value" in source) take(field, source.value);
    else if ("columns" in source) {
      const texts = source.columns.map(cell).filter((text) => text !== "");
      take(field, read(texts.join(" "), field));
    }
  }
  const ofName = columns.get("ExternalID");
  if (typeof ofName === "object" && "made" in ofName) take("ExternalID", nameRound(card));
  return card;
}

/**
 * The column that a fault is in; of all holes the first and the last one's.
 *
 * @param pointer JSON pointer into the card
 * @param range how the two are written
 */
export function columnOf(
  columns: TableColumns,
  pointer: string,
  range: (first: string, last: string) => string,
): string | undefined {
  const [name = "", ofPart = "", place] = pointer.slice(1).split("/");
  const source = columns.get(name) ?? columns.get(`${name}/${ofPart}`);
  if (source === undefined) return ofPart === "" ? columnsIn(columns, name)[0] : undefined;
  const from = columnsOfSource(source);
  if (!isHoles(source)) return from[0];
  return source[Number(place ?? Number.NaN)] ?? range(from[0] ?? "", from.at(-1) ?? "");
}

/** The columns of a part of the card, such as `Marker`. */
export function columnsIn(columns: TableColumns, part: string): string[] {
  return columnNames(new Map([...columns].filter(([field]) => field.startsWith(`${part}/`))));
}
