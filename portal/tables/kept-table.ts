import type { Answers } from "@scorecard-pipeline/card-files/reading/reading";
import type { TableChanges } from "./table-row.ts";

/** What a person has said and mended of a table, which its file does not have. */
export interface KeptTable {
  /** A hash of the file: nothing else is known of it. */
  readonly file: string;
  readonly answers: Answers;
  readonly changes: TableChanges | undefined;
}

/** The place in the browser's storage, for one table: the last one. */
const place = "scorecards-table";
const maxKeptMilliseconds = 7 * 86_400_000;

/** What is kept for an account, unless it is older than a week. */
export function readKept(owner: string): KeptTable | undefined {
  try {
    const { by, at, kept } = JSON.parse(localStorage.getItem(place) ?? "{}");
    if (by === owner && Date.now() - at < maxKeptMilliseconds) return kept;
    localStorage.removeItem(place);
  } catch (error) {
    console.warn(error);
  }
  return undefined;
}

/** Keeps it in place of what was kept, if the browser keeps anything for this page. @param kept nothing, to forget */
export function keep(owner: string, kept: KeptTable | undefined): void {
  try {
    if (kept === undefined) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify({ by: owner, at: Date.now(), kept }));
  } catch (error) {
    console.warn(error);
  }
}
