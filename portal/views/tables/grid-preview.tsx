import { columnsOfSource } from "@scorecard-pipeline/card-files/base/table-columns";
import type { OpenedFile } from "../../tables/worker-messages.ts";
import { words } from "../../texts/tables/texts.ts";

const names = words.grid;

/** Fields that one column may be said to have. */
const chosenFields = Object.keys(words.fields).filter((field) => field !== "Result/Strokes");

/** Which field each column is, as the table was understood. */
function fieldsByColumn({
  columns,
  teeColumn,
}: Pick<OpenedFile, "columns" | "teeColumn">): ReadonlyMap<string, string> {
  const found = new Map<string, string>(teeColumn === undefined ? [] : [[teeColumn, "Course/TeeName"]]);
  for (const [field, source] of columns)
    if (field !== "CreateDateTime") for (const column of columnsOfSource(source)) found.set(column, field);
  return found;
}

/** The first rows of the table, with what each column was taken for; a person changes it there. */
export function GridPreview({
  opened,
  onColumn,
}: {
  readonly opened: OpenedFile;
  readonly onColumn: (column: string, field: string, before: string | undefined) => void;
}) {
  const { header, preview, columns, notes, aside } = opened;
  const fields = fieldsByColumn(opened);
  const strokes = columns.find(([field]) => field === "Result/Strokes")?.[1];
  const holes = Array.isArray(strokes) ? (strokes as readonly string[]) : [];
  return (
    <>
      <section class="grid-preview" aria-label={names.first}>
        <table>
          <thead>
            <tr>
              <th scope="col">{names.row}</th>
              {header.map((column, place) => (
                <th key={place} scope="col" class={fields.has(column) ? "used" : "unused"}>
                  {column.replace(/ •$/, "")}
                </th>
              ))}
            </tr>
            <tr>
              <td />
              {header.map((column, place) => (
                <td key={place} class={fields.has(column) ? "used" : "unused"}>
                  {holes.includes(column) ? (
                    names.hole(String(holes.indexOf(column) + 1))
                  ) : (
                    <select
                      aria-label={names.column(column)}
                      value={fields.get(column) ?? ""}
                      onChange={({ currentTarget: { value } }) => onColumn(column, value, fields.get(column))}
                    >
                      <option value="">{names.unused}</option>
                      {chosenFields.map((one) => (
                        <option key={one} value={one}>
                          {words.fields[one] ?? one}
                        </option>
                      ))}
                    </select>
                  )}
                </td>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.map(({ number, cells }) => (
              <tr key={number}>
                <th scope="row">{number}</th>
                {header.map((_, place) => (
                  <td key={place}>{cells[place]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {notes.length > 0 && (
        <ul class="quiet reading-notes">
          {notes.map(({ kind, text }) => (
            <li key={kind}>{words.reading.notes[kind](text)}</li>
          ))}
        </ul>
      )}
      {aside.length > 0 && (
        <details>
          <summary>{names.aside(String(aside.length))}</summary>
          <ul class="quiet reading-notes">
            {aside.map(({ number, reason, cells }) => (
              <li key={number}>
                {number}: {words.reading.aside[reason]} –{" "}
                {cells
                  .filter((cell) => cell !== "")
                  .slice(0, 4)
                  .join(", ")}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
