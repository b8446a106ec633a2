import type { Answers } from "@scorecard-pipeline/card-files/reading/reading";
import { textEncodings } from "@scorecard-pipeline/card-files/reading/text-encoding";
import { formatCount } from "../../base/format.ts";
import { Panel } from "../../components/panel.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import type { OpenTable } from "../../tables/connection.ts";
import { words } from "../../texts/tables/texts.ts";
import { CardDrawing } from "./card-drawing.tsx";
import { GridPreview } from "./grid-preview.tsx";
import { QuestionsPanel } from "./questions-panel.tsx";

const names = words.columns;

/** How a table was read: what is asked about it, its tournament and marker, and a card to be compared with the one on paper. */
export function ColumnsForm({
  table: { name, opened },
  problem,
  onCheck,
  onDownload,
  onAnswer,
  onCancel,
}: {
  readonly table: OpenTable;
  /** What keeps it from being checked, in sentences. */
  readonly problem: string | undefined;
  readonly onCheck: () => void;
  /** Makes a workbook to fill in of a list of players. */
  readonly onDownload: () => void;
  /** What a person knows of the table; it is read again by it. */
  readonly onAnswer: (answers: Answers) => void;
  readonly onCancel: () => void;
}) {
  const { questions, stops, drawn, asideRows, rows, isList } = opened;
  const told = [...new Set([...stops, ...(problem === undefined ? [] : [problem])])].join(" ");
  return (
    <form
      class="columns-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isList) onDownload();
        else onCheck();
      }}
    >
      <p class="quiet">
        {names.about(name, formatCount(rows))}{" "}
        {asideRows > 0 && names.cards(formatCount(rows), formatCount(rows + asideRows))}
      </p>
      {told !== "" && (
        <p class="notice fault" role="alert">
          {told}
        </p>
      )}
      {isList && <p class="notice">{words.template.about}</p>}
      {stops.length === 0 && <QuestionsPanel questions={questions} onAnswer={onAnswer} />}
      <div class="filters">
        <SharedText field="Round/TournamentName" answer="tournament" opened={opened} onAnswer={onAnswer} />
        <SharedText field="Marker/FullName" answer="marker" opened={opened} onAnswer={onAnswer} />
        {!isList && !questions.some(({ id }) => id === "ball") && (
          <label class="check">
            <input
              type="checkbox"
              checked={opened.answers.ball !== "side"}
              onChange={({ currentTarget }) => onAnswer({ ball: currentTarget.checked ? "own" : "side" })}
            />
            {words.reading.notes.ball()}
          </label>
        )}
        {(opened.answers.hidden === "read" ||
          opened.notes.some(({ kind, text }) => kind === "hidden" && text !== "0")) && (
          <label class="check">
            <input
              type="checkbox"
              checked={opened.answers.hidden === "read"}
              onChange={({ currentTarget }) => onAnswer({ hidden: currentTarget.checked ? "read" : "" })}
            />
            {names.readHidden}
          </label>
        )}
        {opened.encoding !== undefined && (
          <label>
            {names.encoding}
            <select
              value={opened.encoding}
              onChange={({ currentTarget }) => onAnswer({ encoding: currentTarget.value })}
            >
              {textEncodings.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {drawn.length > 0 && (
        <Panel id="drawn" title={names.drawn}>
          {drawn.map((card) => (
            <CardDrawing key={card.row} card={card} />
          ))}
        </Panel>
      )}
      <Panel id="grid" title={words.grid.title}>
        <GridPreview
          opened={opened}
          onColumn={(column, field, before) =>
            onAnswer({
              ...(before !== undefined && { [`column:${before}`]: "" }),
              ...(field !== "" && { [`column:${field}`]: column }),
            })
          }
        />
      </Panel>
      <p class="actions">
        <button type="submit" disabled={questions.length > 0 || stops.length > 0}>
          {isList ? words.template.get : names.check}
        </button>
        <QuietButton onClick={onCancel}>{names.cancel}</QuietButton>
      </p>
    </form>
  );
}

/** A text that all cards share, unless the table has a column for it. */
function SharedText({
  field,
  answer,
  opened: { columns },
  onAnswer,
}: {
  readonly field: string;
  readonly answer: string;
  readonly opened: OpenTable["opened"];
  readonly onAnswer: (answers: Answers) => void;
}) {
  const [part] = field.split("/");
  const source = columns.find(([one]) => one === field)?.[1];
  const isOfColumn = columns.some(
    ([one, from]) => (one === field || (part === "Marker" && one.startsWith("Marker/"))) && !isShared(from),
  );
  if (isOfColumn) return null;
  const value = isShared(source) ? String(source.value) : "";
  return (
    <label>
      {words.fields[field] ?? field}
      <input
        key={value}
        type="text"
        defaultValue={value}
        onChange={({ currentTarget }) => onAnswer({ [answer]: currentTarget.value.trim() })}
      />
    </label>
  );
}

const isShared = (source: unknown): source is { readonly value: unknown } =>
  typeof source === "object" && source !== null && "value" in source;
