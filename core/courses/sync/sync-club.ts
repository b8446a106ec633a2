import { type CourseTable, fingerprint } from "../../dynamodb/courses.ts";
import { type GuidKey, guidKey } from "../../formats/guid.ts";
import { timestampOf } from "../../formats/timestamp.ts";
import type { UnionAccount } from "../../union/account.ts";
import type { CourseRegisterClient } from "../../union/register.ts";
import { registerFaults } from "../register-faults.ts";
import type { ClubSync } from "./state.ts";
import { countIncomplete, type SyncReport } from "./sync-report.ts";

/** What syncing a club needs. */
export interface ClubSyncDependencies {
  readonly union: Pick<CourseRegisterClient, "courses">;
  readonly account: UnionAccount;
  readonly courses: Pick<CourseTable, "fingerprints" | "club" | "put" | "putClubNumbers">;
  /** When a full sync was last requested, in milliseconds since 1970, UTC. */
  readonly fullWantedAt: number;
  /** How long before a club's last successful sync `changedsince` begins, since the union's clock may differ. */
  readonly overlapMilliseconds: number;
  /** The versions that this sync has written, of all clubs; each club adds its own before it writes them. */
  readonly writtenVersions: Set<GuidKey>;
  readonly now: () => Date;
  readonly report: SyncReport;
}

/**
 * Fetches the courses of a club with one request, and writes the versions that differ from the stored ones, so that a
 * repeated sync writes nothing.
 *
 * @returns the club's new state
 * @throws UnionUnavailableError, TableBatchError; what was written by then is right, and the next sync writes the rest
 */
export async function syncClub(
  id: GuidKey,
  last: ClubSync,
  dependencies: ClubSyncDependencies,
): Promise<ClubSync> {
  const { union, account, courses, fullWantedAt, writtenVersions, now, report } = dependencies;
  const beganAt = now().getTime();
  const full = last.fullySyncedAt === 0 || last.fullySyncedAt < fullWantedAt;
  const since = full ? undefined : timestampOf(last.syncedAt - dependencies.overlapMilliseconds);
  const { entries, unreadable } = (await union.courses(account, id, since)) ?? { entries: [], unreadable: 0 };
  const known = await courses.fingerprints(entries.map((version) => version.ID));
  const changed = entries.filter((version) => known.get(guidKey(version.ID)) !== fingerprint(version));
  for (const { ID } of changed) writtenVersions.add(guidKey(ID));
  // A partly unreadable list proves no version removed. On a club's first sync there is most likely nothing stored yet; if
  // there is, the next full sync removes it.
  const missing =
    full && last.syncedAt > 0 && unreadable === 0
      ? await notListed(courses, id, new Set(entries.map((version) => guidKey(version.ID))))
      : [];
  // A concurrent sync of another club may have just written a course that moved there. This older read must not
  // overwrite it.
  const removed = missing.filter(({ version }) => !writtenVersions.has(guidKey(version.ID)));
  // A list may be too short once, and `changedsince` would never bring back what it left out. So a club that lacks
  // versions, or has no course at all, gets another full sync.
  const complete = removed.length === 0 && entries.length > 0;
  const changedAt = now().getTime();
  await courses.put([
    ...changed.map((version) => ({ version, clubId: id, changedAt, removedUpstream: false })),
    ...removed.map((version) => ({ ...version, changedAt, removedUpstream: true })),
  ]);
  report.mirrored++;
  report.changedVersions += changed.length;
  report.removedVersions += removed.length;
  report.unreadable += unreadable;
  const faults = changed.map((version) => ({ version: version.ID, faults: registerFaults(version) }));
  countIncomplete(
    report,
    faults.filter((version) => version.faults.length > 0),
  );
  const fullySyncedAt = full && complete ? beganAt : last.fullySyncedAt;
  return { ...last, syncedAt: beganAt, fullySyncedAt, attemptedAt: beganAt, failures: 0 };
}

/**
 * Marks all versions of a club as removed upstream, for a club that the union no longer lists.
 *
 * @returns how many of them were not marked before
 */
export async function removeCourses(
  id: GuidKey,
  courses: Pick<CourseTable, "club" | "put">,
  now: () => Date,
): Promise<number> {
  const removed = await notListed(courses, id, new Set());
  const changedAt = now().getTime();
  await courses.put(removed.map((version) => ({ ...version, changedAt, removedUpstream: true })));
  return removed.length;
}

/** The stored versions of a club that are not listed any more, and not marked yet. */
async function notListed(courses: Pick<CourseTable, "club">, id: GuidKey, listed: ReadonlySet<GuidKey>) {
  const stored = await courses.club(id);
  return stored.filter(
    ({ version, removedUpstream }) => !removedUpstream && !listed.has(guidKey(version.ID)),
  );
}
