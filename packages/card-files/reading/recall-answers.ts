import type { questions } from "../words/questions-en.ts";
import { findTables } from "./find-sheet.ts";
import { type Answers, answerKey, type GridFile, type Question, type Reading } from "./reading.ts";

/** Answers about tables with the same headings. It has headings and choices, and nothing that was typed. */
export interface Layout {
  readonly name: string;
  readonly answers: Answers;
}

/** An answer that was given about an earlier table with the same headings. */
export interface RecalledAnswer extends Pick<Question, "id" | "about"> {
  readonly value: string;
  /** What stands in the file, or the register. */
  readonly label?: string;
}

/** A table that was read with answers of an earlier one. */
export interface RecalledReading {
  readonly reading: Reading;
  /** All of them, those of an earlier table too. */
  readonly answers: Answers;
  readonly recalled: readonly RecalledAnswer[];
}

type QuestionTexts = Pick<typeof questions, "topics" | "answers">;

/** Markers, days and tournaments are of one file. So is the course: a club plays away, too, and its table looks as at home. */
const keptKeys = /^(sheet|dates|holes|nine|rows|tee|index|(tee|column):.+)$/;

const namedHeadings = 3;

/** The headings of all tables in a file, each once, by which it is recognized. */
export function headingKeys(file: GridFile): string[] {
  const headings = findTables(file).map(({ heading }) => heading.names.join("\n"));
  return [...new Set(headings)].toSorted();
}

/** Names a layout after the first headings. */
export const nameOfHeadings = ([first = ""]: readonly string[]): string =>
  first.split("\n").slice(0, namedHeadings).join(", ");

/** The answers that also hold for the next table with the same headings: about unset holes, only if it has the same marks. */
export function answersToKeep(answers: Answers, { marks }: Pick<Reading, "marks">): Answers {
  const kept = Object.entries(answers).filter(([key]) => keptKeys.test(key));
  return {
    ...Object.fromEntries(kept),
    ...(answers.unset !== undefined && marks !== "" && { [`unset:${marks}`]: answers.unset }),
  };
}

const findAnswer = (question: Question, { answers }: Layout): string | undefined =>
  answers[question.id === "unset" ? `unset:${question.about}` : answerKey(question)];

const isChoice = ({ choices }: Question, answer: string): boolean =>
  choices.some(({ value }) => value === answer);

/** An answer for a person, with what it is about. */
export function describeAnswer(
  { id, about, value, label }: RecalledAnswer,
  { topics, answers }: QuestionTexts,
): string {
  const meaning = answers[value] ?? label ?? value;
  return `${topics[id]?.(about) ?? about}: ${value === "" ? "–" : meaning}`;
}

/**
 * Reads a table, and answers its questions as those of an earlier table with the same headings. A kept answer is used only if the question is
 * asked again and still has that choice, so what the table itself says comes first.
 *
 * @param read understands the table with some answers
 * @param given answers of a person, which come first
 */
export async function recallAnswers(
  read: (answers: Answers) => Promise<Reading>,
  given: Answers,
  layout: Layout | undefined,
): Promise<RecalledReading> {
  if (layout === undefined) return { reading: await read(given), answers: given, recalled: [] };
  const columns = Object.entries(layout.answers).filter(([key]) => key.startsWith("column:"));
  let answers: Answers = { ...Object.fromEntries(columns), ...given };
  let reading = await read(answers);
  const recalled = new Map<string, RecalledAnswer>();
  for (const [key, value = ""] of columns)
    if (given[key] === undefined)
      recalled.set(key, { id: "columns", about: key.slice("column:".length), value });
  for (;;) {
    const found = reading.questions.flatMap((question) => {
      const [key, value] = [answerKey(question), findAnswer(question, layout)];
      return value === undefined || answers[key] !== undefined || !isChoice(question, value)
        ? []
        : [{ question, key, value }];
    });
    if (found.length === 0) break;
    for (const { question, key, value } of found) {
      const label = question.choices.find((choice) => choice.value === value)?.label;
      recalled.set(key, { id: question.id, about: question.about, value, ...(label && { label }) });
    }
    answers = { ...answers, ...Object.fromEntries(found.map(({ key, value }) => [key, value])) };
    reading = await read(answers);
  }
  for (const question of reading.questions) recalled.delete(answerKey(question));
  return { reading, answers, recalled: [...recalled.values()] };
}
