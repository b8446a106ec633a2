import { maxOtherRounds } from "@scorecard-pipeline/card-files/sent-before";
import type { RowFilter } from "@scorecard-pipeline/card-files/table-progress";
import { useEffect, useState } from "preact/hooks";
import { formatCount } from "../../base/format.ts";
import { ConfirmButton } from "../../components/action.tsx";
import { describeCode } from "../../components/meaning.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { saveFile } from "../../components/save-file.ts";
import { Tile } from "../../components/tile.tsx";
import { useTables } from "../../tables/connection.ts";
import type { ReportedProgress } from "../../tables/worker-messages.ts";
import { words } from "../../texts/tables/texts.ts";
import { texts } from "../../texts/texts.ts";
import { RowList } from "./row-list.tsx";
import { SentNote } from "./sent-note.tsx";

const names = words.rows;

const filters: readonly RowFilter[] = ["faults", "held", "warnings", "all"];

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
  const { rows, faulty, replacing, reordered, unasked, common, changes } = progress;
  const { held, ready, warned, leftOut, accepted, before, activity, failure } = progress;
  // What is to be mended is listed first, and everything once there is nothing.
  const shown = filter ?? (hasFaults || activity === "checking" ? "faults" : "all");
  const show = (changed: RowFilter) => {
    setFilter(changed);
    setFrom(0);
  };
  const isIdle = activity === "idle";
  const isOtherOrder = reordered > maxOtherRounds;
  const save = async () => {
    const text = await remote.csv();
    saveFile(`\ufeff${text}`, `${name.replace(/\.[^.]*$/, "")}-mended.csv`);
  };
  return (
    <>
      <p class="quiet">{name}</p>
      <p role="status" class="table-status">
        {formatStatus(progress)}
      </p>
      {activity === "sending" && <p class="quiet">{names.sendingNote}</p>}
      <dl class="tiles">
        <Tile name={names.tiles.rows} value={formatCount(rows)} />
        <Tile name={names.tiles.faulty} value={formatCount(faulty)} kind={faulty > 0 ? "bad" : ""} />
        {held > 0 && <Tile name={names.tiles.held} value={formatCount(held)} kind="bad" />}
        <Tile name={names.tiles.warned} value={formatCount(warned)} />
        {leftOut > 0 && <Tile name={names.tiles.leftOut} value={formatCount(leftOut)} />}
        <Tile name={names.tiles.ready} value={formatCount(ready)} />
        <Tile name={names.tiles.accepted} value={formatCount(accepted)}>
          {before > 0 && names.tiles.before(formatCount(before))}
        </Tile>
      </dl>
      {failure !== undefined && failure.kind !== "expired" && (
        <section class="notice fault" role="alert">
          <h2>{words.failure.title}</h2>
          <p>{"detail" in failure ? failure.detail : { ...texts.failure, ...words.failure }[failure.kind]}</p>
          <QuietButton onClick={() => void remote.recheck()}>{texts.failure.again}</QuietButton>
        </section>
      )}
      {isOtherOrder && (
        <p class="notice fault" role="alert">
          {words.send.otherOrder(formatCount(reordered))}
        </p>
      )}
      {isIdle &&
        common.map(({ first: { code, told = describeCode(code) }, cards, of }) => (
          <section key={code} class="notice warning">
            <p>{words.send.common(formatCount(cards), formatCount(of), told)}</p>
            <QuietButton onClick={() => void remote.confirm(code)}>{words.send.confirm}</QuietButton>
          </section>
        ))}
      {unasked > 0 && ready > 0 && <p class="notice warning">{words.send.unasked(formatCount(unasked))}</p>}
      {ready > 0 && isIdle && (
        <p class="counts">
          {(["new", "corrected", "unchanged", "replaced"] as const).map(
            (change) =>
              (change !== "replaced" || changes.replaced > 0) && (
                <span key={change}>{words.send.changes[change](formatCount(changes[change]))}</span>
              ),
          )}
        </p>
      )}
      {accepted > 0 && isIdle && <SentNote progress={progress} />}
      <div class="actions send-actions">
        {ready > 0 && !isOtherOrder && (
          <ConfirmButton
            label={words.send.button(formatCount(ready))}
            title={words.send.title}
            text={
              faulty > 0
                ? words.send.textFaulty(formatCount(ready), formatCount(faulty))
                : words.send.text(formatCount(ready))
            }
            disabled={!isIdle || common.length > 0}
            onConfirm={() => void remote.send()}
          />
        )}
        {held > 0 && (
          <ConfirmButton
            label={words.send.held(formatCount(held))}
            title={words.send.heldTitle}
            text={words.send.heldText(formatCount(held))}
            kind="quiet-button"
            disabled={!isIdle}
            onConfirm={() => void remote.release()}
          />
        )}
        {replacing > 0 && !isOtherOrder && (
          <ConfirmButton
            label={words.send.replace(formatCount(replacing))}
            title={words.send.replaceTitle}
            text={words.send.replaceText(formatCount(replacing))}
            kind="quiet-button"
            disabled={!isIdle}
            onConfirm={() => void remote.allowReplacing()}
          />
        )}
        <QuietButton onClick={() => void save()}>{names.save}</QuietButton>
      </div>
      <fieldset class="row-filters">
        <legend>{names.show}</legend>
        {filters
          .filter((one) => one !== "held" || held > 0)
          .map((one) => (
            <button
              key={one}
              type="button"
              class="quiet-button"
              aria-pressed={one === shown}
              onClick={() => show(one)}
            >
              {formatFilter(one, progress)}
            </button>
          ))}
      </fieldset>
      <RowList key={`${shown} ${from}`} filter={shown} from={from} progress={progress} onFrom={setFrom} />
    </>
  );
}

function formatStatus({ rows, checked, accepted, leftOut, activity }: ReportedProgress): string {
  if (activity === "checking" && checked < rows)
    return names.checking(formatCount(checked), formatCount(rows));
  if (activity === "sending") return names.sending(formatCount(accepted), formatCount(rows));
  if (accepted === 0) return "";
  if (accepted === rows) return words.send.done(formatCount(accepted));
  return accepted + leftOut === rows
    ? words.send.doneLeftOut(formatCount(accepted), formatCount(leftOut))
    : words.send.partly(formatCount(accepted), formatCount(rows - accepted - leftOut));
}

function formatFilter(filter: RowFilter, { faulty, held, warned }: ReportedProgress): string {
  if (filter === "faults") return names.filters.faults(formatCount(faulty));
  if (filter === "held") return names.filters.held(formatCount(held));
  return filter === "warnings" ? names.filters.warnings(formatCount(warned)) : names.filters[filter];
}
