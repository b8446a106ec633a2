import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { checkFileSize } from "@scorecard-pipeline/card-files/base/file-budget";
import { describeStop } from "@scorecard-pipeline/card-files/proof";
import {
  createUnionMemory,
  type UnionClient,
  understandWithUnion,
} from "@scorecard-pipeline/card-files/reading/consult-union";
import { readGridFile } from "@scorecard-pipeline/card-files/reading/read-grid-file";
import {
  type Answers,
  answerKey,
  type Question,
  type Reading,
} from "@scorecard-pipeline/card-files/reading/reading";
import type { TextEncoding } from "@scorecard-pipeline/card-files/reading/text-encoding";
import { proveRows, rowReader } from "@scorecard-pipeline/card-files/table-cards";
import { missingFields } from "@scorecard-pipeline/card-files/table-words";
import { en } from "@scorecard-pipeline/card-files/words/en";
import type { CardFile } from "./card-file.ts";

/** The client, and the answers, by which a table is read. */
export interface TableContext {
  readonly client: UnionClient;
  readonly answers: Answers;
  readonly encoding?: TextEncoding | undefined;
}

/** What a table leaves open, for a person: each question with its option and the values that it may have. */
export function openQuestionLines(file: string, questions: readonly Question[]): readonly string[] {
  const flags = [...new Set(questions.map(({ id }) => `--${id === "columns" ? "column" : id}`))];
  return [
    `error: ${basename(file)} leaves open what only you know. Say it by ${flags.join(", ")}.`,
    ...questions.flatMap(questionLines),
  ];
}

/** Where only the person who sends a table can decide, the option that says it, and its values. */
function questionLines({ id, about, choices }: Question): string[] {
  const { ask, answers } = en.questions;
  const [key, of] = answerKey({ id, about }).split(":");
  const flag = `--${key}${of === undefined ? "" : ` ${JSON.stringify(`${about}=…`)}`}`;
  const values = choices.map(({ value, label }) => {
    // The portal has rows to write them into; here the file has them.
    if (value === "written")
      return "    or write them into a column Handicap Index; --column HCP=HEADING names it";
    const meaning = answers[value] ?? label;
    return `    ${/^[\w-]+$/.test(value) ? value : JSON.stringify(value)}${meaning === undefined || meaning === value ? "" : `  ${meaning}${label !== undefined && label !== meaning ? ` (${label})` : ""}`}`;
  });
  return [
    `${ask[id](about)}`,
    `  Answer by ${flag}${values.length > 0 ? ", with one of:" : " followed by a text."}`,
    ...values,
  ];
}

/** How a table was read, for a person: what was found out, and what is not read. */
export function readingLines({ notes, aside, rows, columns }: Reading): string[] {
  const others = [...Map.groupBy(aside, ({ reason }) => reason)].map(
    ([reason, all]) => `${en.questions.aside[reason]} (${all.map(({ number }) => number).join(", ")})`,
  );
  return [
    `${rows.length} of ${rows.length + aside.length} rows are cards.${others.length > 0 ? ` The others: ${others.join(", ")}.` : ""}`,
    ...notes.map(({ kind, text }) => en.questions.notes[kind](text)),
    ...(columns.has("Round/TournamentName")
      ? []
      : ["The table names no tournament: its cards are named by day and player. Say one by --tournament."]),
  ];
}

/** @throws Error if a table contradicts itself or the register */
function refuseStopped(name: string, stops: Reading["doubts"]): void {
  if (stops.length > 0) throw new Error(`${name}: ${stops.map((stop) => describeStop(stop, en)).join(" ")}`);
}

/**
 * Opens a table as a club's software exports it. What the file does not say comes from the union, or is asked.
 *
 * @returns the questions if it leaves something open
 * @throws Error that says what is wrong with the file
 */
export async function openUnderstoodTable(
  path: string,
  { client, answers, encoding }: TableContext,
): Promise<CardFile | { readonly questions: readonly Question[] }> {
  const { size } = await stat(path);
  checkFileSize(size, path);
  const name = basename(path);
  const file = readGridFile(await readFile(path), name, encoding);
  const facts = { today: new Date().toISOString().slice(0, 10), committee: en.committee };
  const reading = await understandWithUnion(file, answers, facts, client, createUnionMemory());
  refuseStopped(name, reading.doubts);
  const { header, rows, numbers, columns, questions, tees } = reading;
  if (questions.length > 0) return { questions };
  const lacking = rows.length === 0 ? ["Result/Strokes"] : missingFields(columns);
  if (lacking.length > 0) throw new Error(`${name}: ${en.lacking(lacking)}`);
  const { stops, sums } = proveRows(reading, en);
  refuseStopped(name, stops);
  const readCard = rowReader(header, columns, en, { sums, tees });
  let read = 0;
  async function* cards() {
    for (const [place, row] of rows.entries()) {
      read = place + 1;
      yield readCard(row, numbers[place] ?? 0);
    }
  }
  return {
    cards: cards(),
    size,
    bytesRead: () => Math.floor((size * read) / rows.length),
    table: { reading, sums },
  };
}
