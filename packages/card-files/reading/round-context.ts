import type { FoundTable } from "./find-sheet.ts";
import type { Answers, Facts, GridFile } from "./reading.ts";

/** What rounds are read with. */
export interface RoundContext {
  readonly file: GridFile;
  readonly chosen: FoundTable;
  readonly answers: Answers;
  readonly facts: Facts;
  readonly loose: readonly string[];
}
