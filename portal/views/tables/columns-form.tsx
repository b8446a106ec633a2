import type { FieldSource } from "@scorecard-pipeline/card-files/base/table-columns";
import type { Answers } from "@scorecard-pipeline/card-files/reading/reading";
import { valueOfCell } from "@scorecard-pipeline/card-files/table-values";
import { useState } from "preact/hooks";
import { formatCount } from "../../base/format.ts";
import { Panel } from "../../components/panel.tsx";
import { QuietButton } from "../../components/quiet-button.tsx";
import { neededFields, otherFields, withDefaults, withoutEmpty } from "../../tables/column-choices.ts";
import type { OpenTable } from "../../tables/connection.ts";
import type { ChosenProblem, ColumnList } from "../../tables/worker-messages.ts";
import { words } from "../../texts/tables/texts.ts";
import { FieldChoice, fieldName } from "./field-choice.tsx";
import { GridPreview } from "./grid-preview.tsx";
import { QuestionsPanel } from "./questions-panel.tsx";
import { RecalledAnswers } from "./recalled-answers.tsx";
import { TeeFinder } from "./tee-finder.tsx";

const names = words.columns;

const quoteColumns = (columns: readonly string[]) => columns.map((column) => `“${column}”`).join(", ");

function formatProblem({ kind, columns }: ChosenProblem): string {
  if (kind === "stopped") return columns.join(" ");
  if (kind === "lacking") return names.lacking(columns.map(fieldName).join(", "));
  return kind === "missing" ? names.missing(quoteColumns(columns)) : names.repeated(quoteColumns(columns));
}

/** What is typed for all rows is a text, until it is checked. */
const readSource = (field: string, source: FieldSource): FieldSource =>
  typeof source === "object" && "value" in source && typeof source.value === "string"
    ? { value: valueOfCell(source.value.trim(), field) }
    : source;

/** Fields that are mostly the same for all rows if the table has no column for them. */
const asked = ["Round/StartTime", "Course/TeeID", "Round/TournamentName"] as const;

/** Fields of which a choice in the form makes a question needless. */
const unlessChosen: Readonly<Record<string, readonly string[]>> = {
  course: ["Course/TeeID"],
  tee: ["Course/TeeID"],
  marker: ["Marker/FullName", "Marker/UnionID"],
  date: ["Round/StartTime"],
  index: ["HCP"],
  columns: ["Player/UnionID"],
};

function withChanges(
  columns: ColumnList,
  changes: ReadonlyMap<string, FieldSource | undefined>,
): ReadonlyMap<string, FieldSource> {
  const all = new Map([...asked.map((field) => [field, { value: "" }] as const), ...columns, ...changes]);
  return new Map(
    [...all].flatMap(([field, source]) => (source === undefined ? [] : [[field, source] as const])),
  );
}

/** Asks which column of a table is which field of the card, and what is the same for all rows. */
export function ColumnsForm({
  table: { name, opened, columns },
  problem,
  onCheck,
  onAnswer,
  onAgain,
  onName,
  onCancel,
}: {
  readonly table: OpenTable;
  readonly problem: ChosenProblem | undefined;
  readonly onCheck: (columns: ColumnList) => void;
  /** What a person knows of the table; it is read again by it. */
  readonly onAnswer: (answers: Answers) => void;
  /** Forgets what was answered for earlier tables. */
  readonly onAgain: () => void;
  readonly onName: (name: string) => void;
  readonly onCancel: () => void;
}) {
  // What was changed here stays when an answer lets the table be read in another way.
  const [changes, setChanges] = useState<ReadonlyMap<string, FieldSource | undefined>>(new Map());
  const chosen = withChanges(columns, changes);
  const choose = (field: string, source: FieldSource | undefined) =>
    setChanges((before) => new Map([...before, [field, source]]));
  const open = opened.questions.filter(
    ({ id }) => !(unlessChosen[id] ?? []).some((field) => changes.has(field)),
  );
  const field = (one: string) => (
    <FieldChoice
      key={one}
      field={one}
      source={chosen.get(one)}
      opened={opened}
      onChoose={(source) => choose(one, source)}
    />
  );
  return (
    <form
      class="columns-form"
      onSubmit={(event) => {
        event.preventDefault();
        const given = [...chosen].map(([one, source]) => [one, readSource(one, source)] as const);
        onCheck(withDefaults(withoutEmpty(given)));
      }}
    >
      <p class="quiet">
        {names.about(name, formatCount(opened.rows))}{" "}
        {opened.system !== undefined && names.system(opened.system)}
      </p>
      {opened.stops.length > 0 && (
        <p class="notice fault" role="alert">
          {opened.stops.join(" ")}
        </p>
      )}
      {problem !== undefined && (
        <p class="notice fault" role="alert">
          {formatProblem(problem)}
        </p>
      )}
      {opened.recalled !== undefined && (
        <RecalledAnswers recalled={opened.recalled} onAgain={onAgain} onName={onName} />
      )}
      <QuestionsPanel questions={opened.stops.length > 0 ? [] : open} onAnswer={onAnswer} />
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
        <button type="submit" disabled={open.length > 0 || opened.stops.length > 0}>
          {names.check}
        </button>
        <QuietButton onClick={onCancel}>{names.cancel}</QuietButton>
      </p>
      <details class="panel" open={problem !== undefined}>
        <summary>{names.title}</summary>
        <div class="field-choices">{neededFields.map(field)}</div>
      </details>
      <TeeFinder onTee={(teeId) => choose("Course/TeeID", { value: teeId })} />
      <details class="panel">
        <summary>{names.more}</summary>
        <div class="field-choices">{otherFields.filter((one) => one !== "Result/Points").map(field)}</div>
      </details>
    </form>
  );
}
