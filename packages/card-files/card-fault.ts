import type { CardStatus, Finding } from "@scorecard-pipeline/scorecards-client";

/** A fault of a file's card that is found without the API. */
export interface FileFault {
  readonly code: "not_json" | "duplicate_external_id" | "cells_count" | "excel_date" | "sum_differs";
  readonly pointer?: string;
  /** Of a sum that differs: its column. */
  readonly column?: string;
  readonly detail: string;
  /** Of a name that an earlier card has: that card's number. */
  readonly expected?: number;
}

/** A fault or a warning of a card, found here or by the API. */
export type CardFault = Pick<Finding, "code" | "detail"> &
  Partial<Pick<Finding, "pointer" | "expected" | "received">> & {
    /** Of a table: the column that it is in. */
    readonly column?: string;
  };

/** What a card changes of the one that it replaces. */
export type SentCorrection = NonNullable<CardStatus["corrects"]>;

/** What was found about a card of a file. */
export interface CardFindings {
  /** 1 for the first card of the file; of a table, the row as a spreadsheet shows it. */
  readonly card: number;
  readonly externalId: string | undefined;
  /** Of a card that was not accepted. */
  readonly errors?: readonly CardFault[];
  /** Of an accepted card that should be checked. */
  readonly warnings?: readonly CardFault[];
  /** Of a card that replaces another content: what changes. */
  readonly corrects?: SentCorrection | undefined;
}

/** A card of a file. */
export interface FileCard {
  /** 1 for the first card; of a table, the row as a spreadsheet shows it. */
  readonly number: number;
  /** JSON text of the card; undefined if the line is not JSON. */
  readonly json: string | undefined;
  /** The card; undefined if the line is not JSON. */
  readonly value: unknown;
  /** Of a row with other cells than the header: it is not sent. */
  readonly fault?: FileFault;
}
