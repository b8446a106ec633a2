import { describeStop } from "@scorecard-pipeline/card-files/proof";
import type { Reading } from "@scorecard-pipeline/card-files/reading/reading";
import type { TableTexts } from "@scorecard-pipeline/card-files/words/en";
import { drawCards } from "./drawn-cards.ts";
import type { ReadTable } from "./read-table.ts";
import type { OpenedFile } from "./worker-messages.ts";

const maxPreviewRows = 8;
const maxAsideRows = 20;

/** What the page is told of a file. */
export function describeFile(
  { header, rows, numbers, kind }: ReadTable,
  reading: Reading,
  texts: TableTexts,
): Omit<OpenedFile, "answers" | "encoding"> {
  const stops = reading.doubts.map((stop) => describeStop(stop, texts));
  const isOpen = reading.questions.length > 0 || stops.length > 0;
  return {
    header,
    rows: rows.filter((row) => row.some((cell) => cell !== "")).length,
    columns: [...reading.columns],
    preview: rows.slice(0, maxPreviewRows).map((cells, place) => ({ number: numbers[place] ?? 0, cells })),
    teeColumn: reading.teeColumn,
    questions: reading.questions,
    stops,
    notes: reading.notes,
    aside: reading.aside.slice(0, maxAsideRows),
    asideRows: reading.aside.length,
    drawn: isOpen ? [] : drawCards(reading, kind, texts),
  };
}
