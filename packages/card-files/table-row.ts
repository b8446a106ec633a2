import { externalIdOf } from "./base/external-id.ts";
import type { CardFault, FileCard, FileFault, SentCorrection } from "./card-fault.ts";
import { type NamedCard, nameCard } from "./named-cards.ts";
import type { TableProof } from "./proof.ts";
import type { Reading } from "./reading/reading.ts";
import type { ReplacedPart } from "./replaced-parts.ts";
import { changeOfCard, type RowChange, type SentStatus } from "./sent-before.ts";
import type { RowReader } from "./table-cards.ts";
import { isUncounted } from "./uncounted.ts";

/** A table whose rows are worked on. */
export interface ReadTable
  extends Pick<Reading, "header" | "rows" | "numbers">,
    Partial<Pick<Reading, "teeColumn" | "filled">> {
  /** By what each row is proved. */
  readonly proof?: { readonly sums: TableProof["sums"]; readonly tees: Reading["tees"] } | undefined;
}

/** Rows that the page gets at once, however many there are. */
export const maxRowsAtOnce = 50;

/** What the API says of a row. */
interface RowVerdict {
  readonly errors?: readonly CardFault[];
  readonly warnings?: readonly CardFault[];
  readonly corrects?: SentCorrection;
  /** What a correction changes, before and now. */
  readonly replaced?: readonly ReplacedPart[];
}

/** A row of a table with its card, and what is known of it. */
export interface TableRow {
  /** As a spreadsheet shows it. */
  readonly number: number;
  cells: readonly string[];
  card: FileCard;
  externalId: string | undefined;
  /** A fault that is found without the API. */
  fault: FileFault | undefined;
  /** What the API says; undefined if it was not asked yet. */
  verdict: RowVerdict | undefined;
  /** The card that is stored under its name. */
  stored: SentStatus | undefined;
  /** Whether a person has said that it replaces a card of another player, day or course. */
  mayReplace: boolean;
  isLeftOut: boolean;
  /** Whether a person has said that it is sent though it will not count. */
  isReleased: boolean;
  /** Cells that a person wrote, by their columns; undefined if none was. */
  mended: Readonly<Record<string, string>> | undefined;
  /** The cells before those were mended from which others of the row are worked out; undefined once they are. */
  mendedFrom: readonly string[] | undefined;
  /** The JSON of the card that was accepted, and its name. */
  sent: { readonly json: string; readonly externalId: string; readonly isBefore: boolean } | undefined;
  /** Of an accepted card, as it was read last. */
  state: string | undefined;
}

/** What became of a row: `held` waits until a person says that it is sent though it will not count, `replacing` that it replaces a card of another player, day or course, `before` was accepted by an earlier run, and not sent again. */
export type RowOutcome =
  | "unchecked"
  | "faulty"
  | "held"
  | "replacing"
  | "ready"
  | "leftOut"
  | "accepted"
  | "before";

/** Mended cells by their columns, and rows that are left out, by the row's number: what the file does not have. */
export interface TableChanges {
  readonly cells: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly leftOut: readonly number[];
}

/**
 * Reads the rows of a table that are not empty. Several rounds in one row, or rows of several sheets, have the same numbers in the file: by
 * these only one of them would be sent, so they are numbered in their order.
 *
 * @param changes that were made before it was read in another way
 */
export function readRows(
  { header, rows, numbers }: ReadTable,
  readCard: RowReader,
  changes: TableChanges = { cells: {}, leftOut: [] },
): TableRow[] {
  const leftOut = new Set(changes.leftOut);
  const isUnique = new Set(numbers).size === numbers.length;
  return rows.flatMap((original, place): TableRow[] => {
    if (original.every((cell) => cell === "")) return [];
    const number = (isUnique ? numbers[place] : undefined) ?? place + 2;
    const mended = changes.cells[number];
    const cells = mended === undefined ? original : mendCells(header, original, mended);
    return [
      {
        number,
        cells,
        card: readCard(cells, number),
        externalId: undefined,
        fault: undefined,
        verdict: undefined,
        stored: undefined,
        mayReplace: false,
        isReleased: false,
        isLeftOut: leftOut.has(number),
        mended,
        mendedFrom: mended && original,
        sent: undefined,
        state: undefined,
      },
    ];
  });
}

/** The changes of rows, from which `readRows` makes them again. */
export const collectChanges = (rows: readonly TableRow[]): TableChanges => ({
  cells: Object.fromEntries(rows.flatMap(({ number, mended }) => (mended ? [[number, mended]] : []))),
  leftOut: rows.filter((row) => row.isLeftOut).map(({ number }) => number),
});

/**
 * Names the rows that are not left out: a name that was mended may free another row, or take its name.
 *
 * @param renamed names of sent cards by those of the cards that correct them; more are added
 */
export function nameRows(rows: readonly TableRow[], renamed: Map<string, string>): NamedCard[] {
  const seen = new Map<string, number>();
  return rows.flatMap((row) => {
    const { sent, card } = row;
    if (row.isLeftOut && !isSent(row)) return [];
    const name = externalIdOf(card.value);
    // A round whose player or day was mended after it was sent keeps its card.
    if (sent !== undefined && name !== undefined && name !== sent.externalId)
      renamed.set(name, sent.externalId);
    const named = nameCard(card, seen, renamed);
    const { fault, externalId, ...read } = named;
    Object.assign(row, { fault, externalId, ...(card.fault === undefined && { card: read }) });
    return [named];
  });
}

/** Whether a row was sent as it is now. */
export const isSent = ({ sent, card }: TableRow): boolean => sent !== undefined && sent.json === card.json;

/** What became of a row so far. */
export function rowOutcome(row: TableRow): RowOutcome {
  if (isSent(row)) return row.sent?.isBefore ? "before" : "accepted";
  if (row.isLeftOut) return "leftOut";
  if (row.mendedFrom !== undefined) return "unchecked";
  if (row.fault !== undefined || row.verdict?.errors !== undefined) return "faulty";
  if (row.verdict === undefined) return "unchecked";
  if (changeOf(row) === "replaced" && !row.mayReplace) return "replacing";
  return isUncounted(row.verdict.warnings) && !row.isReleased ? "held" : "ready";
}

/** What sending a row does to the rounds that were sent before. */
export const changeOf = ({ stored, verdict }: TableRow): RowChange =>
  changeOfCard(stored !== undefined, verdict?.corrects);

/** Whether the API is to be asked about a row. */
export const isDue = (row: TableRow): boolean =>
  !row.isLeftOut &&
  (row.mendedFrom !== undefined || (!isSent(row) && row.fault === undefined && row.verdict === undefined));

/** The cells of a row after some were mended; it has at least as many as the header then. @param mended texts by column */
export function mendCells(
  header: readonly string[],
  cells: readonly string[],
  mended: Readonly<Record<string, string>>,
): string[] {
  const own = header.map((name, place) => (mended[name] ?? cells[place] ?? "").trim());
  return [...own, ...cells.slice(header.length)];
}
