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
import type { Answers, Facts, Question, Reading } from "@scorecard-pipeline/card-files/reading/reading";
import type { TextEncoding } from "@scorecard-pipeline/card-files/reading/text-encoding";
import { proveRows, rowReader } from "@scorecard-pipeline/card-files/table-cards";
import { inTableWords, missingFields } from "@scorecard-pipeline/card-files/table-words";
import { en } from "@scorecard-pipeline/card-files/words/en";
import type { CardFile } from "./card-file.ts";

/** The client, and the answers, by which a table is read. */
export interface TableContext {
  readonly client: UnionClient;
  readonly answers: Answers;
  readonly encoding?: TextEncoding | undefined;
  /** The likeliest answers, by the union's customs. */
  readonly likely?: Facts["likely"];
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
function questionLines({ id, about, choices, recommended }: Question): string[] {
  const { ask, answers } = en.questions;
  const flag =
    id === "columns"
      ? `--column ${JSON.stringify(`${about}=…`)}`
      : (id === "tee" || id === "date") && about !== ""
        ? `--${id} ${JSON.stringify(`${about}=…`)}`
        : `--${id}`;
  const values = choices.map(({ value, label }) => {
    const meaning = answers[value] ?? label;
    const likely = value === recommended ? ` (${en.questions.recommended})` : "";
    return `    ${/^[\w-]+$/.test(value) ? value : JSON.stringify(value)}${meaning === undefined || meaning === value ? "" : `  ${meaning}${label !== undefined && label !== meaning ? ` (${label})` : ""}`}${likely}`;
  });
  return [
    `${ask[id](about)}`,
    `  Answer by ${flag}${values.length > 0 ? ", with one of:" : " followed by a text."}`,
    ...values,
  ];
}

/** How a table was read, for a person: what was found out, and what is not read. */
function readingLines({ heading, notes, aside, rows, columns }: Reading): string[] {
  const count = (reason: string) => aside.filter((row) => row.reason === reason).length;
  const absent = count("noRound");
  return [
    ...(heading === undefined
      ? []
      : [
          `The heading is in row ${heading.last}${heading.sheet === "" ? "" : ` of ${heading.sheet}`}; ${rows.length} cards are below it.`,
        ]),
    ...notes.map(({ kind, text }) => en.questions.notes[kind](text)),
    ...(notes.some(({ kind }) => kind === "tournament") || columns.has("Round/TournamentName")
      ? []
      : ["The table names no tournament: its cards are named by day and player. Say one by --tournament."]),
    ...(absent > 0
      ? [
          `${absent} rows without a single stroke are not cards: ${aside
            .filter(({ reason }) => reason === "noRound")
            .map(({ number }) => number)
            .slice(0, 10)
            .join(", ")}.`,
        ]
      : []),
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
  { client, answers, encoding, likely }: TableContext,
): Promise<CardFile | { readonly questions: readonly Question[] }> {
  const { size } = await stat(path);
  checkFileSize(size, path);
  const name = basename(path);
  const file = readGridFile(await readFile(path), name, encoding);
  const today = new Date().toISOString().slice(0, 10);
  const facts = { today, ...(likely && { likely }), committee: en.committee };
  const reading = await understandWithUnion(file, answers, facts, client, createUnionMemory());
  const { header, rows, numbers, columns, questions, doubts, tees } = reading;
  refuseStopped(name, doubts);
  if (questions.length > 0) return { questions };
  const lacking = rows.length === 0 ? ["Result/Strokes"] : missingFields(columns);
  if (lacking.length > 0) throw new Error(`${name}: ${en.lacking(lacking)}`);
  const { stops, sums } = proveRows(reading, file.kind, en);
  refuseStopped(name, stops);
  const readCard = rowReader({ header, kind: file.kind }, columns, en, { sums, tees });
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
    table: {
      inItsWords: (findings) => inTableWords(findings, columns, en, reading.filled),
      lines: readingLines(reading),
    },
  };
}
