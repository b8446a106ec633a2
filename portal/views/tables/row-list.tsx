import type { RowFilter } from "@scorecard-pipeline/card-files/table-progress";
import { maxRowsAtOnce as rowsAtOnce } from "@scorecard-pipeline/card-files/table-row";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatCount } from "../../base/format.ts";
import { QuietButton } from "../../components/quiet-button.tsx";
import { useTables } from "../../tables/connection.ts";
import type { ShownRow } from "../../tables/shown-row.ts";
import type { ReportedProgress } from "../../tables/worker-messages.ts";
import { words } from "../../texts/tables/texts.ts";
import { Row } from "./table-row.tsx";

const names = words.rows;

/** Some rows of a list. A row that was mended stays until another list is shown, so that it does not vanish from under its reader. */
export function RowList({
  filter,
  from,
  progress,
  onFrom,
}: {
  readonly filter: RowFilter;
  readonly from: number;
  readonly progress: ReportedProgress;
  readonly onFrom: (from: number) => void;
}) {
  const { remote } = useTables();
  const [list, setList] = useState<{ readonly total: number; readonly rows: readonly ShownRow[] }>();
  const pinned = useRef(new Set<number>());
  useEffect(() => {
    let isLatest = true;
    const read = async () => {
      const found = await remote.list(filter, from, [...pinned.current]);
      if (isLatest) setList(found);
    };
    void read();
    return () => {
      isLatest = false;
    };
  }, [remote, filter, from, progress]);
  if (list === undefined) return null;
  const { total, rows } = list;
  return (
    <section class="table-rows" aria-label={names.title}>
      {rows.length === 0 && progress.activity !== "checking" && <p class="quiet">{names.none[filter]}</p>}
      {rows.map((row) => (
        <Row key={row.number} row={row} remote={remote} onChange={(number) => pinned.current.add(number)} />
      ))}
      {total > rowsAtOnce && (
        <div class="actions">
          <QuietButton disabled={from === 0} onClick={() => onFrom(Math.max(0, from - rowsAtOnce))}>
            {names.previous}
          </QuietButton>
          <span>
            {names.range(
              formatCount(from + 1),
              formatCount(Math.min(total, from + rowsAtOnce)),
              formatCount(total),
            )}
          </span>
          <QuietButton disabled={from + rowsAtOnce >= total} onClick={() => onFrom(from + rowsAtOnce)}>
            {names.next}
          </QuietButton>
        </div>
      )}
    </section>
  );
}
