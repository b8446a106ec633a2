import type { Answers } from "@scorecard-pipeline/card-files/reading/reading";
import { type TextEncoding, textEncodings } from "@scorecard-pipeline/card-files/reading/text-encoding";
import { type Command, Option } from "commander";

type SaidOption = readonly [value: string, says: string, values?: readonly string[]];

/** Answers about a table, each by an option of its name: its value, what it says, and its values if they are few. */
const answerOptions = {
  sheet: ["name", "of a workbook: the sheet with the cards, or `all`"],
  hidden: ["rows", "of a workbook: read its hidden rows, too", ["read"]],
  dates: ["order", "what comes first in dates", ["day-first", "month-first"]],
  holes: ["kind", "what the numbers of holes are", ["strokes", "points", "over-par", "net"]],
  unset: ["meaning", "what empty holes and dashes mean", ["picked-up", "not-played", "empty-not-played"]],
  left: ["meaning", "what holes mean that are empty to the end of a card", ["not-played", "picked-up"]],
  ball: ["ball", "whether each player played his own ball", ["own", "side"]],
  club: ["number", "the club of member numbers that have none"],
  nine: ["nine", "which nine of eighteen holes", ["front", "back"]],
  rows: ["text", "which of a player's rows has the strokes"],
  course: ["name", "the course, as `Club, Course`, or its ID"],
  index: ["source", "where Handicap Indexes are from", ["register"]],
  marker: ["marker", "who marked the cards, if the table does not say"],
  tournament: ["name", "the tournament, if the table does not say"],
} as const satisfies Record<string, SaidOption>;

type AnswerOption = keyof typeof answerOptions;

/** How a table is read: answers about it. */
export interface TableOptions extends Readonly<Partial<Record<AnswerOption, string>>> {
  readonly encoding?: TextEncoding;
  /** `FIELD=HEADING` of columns whose headings are not known. */
  readonly column?: readonly string[];
  /** A tee of all rows, or `NAME=TEE`. */
  readonly tee?: readonly string[];
  /** The day of all rows, or `PART=DAY` of a round, a sheet or a title. */
  readonly date?: readonly string[];
}

const collect = (text: string, before: readonly string[]): string[] => [...before, text];

/** Adds the options of a command that reads tables. */
export function addTableOptions(command: Command): Command {
  for (const [name, [value, says, values]] of Object.entries<SaidOption>(answerOptions)) {
    const option = new Option(`--${name} <${value}>`, says);
    command.addOption(values === undefined ? option : option.choices(values));
  }
  return command
    .addOption(new Option("--encoding <name>", "of a table: if it is found wrong").choices(textEncodings))
    .option("--date <day>", "the day of play, or `PART=DAY` of a round, if the table has none", collect, [])
    .option("--tee <tee>", "the tee of all rows, or `NAME=TEE` of the table; may be repeated", collect, [])
    .option("--column <FIELD=HEADING>", "which column is a field; may be repeated", collect, []);
}

/** Answers by the question's ID, from the options. */
export function readAnswers(options: TableOptions): Answers {
  const answers: Record<string, string> = Object.fromEntries(
    (Object.keys(answerOptions) as AnswerOption[]).flatMap((name) =>
      options[name] === undefined ? [] : [[name, options[name]]],
    ),
  );
  for (const key of ["tee", "date"] as const)
    for (const text of options[key] ?? []) {
      const [, of, answer] = /^(.+)=(.+)$/.exec(text) ?? [];
      answers[of === undefined ? key : `${key}:${of}`] = answer ?? text;
    }
  for (const text of options.column ?? []) {
    const [, field = "", column = ""] = /^([^=]+)=(.*)$/.exec(text) ?? [];
    answers[`column:${field}`] = column;
  }
  return answers;
}
