import { rowsOfSheet } from "@scorecard-pipeline/card-files/reading/reading";
import { CardState } from "@scorecard-pipeline/scorecards-client";
import { useRef, useState } from "preact/hooks";
import { formatWallClock } from "../../base/format.ts";
import { isMadeName } from "../../components/made-name.ts";
import { QuietButton } from "../../components/quiet-button.tsx";
import { RefusalFault } from "../../components/refusal-fault.tsx";
import { StateChip } from "../../components/state-chip.tsx";
import type { useTables } from "../../tables/connection.ts";
import type { ShownRow } from "../../tables/shown-row.ts";
import { words } from "../../texts/tables/texts.ts";
import { texts } from "../../texts/texts.ts";
import { Cell } from "./table-cell.tsx";

const names = words.rows;

/** Cells that are shown beside a finding; of more the reader opens all cells of the row. */
const maxCellsBeside = 2;

export function Row({
  row,
  remote,
  onChange,
}: {
  readonly row: ShownRow;
  readonly remote: ReturnType<typeof useTables>["remote"];
  readonly onChange: (number: number) => void;
}) {
  const { number, externalId, player, start, score, outcome, state, findings, replaced, cells } = row;
  // A cell that was mended stays, so that the keyboard's place does and a second thought is possible.
  const edited = useRef(new Set<string>());
  const concerned = new Set([
    ...findings.flatMap((finding) => (finding.cells.length <= maxCellsBeside ? finding.cells : [])),
    ...edited.current,
  ]);
  // In the order of the table, which does not change while cells are mended.
  const beside = Object.keys(cells).filter((column) => concerned.has(column));
  const isOver = outcome === "accepted" || outcome === "before";
  const mend = (column: string, text: string) => {
    onChange(number);
    edited.current.add(column);
    void remote.mend(number, { [column]: text });
  };
  const cell = (column: string, of: string) => (
    <Cell
      key={column}
      id={`${of}-${number}-${column}`}
      label={column}
      text={cells[column] ?? ""}
      isFaulty={findings.some((finding) => finding.isFault && finding.cells.includes(column))}
      onMend={(text) => mend(column, text)}
    />
  );
  const title = `row-${number}`;
  return (
    <article class={`panel table-row ${outcome}`} aria-labelledby={title}>
      <div class="table-row-head">
        <h2 id={title}>
          {player ?? names.row(rowLabel(number))}
          {player !== undefined && <span class="quiet"> · {names.row(rowLabel(number))}</span>}
          {start !== "" && <span class="quiet"> · {formatWallClock(start)}</span>}
          {score > 0 && <span class="quiet"> · {names.score(score)}</span>}
          {externalId !== undefined && !isMadeName(externalId) && <span class="quiet"> · {externalId}</span>}
        </h2>
        {row.isMended && !isOver && outcome !== "faulty" && <span class="quiet">{names.mended}</span>}
        <StateChip
          state={chips[outcome] ?? state ?? ""}
          label={isOver && state !== undefined ? (texts.states[state] ?? state) : names.outcomes[outcome]}
        />
      </div>
      {findings.length > 0 && (
        <ul class="row-findings">
          {findings.map((finding, place) => (
            <li key={place} class={finding.isFault ? "fault" : "warning"}>
              <Told finding={finding} />
              {finding.cells.length === 0 &&
                finding.column === undefined &&
                finding.code !== "cells_count" && <span class="quiet"> {names.shared}</span>}
            </li>
          ))}
        </ul>
      )}
      {replaced.length > 0 && !isOver && (
        <p class="row-findings">
          <strong>{names.replaces}</strong>{" "}
          {replaced
            .map(({ field, before, now }) => `${formatField(field)}: ${before || "–"} → ${now}`)
            .join("; ")}
        </p>
      )}
      {beside.length > 0 && <div class="cells">{beside.map((column) => cell(column, "beside"))}</div>}
      <div class="row-actions">
        <AllCells columns={Object.keys(cells)} cell={cell} externalId={externalId} />
        {!isOver && (
          <QuietButton
            onClick={() => {
              onChange(number);
              void remote.leaveOut(number, outcome !== "leftOut");
            }}
          >
            {outcome === "leftOut" ? names.takeBack : names.leaveOut}
          </QuietButton>
        )}
      </div>
    </article>
  );
}

/** A finding in the table's words, or else in those that the code has everywhere. */
const Told = ({ finding }: { readonly finding: ShownRow["findings"][number] }) =>
  finding.told === undefined ? (
    <RefusalFault fault={finding} place={finding.column} />
  ) : (
    <>
      {finding.column !== undefined && <strong>{finding.column}: </strong>}
      {finding.told}
    </>
  );

/** The name of a field, or of a hole, that a correction changes. */
const formatField = (field: string): string => {
  const [, hole] = /^hole (\d+)$/.exec(field) ?? [];
  return hole === undefined ? (words.fields[field] ?? field) : words.grid.hole(hole);
};

/** A row's number; of several sheets that are read, with that of its sheet. */
const rowLabel = (number: number): string =>
  number < rowsOfSheet
    ? String(number)
    : `${Math.floor(number / rowsOfSheet) + 1}:${Number((number % rowsOfSheet).toFixed(1))}`;

/** The colours of outcomes that are no states of a card; the others have their state's. */
const chips: Readonly<Record<string, string>> = {
  unchecked: CardState.queued,
  faulty: CardState.rejected,
  held: CardState.rejected,
  replacing: CardState.rejected,
  ready: "active",
  leftOut: CardState.withdrawn,
};

function AllCells({
  columns,
  cell,
  externalId,
}: {
  readonly externalId: string | undefined;
  readonly columns: readonly string[];
  readonly cell: (column: string, of: string) => preact.ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{names.allCells}</summary>
      {isOpen && externalId !== undefined && (
        <p class="quiet">
          {words.fields.ExternalID}: <code>{externalId}</code>
        </p>
      )}
      {isOpen && <div class="cells">{columns.map((column) => cell(column, "all"))}</div>}
    </details>
  );
}
