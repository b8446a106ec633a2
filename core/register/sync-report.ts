import { UnionUnavailableError } from "../union/union-unavailable-error.ts";
import type { ClubSync, MirrorState, SkippedEntries } from "./sync-state.ts";
import type { UnlistedDecision } from "./unlisted-clubs.ts";

/** Entries that could not be kept, of a club or of the list of clubs. */
interface SkippedExample extends SkippedEntries {
  readonly club: string;
}

/** The report of a sync, which counts up while the sync runs. */
export const emptyReport = () => ({
  /** Whether the union returned its list of clubs. */
  listed: true,
  /** Clubs to sync. */
  clubs: 0,
  /** Clubs that were found to be gone, and are removed. */
  removedClubs: 0,
  /** Clubs that the union's list lacks and that are kept. */
  unlistedClubs: 0,
  /** Those of them that only an operator can have removed. */
  clubsForOperator: 0,
  /** Clubs that were synced. */
  mirrored: 0,
  /** Versions that were written as new, changed or listed by another club. */
  changedVersions: 0,
  /** Listings of versions that were marked as removed. */
  removedVersions: 0,
  /** Clubs' lists that were much shorter than before: nothing is removed until they come twice. */
  doubtedLists: 0,
  /** Clubs that failed; the next sync retries them. */
  failed: 0,
  /** Clubs that have never been synced. */
  unmirrored: 0,
  /** Clubs left for the next sync, because the time was up or the union was down. */
  left: 0,
  /** Entries of the union's lists that could not be kept, in the last list of each club and that of clubs. */
  skippedEntries: 0,
  /** Age of the club that was synced longest ago; undefined if there is no club. */
  stalestMilliseconds: undefined as number | undefined,
  /** The first few of each kind with their reasons, for the log. */
  examples: {
    /** With the failures since the last successful sync, this one included. */
    failed: [] as { readonly club: string; readonly failures: number; readonly reason: string }[],
    skipped: [] as SkippedExample[],
    unlisted: [] as { readonly club: string; readonly decision: UnlistedDecision }[],
  },
});

/** The result of a sync. */
export type SyncReport = ReturnType<typeof emptyReport>;

const maxExamples = 10;

/** Counts a failed club. */
export function countFailure(report: SyncReport, club: string, failures: number, reason: string): void {
  report.failed++;
  addFailedExample(report, club, failures, reason);
}

/** Adds a failure to the examples without counting a club. */
export function addFailedExample(report: SyncReport, club: string, failures: number, reason: string): void {
  if (report.examples.failed.length === maxExamples) return;
  report.examples.failed.push({ club, failures, reason });
}

/** What was thrown, in words. */
export function failureReason(error: unknown): string {
  if (error instanceof UnionUnavailableError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Counts the clubs that the union's list lacks. @param removed those that this sync removes */
export function countUnlisted(
  report: SyncReport,
  decisions: ReadonlyMap<string, UnlistedDecision>,
  removed: readonly string[],
): void {
  report.removedClubs = removed.length;
  report.unlistedClubs = decisions.size - removed.length;
  report.clubsForOperator = [...decisions.values()].filter((decision) => decision === "operator").length;
  const examples = [...decisions].map(([club, decision]) => ({ club, decision }));
  report.examples.unlisted.push(...examples.slice(0, maxExamples));
}

/** Counts the entries that the union's last lists had and that could not be kept. */
export function countSkipped(report: SyncReport, state: MirrorState): void {
  const all = skippedEntries(state);
  report.skippedEntries = all.reduce((sum, { count }) => sum + count, 0);
  report.examples.skipped.push(...all.slice(0, maxExamples));
}

/** The entries that could not be kept, by club; those of the union's list of clubs first. */
export function skippedEntries({ list, clubs }: MirrorState): SkippedExample[] {
  const lists: [string, Pick<ClubSync, "skipped"> | MirrorState["list"]][] = [
    ["the list of clubs", list],
    ...clubs,
  ];
  return lists.flatMap(([club, { skipped }]) =>
    skipped === undefined ? [] : [{ club, count: skipped.count, reason: skipped.reason }],
  );
}
