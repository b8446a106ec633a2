import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ConfirmButton } from "../../components/action.tsx";
import { saveFile } from "../../components/save-file.ts";
import { StateChip } from "../../components/state-chip.tsx";
import { Tile } from "../../components/tile.tsx";
import { formatCount } from "../../format.ts";
import { useTables } from "../../tables/connection.ts";
import type { RowFilter, ShownRow } from "../../tables/table-session.ts";
import type { ToldProgress, WorkerFailure } from "../../tables/table-worker.ts";
import { words } from "../../texts/tables/texts.ts";
import { texts } from "../../texts/texts.ts";
import { ProgressBar } from "../tournaments/tournaments-view.tsx";
import { SentNote } from "./sent-note.tsx";
import { Cell } from "./table-cell.tsx";

const names = words.rows;
/** As many as the worker gives at once. */
const rowsAtOnce = 50;
const filters: readonly RowFilter[] = ["faults", "warnings", "unsent", "all"];

/** The rows of a table: what is wrong with them, mending, sending, and what became of them. @param name of the file */
export function TableRows({ name }: { readonly name: string }) {
  const { remote, progress } = useTables();
  const [filter, setFilter] = useState<RowFilter>();
  const [from, setFrom] = useState(0);
  // Rows that are being mended stay where they are when the last of them is.
  const hasFaults = (progress?.faulty ?? 0) > 0;
  useEffect(() => {
    if (hasFaults) setFilter((chosen) => chosen ?? "faults");
  }, [hasFaults]);
  if (progress === undefined) return null;
  const { rows, faulty, ready, warned, leftOut, accepted, before, activity, failure } = progress;
  // What is to be mended is listed first, and everything once there is nothing.
  const shown = filter ?? (hasFaults || activity === "checking" ? "faults" : "all");
  const show = (changed: RowFilter) => {
    setFilter(changed);
    setFrom(0);
  };
  const isIdle = activity === "idle";
  const save = async () => {
    const text = await remote.csv();
    saveFile(`\ufeff${text}`, `${name.replace(/\.[^.]*$/, "")}-mended.csv`);
  };
  return (
    <>
      <p class="quiet">{name}</p>
      <ProgressBar sent={rows} delivered={accepted} failed={faulty} />
      <p role="status" class="table-status">
        {statusText(progress)}
      </p>
      {activity === "sending" && <p class="quiet">{names.sendingNote}</p>}
      <dl class="tiles">
        <Tile name={names.tiles.rows} value={formatCount(rows)} />
        <Tile name={names.tiles.faulty} value={formatCount(faulty)} kind={faulty > 0 ? "bad" : ""} />
        <Tile name={names.tiles.warned} value={formatCount(warned)} />
        {leftOut > 0 && <Tile name={names.tiles.leftOut} value={formatCount(leftOut)} />}
        <Tile name={names.tiles.ready} value={formatCount(ready)} />
        <Tile name={names.tiles.accepted} value={formatCount(accepted)}>
          {before > 0 && names.tiles.before(formatCount(before))}
        </Tile>
      </dl>
      {failure !== undefined && (
        <section class="notice fault" role="alert">
          <h2>{words.failure.title}</h2>
          <p>{failureOf(failure)}</p>
          <button type="button" class="quiet-button" onClick={() => void remote.recheck()}>
            {words.failure.again}
          </button>
        </section>
      )}
      {accepted > 0 && isIdle && <SentNote progress={progress} />}
      <div class="actions send-actions">
        {ready > 0 && (
          <ConfirmButton
            label={ready === 1 ? words.send.one : words.send.button(formatCount(ready))}
            title={words.send.title}
            text={
              faulty > 0
                ? words.send.textFaulty(formatCount(ready), formatCount(faulty))
                : words.send.text(formatCount(ready))
            }
            disabled={!isIdle}
            onConfirm={() => void remote.send()}
          />
        )}
        <button type="button" class="quiet-button" onClick={() => void save()}>
          {names.save}
        </button>
      </div>
      <fieldset class="row-filters">
        <legend>{names.show}</legend>
        {filters.map((one) => (
          <button
            key={one}
            type="button"
            class="quiet-button"
            aria-pressed={one === shown}
            onClick={() => show(one)}
          >
            {filterText(one, progress)}
          </button>
        ))}
      </fieldset>
      <RowList key={`${shown} ${from}`} filter={shown} from={from} progress={progress} onFrom={setFrom} />
    </>
  );
}

