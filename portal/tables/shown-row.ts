import { columnNames, columnsIn } from "@scorecard-pipeline/card-files/base/table-columns";
import type { CardFault } from "@scorecard-pipeline/card-files/card-fault";
import type { ReplacedPart } from "@scorecard-pipeline/card-files/replaced-parts";
import { isSent, type RowOutcome, rowOutcome, type TableRow } from "@scorecard-pipeline/card-files/table-row";
import type { RowForm } from "@scorecard-pipeline/card-files/table-session";
import { inTableWords, type TableFinding } from "@scorecard-pipeline/card-files/table-words";

/** What was found about a row. Without a column it is about the whole row, or a value that all rows share. */
export interface RowFinding extends TableFinding {
  readonly isFault: boolean;
  /** Columns whose cells can be mended; none if it is not known which. */
  readonly cells: readonly string[];
}

/** A row as the page shows it. */
export interface ShownRow {
  /** As a spreadsheet shows it. */
  readonly number: number;
  readonly externalId: string | undefined;
  readonly player: string | undefined;
  /** When the round began, as its card has it. */
  readonly start: string;
  /** Strokes of the holes that have some. */
  readonly score: number;
  readonly outcome: RowOutcome;
  /** Of an accepted card, as it was read last. */
  readonly state: string | undefined;
  readonly findings: readonly RowFinding[];
  /** What it changes of the card that it replaces. */
  readonly replaced: readonly ReplacedPart[];
  /** Texts by column. */
  readonly cells: Readonly<Record<string, string>>;
  /** Whether a cell was mended here. */
  readonly isMended: boolean;
}

/** A row for the page: its findings in the table's words, and the cells that make its card. */
export function showRow(row: TableRow, form: RowForm): ShownRow {
  const { number, externalId, verdict, fault, state } = row;
  const outcome = rowOutcome(row);
  const { errors = [], warnings = [] } = verdict ?? {};
  const faults = outcome === "faulty" ? [...(fault === undefined ? [] : [fault]), ...errors] : [];
  const { Player, Round, Result } = row.card.value as {
    readonly [part: string]: Readonly<Record<string, unknown>> | undefined;
  };
  const strokes = Array.isArray(Result?.Strokes) ? Result.Strokes : [];
  return {
    number,
    externalId,
    player: typeof Player?.FullName === "string" ? Player.FullName : undefined,
    start: String(Round?.StartTime ?? ""),
    score: strokes.reduce((sum: number, count) => sum + Math.max(0, Number(count) || 0), 0),
    outcome,
    state: isSent(row) ? state : undefined,
    findings: [...toRowFindings(faults, true, form), ...toRowFindings(warnings, false, form)],
    replaced: verdict?.replaced ?? [],
    cells: showCells(row.cells, form),
    isMended: row.mended !== undefined,
  };
}

const toRowFindings = (found: readonly CardFault[], isFault: boolean, form: RowForm): RowFinding[] =>
  inTableWords(found, form.columns, form.texts, form.filled).map((finding) => ({
    ...finding,
    isFault,
    cells: findCells(finding, form),
  }));

/** Cells to mend for a finding: its own, or those of all that it is about. */
function findCells(
  { code, pointer = "", column }: CardFault,
  { header, columns }: RowForm,
): readonly string[] {
  if (column !== undefined && header.includes(column)) return [column];
  if (code === "marker_unidentified") return columnsIn(columns, "Marker");
  const [, part = "", name = ""] = pointer.split("/");
  const source = columns.get(`${part}/${name}`);
  return Array.isArray(source) ? (source as readonly string[]) : [];
}

function showCells(
  cells: readonly string[],
  { header, columns, teeColumn }: RowForm,
): Record<string, string> {
  const used = new Set([...columnNames(columns), teeColumn]);
  return Object.fromEntries(
    header.flatMap((name, place) => (used.has(name) ? [[name, cells[place] ?? ""]] : [])),
  );
}
