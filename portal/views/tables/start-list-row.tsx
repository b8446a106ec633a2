import type { StartListFault } from "@scorecard-pipeline/card-files/start-list";
import { QuietButton } from "../../components/quiet-button.tsx";
import type { OpenTable } from "../../tables/connection.ts";
import type { ShownListRow } from "../../tables/start-list-session.ts";
import { words } from "../../texts/tables/texts.ts";
import { Cell } from "./table-cell.tsx";

const names = words.startList;

const formatFault = ({ kind, first }: StartListFault) => names.faults[kind](String(first ?? ""));

export function Row({
  row: { number, unionId, label, faults, refusal, isLeftOut },
  columns,
  onMend,
  onLeaveOut,
}: {
  readonly row: ShownListRow;
  readonly columns: OpenTable["opened"]["startList"];
  readonly onMend: (field: "unionId" | "label", text: string) => void;
  readonly onLeaveOut: () => void;
}) {
  const title = `row-${number}`;
  const isFaulty = (field: "unionId" | "label") => faults.some((fault) => fault.field === field);
  return (
    <article class="panel table-row" aria-labelledby={title}>
      <h2 id={title}>{words.rows.row(String(number))}</h2>
      {!isLeftOut && (faults.length > 0 || refusal !== undefined) && (
        <ul class="row-findings">
          {faults.map((fault) => (
            <li key={fault.field} class="fault">
              <strong>{columns[fault.field]}: </strong>
              {formatFault(fault)}
            </li>
          ))}
          {faults.length === 0 && refusal !== undefined && <li class="fault">{refusal}</li>}
        </ul>
      )}
      {!isLeftOut && (
        <div class="cells">
          <Cell
            id={`list-${number}-unionId`}
            label={columns.unionId}
            text={unionId}
            isFaulty={isFaulty("unionId")}
            onMend={(text) => onMend("unionId", text)}
          />
          {columns.label !== "" && (
            <Cell
              id={`list-${number}-label`}
              label={columns.label}
              text={label}
              isFaulty={isFaulty("label")}
              onMend={(text) => onMend("label", text)}
            />
          )}
        </div>
      )}
      <div class="row-actions">
        <QuietButton onClick={onLeaveOut}>
          {isLeftOut ? words.rows.takeBack : words.rows.leaveOut}
        </QuietButton>
      </div>
    </article>
  );
}