const failureOf = ({ kind, detail = "" }: WorkerFailure): string =>
  kind === "other" ? words.failure.other(detail) : words.failure[kind];

function statusText({ rows, checked, accepted, leftOut, activity }: ToldProgress): string {
  if (activity === "checking" && checked < rows)
    return names.checking(formatCount(checked), formatCount(rows));
  if (activity === "sending") return names.sending(formatCount(accepted), formatCount(rows));
  if (accepted === 0) return "";
  if (accepted === rows) return words.send.done(formatCount(accepted));
  return accepted + leftOut === rows
    ? words.send.doneLeftOut(formatCount(accepted), formatCount(leftOut))
    : words.send.partly(formatCount(accepted), formatCount(rows - accepted - leftOut));
}

function filterText(filter: RowFilter, { faulty, warned }: ToldProgress): string {
  if (filter === "faults") return names.filters.faults(formatCount(faulty));
  return filter === "warnings" ? names.filters.warnings(formatCount(warned)) : names.filters[filter];
}

/** Some rows of a list. A row that was mended stays until another list is shown, so that it does not vanish from under its reader. */
function RowList({
  filter,
  from,
  progress,
  onFrom,
}: {
  readonly filter: RowFilter;
  readonly from: number;
  readonly progress: ToldProgress;
  readonly onFrom: (from: number) => void;
}) {
  const { remote } = useTables();
  const [list, setList] = useState<{ readonly total: number; readonly rows: readonly ShownRow[] }>();
  const pinned = useRef(new Set<number>());
  const isReading = useRef(false);
  const isDue = useRef(false);
  const read = useCallback(async () => {
    isDue.current = true;
    if (isReading.current) return;
    isReading.current = true;
    while (isDue.current) {
      isDue.current = false;
      const { total, numbers } = await remote.list(filter, from);
      const all = [...new Set([...pinned.current, ...numbers])].toSorted((one, other) => one - other);
      setList({ total, rows: await remote.rows(all.slice(0, rowsAtOnce)) });
    }
    isReading.current = false;
  }, [remote, filter, from]);
  useEffect(() => void read(), [read, progress]);
  if (list === undefined) return null;
  const { total, rows } = list;
  const pin = (number: number) => pinned.current.add(number);
  return (
    <section class="table-rows" aria-label={names.title}>
      {rows.length === 0 && progress.activity !== "checking" && <p class="quiet">{names.none[filter]}</p>}
      {rows.map((row) => (
        <Row key={row.number} row={row} remote={remote} onChange={pin} />
      ))}
      {total > rowsAtOnce && (
        <div class="actions">
          <button
            type="button"
            class="quiet-button"
            disabled={from === 0}
            onClick={() => onFrom(Math.max(0, from - rowsAtOnce))}
          >
            {names.previous}
          </button>
          <span>
            {names.range(
              formatCount(from + 1),
              formatCount(Math.min(total, from + rowsAtOnce)),
              formatCount(total),
            )}
          </span>
          <button
            type="button"
            class="quiet-button"
            disabled={from + rowsAtOnce >= total}
            onClick={() => onFrom(from + rowsAtOnce)}
          >
            {names.next}
          </button>
        </div>
      )}
    </section>
  );
}

/** Cells that are shown beside a finding; of more the reader opens all cells of the row. */
const mostCellsBeside = 2;

