import type { FieldSource } from "@scorecard-pipeline/card-files/base/table-columns";
import { textOfValue } from "@scorecard-pipeline/card-files/table-values";
import { chooseSource, classifySource, holesFrom } from "../../tables/column-choices.ts";
import type { OpenedFile } from "../../tables/worker-messages.ts";
import { words } from "../../texts/tables/texts.ts";

const names = words.columns;

export const fieldName = (field: string) => words.fields[field] ?? field;

export function FieldChoice({
  field,
  source,
  opened: { header, sample },
  onChoose,
}: {
  readonly field: string;
  readonly source: FieldSource | undefined;
  readonly opened: OpenedFile;
  readonly onChoose: (source: FieldSource | undefined) => void;
}) {
  const kind = classifySource(source);
  const id = field.replace("/", "-");
  const hint = words.hints[field];
  const isHoles = Array.isArray(source) || field === "Result/Strokes";
  const chosen = typeof source === "string" ? source : isHoles ? readFirst(source) : `\u0000${kind}`;
  const choose = (choice: string) =>
    isHoles && !choice.startsWith("\u0000")
      ? onChoose(holesFrom(header, choice, countHoles(source)))
      : onChoose(chooseSource(choice, source));
  return (
    <div class="field-choice">
      <label for={id}>{fieldName(field)}</label>
      <select
        id={id}
        value={chosen}
        aria-describedby={`${id}-note`}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value={"\u0000none"}>{names.none}</option>
        {field === "ExternalID" && <option value={"\u0000made"}>{names.made}</option>}
        {kind === "layout" && <option value={"\u0000layout"}>{formatLayout(source)}</option>}
        {field !== "ExternalID" && !isHoles && <option value={"\u0000same"}>{names.same}</option>}
        {header
          .filter((column) => column !== "")
          .map((column, place) => (
            <option key={place} value={column}>
              {column}
            </option>
          ))}
      </select>
      {kind === "same" && <SharedValue field={field} source={source} onChoose={onChoose} />}
      {isHoles && kind === "column" && (
        <HoleCount
          source={source}
          onCount={(count) => onChoose(holesFrom(header, readFirst(source), count))}
        />
      )}
      <p class="quiet" id={`${id}-note`}>
        {formatNote(source, sample, field === "ExternalID") ?? hint}
      </p>
    </div>
  );
}

const readFirst = (source: FieldSource | undefined): string =>
  Array.isArray(source) ? String(source[0] ?? "") : "\u0000none";

const countHoles = (source: FieldSource | undefined): number =>
  Array.isArray(source) && source.length > 0 ? source.length : 18;

const formatLayout = (source: FieldSource | undefined): string =>
  typeof source !== "object" || !("columns" in source || "column" in source)
    ? ""
    : "columns" in source
      ? source.columns.join(" + ")
      : source.column;

/** What the choice comes to in the first row. */
function formatNote(
  source: FieldSource | undefined,
  sample: Readonly<Record<string, string>>,
  isName: boolean,
): string | undefined {
  if (Array.isArray(source) && source.length > 0) {
    return names.holes(String(source[0]), String(source.at(-1)), String(source.length));
  }
  if (typeof source === "string") return names.sample(sample[source] || "–");
  return isName && classifySource(source) === "made" ? names.madeNote : undefined;
}

function HoleCount({
  source,
  onCount,
}: {
  readonly source: FieldSource | undefined;
  readonly onCount: (count: number) => void;
}) {
  return (
    <select
      aria-label={names.holeCount}
      value={String(countHoles(source))}
      onChange={({ currentTarget }) => onCount(Number(currentTarget.value))}
    >
      {[...new Set([9, 18, countHoles(source)])].map((count) => (
        <option key={count} value={String(count)}>
          {names.holeCount}: {count}
        </option>
      ))}
    </select>
  );
}

/** What is the same for all rows. */
function SharedValue({
  field,
  source,
  onChoose,
}: {
  readonly field: string;
  readonly source: FieldSource | undefined;
  readonly onChoose: (source: FieldSource) => void;
}) {
  const value = typeof source === "object" && "value" in source ? source.value : "";
  const label = names.value(fieldName(field));
  if (field === "Round/RoundType" || field === "Result/IsQualifying") {
    const options: readonly (readonly [value: unknown, text: string])[] =
      field === "Round/RoundType"
        ? [2, 1].map((type) => [type, words.roundTypes[type] ?? ""])
        : [
            [true, words.yes],
            [false, words.no],
          ];
    return (
      <select
        aria-label={label}
        value={String(value)}
        onChange={({ currentTarget }) => onChoose({ value: options[currentTarget.selectedIndex]?.[0] })}
      >
        {options.map(([one, text]) => (
          <option key={text} value={String(one)}>
            {text}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      type="text"
      aria-label={label}
      value={typeof value === "string" && value === "" ? "" : textOfValue(value, field, words)}
      onInput={({ currentTarget }) => onChoose({ value: currentTarget.value })}
    />
  );
}
