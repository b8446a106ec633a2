import { describeStop } from "@scorecard-pipeline/card-files/proof";
import {
  type Answers,
  answerKey,
  type GridFile,
  type Reading,
} from "@scorecard-pipeline/card-files/reading/reading";
import {
  answersToKeep,
  headingKeys,
  nameOfHeadings,
  type RecalledAnswer,
  recallAnswers,
} from "@scorecard-pipeline/card-files/reading/recall-answers";
import type { TableTexts } from "@scorecard-pipeline/card-files/words/en";
import { drawCards } from "./drawn-cards.ts";
import type { KeptLayouts } from "./kept-layouts.ts";
import type { ReadTable } from "./open-table.ts";
import type { OpenedFile } from "./worker-messages.ts";

/** How a file is read, while a person answers what is asked about it. */
export type OpenReading = Awaited<ReturnType<typeof openReading>>;

/**
 * Begins to read a file, with what is kept of tables with the same headings.
 *
 * @param understand reads it with some answers
 */
export async function openReading(
  grid: GridFile,
  layouts: KeptLayouts,
  understand: (answers: Answers) => Promise<Reading>,
) {
  const headings = headingKeys(grid);
  let layout = await layouts.find(headings);
  let given: Answers = {};
  let recalled: readonly RecalledAnswer[] = [];
  let marks = "";

  async function answer(asked: Answers): Promise<Reading> {
    const read = await recallAnswers(understand, asked, layout);
    given = read.answers;
    marks = read.reading.marks;
    const before = recalled.filter((one) => asked[answerKey(one)] === one.value);
    recalled = [...before, ...read.recalled];
    return read.reading;
  }

  return {
    /** Reads the file by the answers of a person, and by those about an earlier table. */
    answer,

    answers: () => given,

    /** What was answered as for an earlier table. */
    recalled: (): OpenedFile["recalled"] =>
      layout === undefined || recalled.length === 0 ? undefined : { name: layout.name, answers: recalled },

    /** Forgets the answers about tables with these headings, and reads the file without them. */
    async askAgain(): Promise<Reading> {
      await layouts.forget(headings);
      const keys = new Set(recalled.map(answerKey));
      layout = undefined;
      recalled = [];
      return await answer(Object.fromEntries(Object.entries(given).filter(([key]) => !keys.has(key))));
    },

    /** Keeps the answers for the next table with the same headings. @param name by which a person knows them */
    async keep(name = layout?.name ?? nameOfHeadings(headings)): Promise<void> {
      const answers = { ...layout?.answers, ...answersToKeep(given, { marks }) };
      if (Object.keys(answers).length === 0) return;
      layout = { name, answers };
      await layouts.keep(headings, layout);
    },
  };
}

const maxPreviewRows = 8;
const maxAsideRows = 20;

/** What the page is told of a file. */
export function describeFile(
  { header, rows, numbers, kind }: ReadTable,
  reading: Reading,
  texts: TableTexts,
): Omit<OpenedFile, "answers" | "isResumed" | "recalled"> {
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