function Row({
  row,
  remote,
  onChange,
}: {
  readonly row: ShownRow;
  readonly remote: ReturnType<typeof useTables>["remote"];
  readonly onChange: (number: number) => void;
}) {
  const { number, externalId, player, outcome, state, findings, cells, isMended } = row;
  // A cell that was mended stays, so that the keyboard's place does and a second thought is possible.
  const edited = useRef(new Set<string>());
  const concerned = new Set([
    ...findings.flatMap((finding) => (finding.cells.length <= mostCellsBeside ? finding.cells : [])),
    ...edited.current,
  ]);
  // In the order of the table, which does not change while cells are mended.
  const beside = Object.keys(cells).filter((column) => concerned.has(column));
  const isOver = outcome === "accepted" || outcome === "before";
  const surplus = Object.keys(cells).filter(
    (column) => !concerned.has(column) && isSurplus(column, findings),
  );
  const mend = (column: string, text: string) => {
    onChange(number);
    edited.current.add(column);
    void remote.mend(number, { [column]: text });
  };
  const cell = (column: string, of: string) => (
    <Cell
      key={column}
      id={`${of}-${number}-${column}`}
      label={isSurplus(column, findings) ? names.surplus(column) : column}
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
          {names.row(String(number))}
          {externalId !== undefined && <span class="quiet"> · {externalId}</span>}
          {player !== undefined && <span class="quiet"> · {player}</span>}
        </h2>
        {isMended && !isOver && outcome !== "faulty" && <span class="quiet">{names.mended}</span>}
        <StateChip
          state={chipOf[outcome] ?? state ?? ""}
          label={isOver && state !== undefined ? (texts.states[state] ?? state) : names.outcomes[outcome]}
        />
      </div>
      {findings.length > 0 && (
        <ul class="row-findings">
          {findings.map((finding, place) => (
            <li key={place} class={finding.isFault ? "fault" : "warning"}>
              {finding.column !== undefined && <strong>{finding.column}: </strong>}
              {finding.detail}
              {finding.cells.length === 0 &&
                finding.column === undefined &&
                finding.code !== "cells_count" && <span class="quiet"> {names.shared}</span>}
            </li>
          ))}
        </ul>
      )}
      {(beside.length > 0 || surplus.length > 0) && (
        <div class="cells">{[...beside, ...surplus].map((column) => cell(column, "beside"))}</div>
      )}
      <div class="row-actions">
        <AllCells columns={Object.keys(cells)} cell={cell} />
        {findings.some(({ code }) => code === "cells_count") && surplus.length === 0 && (
          <button
            type="button"
            class="quiet-button"
            onClick={() => {
              onChange(number);
              void remote.mend(number, {});
            }}
          >
            {names.useCells}
          </button>
        )}
        {!isOver && (
          <button
            type="button"
            class="quiet-button"
            onClick={() => {
              onChange(number);
              void remote.leaveOut(number, outcome !== "leftOut");
            }}
          >
            {outcome === "leftOut" ? names.takeBack : names.leaveOut}
          </button>
        )}
      </div>
    </article>
  );
}

/** The colours of outcomes that are no states of a card; the others have their state's. */
const chipOf: Readonly<Record<string, string>> = {
  unchecked: "queued",
  faulty: "rejected",
  ready: "active",
  leftOut: "withdrawn",
};

/** Whether a cell stands beyond the last column: its name is its place. */
const isSurplus = (column: string, findings: ShownRow["findings"]) =>
  /^\d+$/.test(column) && findings.some(({ code }) => code === "cells_count");

function AllCells({
  columns,
  cell,
}: {
  readonly columns: readonly string[];
  readonly cell: (column: string, of: string) => preact.ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{names.allCells}</summary>
      {isOpen && <div class="cells">{columns.map((column) => cell(column, "all"))}</div>}
    </details>
  );
}
