import type { FieldSource } from "@scorecard-pipeline/card-files/base/table-columns";
import type { Answers, Reading } from "@scorecard-pipeline/card-files/reading/reading";
import type { TextEncoding } from "@scorecard-pipeline/card-files/reading/text-encoding";
import type { TableProgress } from "@scorecard-pipeline/card-files/table-progress";
import type { PortalAccount } from "../base/account.ts";
import type { DrawnCard } from "./drawn-cards.ts";

/** What is known of a file before its rows are checked: its heading, what only a person knows of it, what was found out, some rows that are not read. */
export interface OpenedFile extends Pick<Reading, "header" | "teeColumn" | "questions" | "notes" | "aside"> {
  /** Rows below the header. */
  readonly rows: number;
  /** What each field of the cards comes from. */
  readonly columns: readonly (readonly [field: string, source: FieldSource])[];
  /** The first rows below the header, with their numbers. */
  readonly preview: readonly { readonly number: number; readonly cells: readonly string[] }[];
  readonly answers: Answers;
  /** What a text is read as. */
  readonly encoding: TextEncoding | undefined;
  /** How many rows are not read. */
  readonly asideRows: number;
  /** Whether it has players and no scores: a workbook to fill in is made of it. */
  readonly isList: boolean;
  /** The first card and the oddest one, once nothing is open. */
  readonly drawn: readonly DrawnCard[];
  /** What keeps it from being sent, in sentences. */
  readonly stops: readonly string[];
}

/** Why something failed, without what only an error has. */
export type WorkerFailure =
  | { readonly kind: "expired" | "busy" | "forbidden" | "server" | "unreachable" }
  | { readonly kind: "other"; readonly detail: string };

/** How far a table is, as the worker reports it to the page. */
export type ReportedProgress = Omit<TableProgress, "failure"> & { readonly failure?: WorkerFailure };

/** The page, as the worker knows it. */
export interface Page {
  /** A valid token for a request to the API. */
  token(): Promise<string>;
  progress(progress: ReportedProgress): void;
}

/** Who works on tables. */
export interface Owner extends Pick<PortalAccount, "username" | "apiSet" | "timeZone"> {
  /** Base address of the API with its stage. */
  readonly base: string;
  readonly language: string;
}
