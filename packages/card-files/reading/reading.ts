import type { Course } from "@scorecard-pipeline/scorecards-client";
import type { TableColumns } from "../base/table-columns.ts";
import type { Sheet } from "../base/workbook.ts";
import type { TableTexts } from "../words/en.ts";
import type { AsideReason } from "./find-heading.ts";
import type { Gender, TeeChoice } from "./tees.ts";
import type { TextEncoding } from "./text-encoding.ts";

/** A file as a grid of texts, before anything is known of it. */
export interface GridFile {
  readonly name: string;
  readonly sheets: readonly Sheet[];
  /** Only of a text. */
  readonly encoding?: TextEncoding;
}

/** What only a person knows of a table, each asked for once for the file. The command has a flag of each name. */
export type QuestionId = keyof TableTexts["questions"]["ask"];

/** An answer that may be given. */
export interface Choice {
  readonly value: string;
  /** What stands in the file, or the register; the words of the others are found by their value. */
  readonly label?: string;
}

/** What is asked about a table. Without choices, the answer is a text. */
export interface Question {
  readonly id: QuestionId;
  /** What it is about: a tee's name in the file, the marks of holes, columns. */
  readonly about: string;
  readonly choices: readonly Choice[];
}

/** Answers by the question's ID; of a tee's name, by `tee:` and the name. */
export type Answers = Readonly<Record<string, string | undefined>>;

/** Under which key a question is answered: the tee that the table names, or the field of a column, has its own. */
export function answerKey({ id, about }: Pick<Question, "id" | "about">): string {
  if (id === "tee" && about !== "") return `tee:${about}`;
  if (id === "date" && about !== "") return `date:${about}`;
  return id === "columns" ? `column:${about}` : id;
}

/** What the union says of a player. */
export interface MemberFacts {
  readonly name: string;
  readonly gender: Gender | undefined;
  /** Handicap Index times 10,000. */
  readonly index: string | undefined;
  /** The member number of a person who was asked for by another one. */
  readonly unionId?: string | undefined;
}

/** A course with the name of its club. */
export type CourseOfClub = Course & { readonly clubName: string; readonly clubNumber?: number };

/** What is known from outside the file. */
export interface Facts {
  /** The day, `2026-11-27`: no round is played after it. */
  readonly today: string;
  /** Who marked the cards unless the file or a person says so: the tournament's committee, by its name. */
  readonly committee?: string;
  /** Courses that the file may be about; undefined if they were not read yet. */
  readonly courses?: readonly CourseOfClub[] | "unreadable";
  /** By UnionID; a player who was asked for and not found is there without facts. */
  readonly members?: ReadonlyMap<string, MemberFacts>;
}

/** What was found out without a question, to be shown. */
export interface Note {
  readonly kind: keyof TableTexts["questions"]["notes"];
  readonly text: string;
}

/** A row that is no card. */
export interface AsideRow {
  readonly number: number;
  readonly reason: AsideReason;
  readonly cells: readonly string[];
}

/** What is worked out for a row: tee, index and Course Handicap. */
export interface FilledRow {
  /** By the names of added columns. */
  readonly cells: Readonly<Record<string, string>>;
  /** Players by whom the union would say more. */
  readonly wanted: readonly string[];
}

/** Why a table is not sent: most of its cards contradict the file or the register. The sentence names the column. */
export interface TableStop {
  readonly code: keyof TableTexts["stops"];
  readonly column: string;
  /** Rows that agree, of those that could be compared; or rows that are concerned. */
  readonly count: number;
  readonly of: number;
}

/** Columns that were added, each with those that its cells are worked out from. */
export type FilledColumns = ReadonlyMap<string, readonly string[]>;

/** A table as it is understood: rows of one card each, below one heading. */
export interface Reading {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Of each row, as a spreadsheet shows it. */
  readonly numbers: readonly number[];
  readonly columns: TableColumns;
  /** Open questions; nothing is sent before they are answered. */
  readonly questions: readonly Question[];
  readonly notes: readonly Note[];
  /** The column of the tees' names, which go into no card: the tees are found by them. */
  readonly teeColumn: string | undefined;
  readonly aside: readonly AsideRow[];
  /** Of each column that was added, those that its cells are worked out from. */
  readonly filled: FilledColumns;
  /** Columns that a card is made from, or that have other counts of holes. */
  readonly usedColumns: readonly string[];
  /** The tees of the course, if the table has one, and its name with the club's. */
  readonly tees: readonly TeeChoice[];
  readonly course: string | undefined;
  /** What the reading itself found that keeps the table from being sent. */
  readonly doubts: readonly TableStop[];
  /** Works out again what was added to a row, by cells in the order of the header. */
  readonly fill: (cells: readonly string[]) => FilledRow;
  /** What has to be read from the union for it. */
  readonly wants: {
    /** Texts that may name a club or a course, and the numbers of clubs, the likeliest first. */
    readonly courses?: {
      readonly texts: readonly string[];
      readonly clubNumbers: readonly number[];
      readonly day: string | undefined;
    };
    readonly members: readonly string[];
  };
}

/** A table while it is made one of a card each row. */
export interface WorkingTable {
  readonly names: readonly string[];
  readonly rows: readonly WorkingRow[];
}

/** A row of it. */
export interface WorkingRow {
  readonly number: number;
  /** As many as the table has columns. */
  readonly cells: readonly string[];
  /** How many cells the file has of it, if they are fewer than its heading's. */
  readonly written?: number;
  /** Cells beyond the last column. */
  readonly surplus?: readonly string[];
}

/** Rows of the second sheet begin here if several are read, of the third at twice of it. */
export const rowsOfSheet = 1_000_000;

/** Names of columns that a reading adds, which no file has by chance. */
export const addedColumns = {
  Player: "Member No •",
  Marker: "Marker No •",
  start: "Start •",
  tee: "Tee ID •",
  handicap: "Course Handicap •",
  index: "Handicap Index •",
  holes: "Holes •",
  round: "Round •",
  day: "Day •",
};
