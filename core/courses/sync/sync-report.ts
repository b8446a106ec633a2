/** A club that could not be synced. */
export interface FailedClub {
  readonly club: string;
  /** Failures since its last successful sync, this one included. */
  readonly failures: number;
  readonly reason: string;
}

/** A course version whose cards cannot be scored. */
export interface IncompleteVersion {
  readonly version: string;
  readonly faults: readonly string[];
}

/** The result of a sync; it counts up while the sync runs. */
export interface SyncReport {
  /** Whether the union returned its list of clubs. */
  listed: boolean;
  /** Clubs to sync. */
  clubs: number;
  /** Clubs that the union no longer lists. */
  removedClubs: number;
  /** Clubs that were synced. */
  mirrored: number;
  /** Versions that were written as new or changed. */
  changedVersions: number;
  /** Versions that were marked as removed upstream. */
  removedVersions: number;
  /** Changed versions whose cards cannot be scored. */
  incompleteVersions: number;
  /** Clubs that failed; the next sync retries them. */
  failed: number;
  /** Clubs that have never been synced. */
  unmirrored: number;
  /** Clubs left for the next sync, because the time was up or the union was down. */
  left: number;
  /** Entries of the union's responses that could not be read. */
  unreadable: number;
  /** Age of the club that was synced longest ago; undefined if there is no club. */
  stalestMilliseconds: number | undefined;
  /** The first of each with the reasons, for the log. */
  readonly examples: {
    readonly failed: FailedClub[];
    readonly incomplete: IncompleteVersion[];
  };
}

const maxExamples = 10;

/** The report of a sync that has not begun. */
export function emptyReport(): SyncReport {
  return {
    listed: true,
    clubs: 0,
    removedClubs: 0,
    mirrored: 0,
    changedVersions: 0,
    removedVersions: 0,
    incompleteVersions: 0,
    failed: 0,
    unmirrored: 0,
    left: 0,
    unreadable: 0,
    stalestMilliseconds: undefined,
    examples: { failed: [], incomplete: [] },
  };
}

/** Counts a failed club. `error` is what was thrown, or the reason in words. */
export function countFailure(report: SyncReport, club: string, failures: number, error: unknown): void {
  report.failed++;
  addFailedExample(report, club, failures, error);
}

/** Adds a failure to the examples without counting a club. */
export function addFailedExample(report: SyncReport, club: string, failures: number, error: unknown): void {
  if (report.examples.failed.length === maxExamples) return;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  report.examples.failed.push({ club, failures, reason });
}

/** Counts changed versions whose cards cannot be scored. */
export function countIncomplete(report: SyncReport, versions: readonly IncompleteVersion[]): void {
  report.incompleteVersions += versions.length;
  const { incomplete } = report.examples;
  incomplete.push(...versions.slice(0, maxExamples - incomplete.length));
}
