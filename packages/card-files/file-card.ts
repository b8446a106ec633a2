import type { FileFault } from "./card-fault.ts";

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
