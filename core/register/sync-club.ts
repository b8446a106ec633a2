import type { GuidKey } from "../formats/identifiers.ts";
import { timestampOf } from "../formats/union-time.ts";
import type { UnionAccount } from "../union/account-secrets.ts";
import type { CourseTable, StoredListing } from "./course-table.ts";
import type { SyncReport } from "./sync-report.ts";
import { type ClubSync, judgeList } from "./sync-state.ts";
import type { CourseRegisterClient } from "./union-register.ts";

/** The tables and the union that a club is synced between. */
export interface ClubSyncDependencies {
  readonly union: Pick<CourseRegisterClient, "courses">;
  readonly account: UnionAccount;
  readonly courses: Pick<CourseTable, "put" | "listings">;
  /** When the last full sync was due, in milliseconds since 1970, UTC. */
  readonly fullDueAt: number;
  /** Clubs in the union's list. */
  readonly listed: ReadonlySet<GuidKey>;
  /** Clubs whose courses cannot be stored yet. */
  readonly newClubs: ReadonlySet<GuidKey>;
  /** How long before a club's last successful sync `changedsince` begins, since the union's clock may differ. */
  readonly overlapMilliseconds: number;
  /** The largest answer that is read, if another limit than the usual one. */
  readonly maxMebibytes?: number;
  /**
   * When the sync of all clubs began, in milliseconds since 1970, UTC. A club counts as asked then: that is earlier than it was,
   * so no change is missed, and all clubs of a sync have the same state.
   */
  readonly beganAt: number;
  readonly now: () => Date;
  readonly report: SyncReport;
}

/** A club after its sync. */
export interface SyncedClub {
  readonly club: ClubSync;
  /** Stored listings that the union no longer has, to be removed once all clubs have been asked. */
  readonly missing: readonly StoredListing[];
}

/** Counts versions, not items: a late write of a killed sync may list a version by a second item. */
const countVersions = (listings: readonly StoredListing[]) => new Set(listings.map(({ id }) => id)).size;

/**
 * Fetches the courses of a club with one request, and stores the records and listings that differ from the stored ones, so that
 * a repeated sync writes nothing.
 *
 * @throws UnionUnavailableError, TableBatchError; what was written by then is right, and the next sync writes the rest
 */
export async function syncClub(
  id: GuidKey,
  last: ClubSync,
  dependencies: ClubSyncDependencies,
): Promise<SyncedClub> {
  const { union, account, courses, fullDueAt, listed, newClubs, maxMebibytes, beganAt, now, report } =
    dependencies;
  const full = last.fullySyncedAt === 0 || last.fullySyncedAt < fullDueAt;
  const goodAt = last.skipped?.goodAt ?? last.syncedAt;
  const since = full ? undefined : timestampOf(goodAt - dependencies.overlapMilliseconds);
  const answer = await union.courses(account, id, since, maxMebibytes);
  // A club that is not listed either is removed as a whole, once that is certain. Until then vendors read all of it.
  if (answer === undefined && !listed.has(id)) return { club: unknownClub(last, beganAt), missing: [] };
  const { entries, skipped } = answer ?? { entries: [], skipped: [] };

  // A partly unreadable list proves no version removed.
  const provesRemoval = full && skipped.length === 0 && (last.syncedAt > 0 || !newClubs.has(id));
  // Judged before the list is stored: its new versions would make the share that it lacks look smaller.
  const stored = provesRemoval ? await courses.listings(id) : [];
  const changed = await courses.put(id, entries, now().getTime());
  const shown = new Set(entries.map((entry) => entry.id));
  const missing = stored.filter((listing) => !shown.has(listing.id));
  const sizes = { stored: countVersions(stored), lacking: countVersions(missing) };
  const { isBelieved, ...doubt } = judgeList(shown, sizes, last.doubted);
  if (!isBelieved) report.doubtedLists++;

  report.mirrored++;
  report.changedVersions += changed.length;
  // A list may be too short once, and `changedsince` would never bring back what it left out. So a club that lacks
  // versions, or has no course at all, gets another full sync.
  const complete = missing.length === 0 && entries.length > 0 && skipped.length === 0;
  const fullySyncedAt = complete ? beganAt : 0;
  const club = {
    knownAt: last.knownAt,
    syncedAt: beganAt,
    fullySyncedAt: full ? fullySyncedAt : last.fullySyncedAt,
    attemptedAt: beganAt,
    failures: 0,
    ...(skipped[0] !== undefined && { skipped: { count: skipped.length, reason: skipped[0], goodAt } }),
    ...doubt,
    // The union still has the club, whatever its list says.
    ...(last.unlisted !== undefined && { unlisted: { since: last.unlisted.since } }),
  };
  return { club, missing: isBelieved ? missing : [] };
}

/** The state of a club that neither the union's list nor the union itself knows. It gets a full sync if it is listed again. */
function unknownClub({ knownAt, unlisted }: ClubSync, beganAt: number): ClubSync {
  return {
    knownAt,
    syncedAt: beganAt,
    fullySyncedAt: 0,
    attemptedAt: beganAt,
    failures: 0,
    ...(unlisted && { unlisted: { ...unlisted, unknownSince: unlisted.unknownSince ?? beganAt } }),
  };
}
