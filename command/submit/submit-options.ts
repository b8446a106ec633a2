import type { VendorOptions } from "../base/vendor-access.ts";
import type { TableOptions } from "./table-options.ts";

/** Options of `scorecards submit`. */
export interface SubmitOptions extends VendorOptions, TableOptions {
  readonly parallel: number;
  readonly patience: number;
  /** Send all cards, also those that were accepted before. */
  readonly again?: true;
  /** Correct delivered cards of another player and round, too. */
  readonly anyCorrection?: true;
  /** Say what is wrong, and submit nothing. */
  readonly preview?: true;
  /** Send also the cards of a table that will not count. */
  readonly uncounted?: true;
  /** Codes of warnings that are right for a whole table. */
  readonly confirm?: readonly string[];
  readonly json?: true;
}
