import type { Answers } from "@scorecard-pipeline/card-files/reading/reading";
import { type TextEncoding, textEncodings } from "@scorecard-pipeline/card-files/reading/text-encoding";
import { type Command, Option } from "commander";

const answerOptions = [
  "sheet",
  "hidden",
  "dates",
  "holes",
  "unset",
  "left",
  "ball",
  "club",
  "nine",
  "rows",
  "course",
  "index",
  "marker",
  "tournament",
] as const;

/** How a table is read: answers about it, each by an option of its name. */
export interface TableOptions extends Readonly<Partial<Record<(typeof answerOptions)[number], string>>> {
  readonly encoding?: TextEncoding;
  /** `FIELD=HEADING` of columns whose headings are not known. */
  readonly column?: readonly string[];
  /** A tee of all rows, or `NAME=TEE`. */
  readonly tee?: readonly string[];
  /** The day of all rows, or `ROUND=DAY`. */
  readonly date?: readonly string[];
}

const collect = (text: string, before: readonly string[]): string[] => [...before, text];

/** Adds the options of a command that reads tables. */
export const addTableOptions = (command: Command): Command =>
  command
    .option("--sheet <name>", "of a workbook: the sheet with the cards, or `all`")
    .addOption(new Option("--hidden <rows>", "of a workbook: read its hidden rows, too").choices(["read"]))
    .addOption(new Option("--encoding <name>", "of a table: if it is found wrong").choices(textEncodings))
    .addOption(
      new Option("--dates <order>", "what comes first in dates").choices(["day-first", "month-first"]),
    )
    .option("--date <day>", "the day of play, or `ROUND=DAY`, if the table has none", collect, [])
    .addOption(
      new Option("--holes <kind>", "what the numbers of holes are").choices([
        "strokes",
        "points",
        "over-par",
        "net",
      ]),
    )
    .addOption(
      new Option("--unset <meaning>", "what empty holes and dashes mean").choices([
        "picked-up",
        "not-played",
        "empty-not-played",
      ]),
    )
    .addOption(
      new Option("--left <meaning>", "what holes mean that are empty to the end of a card").choices([
        "not-played",
        "picked-up",
      ]),
    )
    .addOption(
      new Option("--ball <ball>", "whether each player played his own ball").choices(["own", "side"]),
    )
    .option("--club <number>", "the club of member numbers that have none")
    .addOption(new Option("--nine <nine>", "which nine of eighteen holes").choices(["front", "back"]))
    .option("--rows <text>", "which of a player's rows has the strokes")
    .option("--course <name>", "the course, as `Club, Course`, or its ID")
    .option(
      "--tee <tee>",
      "the tee of all rows, or `NAME=TEE` for a name of the table; may be repeated",
      collect,
      [],
    )
    .addOption(new Option("--index <source>", "where Handicap Indexes are from").choices(["register"]))
    .option("--marker <marker>", "who marked the cards, if the table does not say")
    .option("--tournament <name>", "the tournament, if the table does not say")
    .option("--column <FIELD=HEADING>", "which column is a field; may be repeated", collect, []);

/** Answers by the question's ID, from the options. */
export function readAnswers(options: TableOptions): Answers {
  const answers: Record<string, string> = Object.fromEntries(
    answerOptions.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
  for (const text of options.tee ?? []) {
    const [, name, tee] = /^(.+)=(.+)$/.exec(text) ?? [];
    answers[name === undefined ? "tee" : `tee:${name}`] = tee ?? text;
  }
  for (const text of options.date ?? []) {
    const [, round, day] = /^(\d)=(.+)$/.exec(text) ?? [];
    answers[round === undefined ? "date" : `date:${round}`] = day ?? text;
  }
  for (const text of options.column ?? []) {
    const [, field = "", column = ""] = /^([^=]+)=(.*)$/.exec(text) ?? [];
    answers[`column:${field}`] = column;
  }
  return answers;
}
