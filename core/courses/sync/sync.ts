import { isDeepStrictEqual } from "node:util";
import pMap from "p-map";
import type { ClubTable } from "../../dynamodb/clubs.ts";
import type { CourseTable } from "../../dynamodb/courses.ts";
import type { MirrorStateTable } from "../../dynamodb/mirror-state-table.ts";
import { type GuidKey, guidKey } from "../../formats/guid.ts";
import type { UnionAccount } from "../../union/account.ts";
import type { CourseRegisterClient, Listing } from "../../union/register.ts";
import type { Club } from "../course.ts";
import { ageOf, type ClubSync, newClub, syncOrder } from "./state.ts";
import { type ClubSyncDependencies, removeCourses, syncClub } from "./sync-club.ts";
import { addFailedExample, countFailure, emptyReport, type SyncReport } from "./sync-report.ts";

/** What a sync needs. */
export interface SyncDependencies
  extends Pick<ClubSyncDependencies, "courses" | "overlapMilliseconds" | "now"> {
  readonly union: CourseRegisterClient;
  readonly account: () => Promise<UnionAccount>;
  readonly clubs: ClubTable;
  readonly state: MirrorStateTable;
  /** Concurrent requests to the union. */
  readonly parallelRequests: number;
}

/** How often a sync saves its state: a killed sync repeats no more than this. */
const saveIntervalMilliseconds = 15_000;
/** No club is started with less time left, so that the last responses can arrive and the state can be saved. */
const reserveMilliseconds = 25_000;
/** If this many clubs in a row fail that answered before, the union is down and gets no more requests. */
const failuresOfAnOutage = 20;

/**
 * Syncs the mirror with the union's clubs and courses, the club with the longest wait first, until all are done or the
 * time is up.
 *
 * A club that fails does not stop the others. If the union does not list its clubs, those in the mirror are synced. A
 * killed sync neither misses nor doubles a change: a club's state is saved after its courses, and what is stored already
 * is not written again.
 *
 * @param kind `full` fetches all courses of every club, and marks those that the union has removed
 * @param remainingMilliseconds how long this run may still take
 * @throws CredentialsUnavailableError, or DynamoDB's error if the clubs or the state cannot be read or written
 */
export async function syncMirror(
  dependencies: SyncDependencies,
  kind: "changes" | "full",
  remainingMilliseconds: () => number,
): Promise<SyncReport> {
  const { union, clubs: clubTable, courses, state, now } = dependencies;
  const account = await dependencies.account();
  const report = emptyReport();
  const listing = await union.clubs(account).catch((error: unknown) => {
    report.listed = false;
    addFailedExample(report, "the list of clubs", 1, error);
    return undefined;
  });
  report.unreadable += listing?.unreadable ?? 0;
  const { present, removed } = await syncClubList(clubTable, courses, listing, report);
  report.clubs = present.length;
  report.removedClubs = removed.length;

  const before = await state.read();
  const beganAt = now().getTime();
  const fullWantedAt = kind === "full" ? beganAt : before.fullWantedAt;
  const clubs = new Map<GuidKey, ClubSync>(
    present.map((id) => [id, before.clubs.get(id) ?? newClub(beganAt)]),
  );
  const save = () => state.write({ fullWantedAt, clubs });
  // Two things must survive if this sync is killed: the request for a full sync, which comes once a night only, and that a
  // removed club starts anew when it is listed again, since changes alone would not bring its courses back.
  if (kind === "full" || removed.length > 0) await save();

  const isTimeUp = () => remainingMilliseconds() < reserveMilliseconds;
  for (const id of removed) {
    if (isTimeUp()) {
      report.left++;
      continue;
    }
    try {
      // In this order, a sync that is killed in between finds the club again.
      report.removedVersions += await removeCourses(id, courses, now);
      await clubTable.remove([id]);
    } catch (error) {
      countFailure(report, id, 1, error);
    }
  }

  const writtenVersions = new Set<GuidKey>();
  let failuresInARow = 0;
  let savedAt = beganAt;
  await pMap(
    syncOrder(clubs),
    async (id) => {
      if (isTimeUp() || failuresInARow >= failuresOfAnOutage) {
        report.left++;
        return;
      }
      const last = clubs.get(id) ?? newClub(beganAt);
      try {
        const clubDependencies = { ...dependencies, account, fullWantedAt, writtenVersions, report };
        clubs.set(id, await syncClub(id, last, clubDependencies));
        failuresInARow = 0;
      } catch (error) {
        const failures = last.failures + 1;
        clubs.set(id, { ...last, failures, attemptedAt: now().getTime() });
        countFailure(report, id, failures, error);
        if (last.failures === 0) failuresInARow++;
      }
      if (now().getTime() - savedAt >= saveIntervalMilliseconds) {
        savedAt = now().getTime();
        // If this fails, the next save makes up for it; only the last one must succeed.
        await save().catch(() => undefined);
      }
    },
    { concurrency: dependencies.parallelRequests },
  );
  await save();

  const end = now().getTime();
  const ages = [...clubs.values()].map((club) => ageOf(club, end));
  report.unmirrored = [...clubs.values()].filter(({ syncedAt }) => syncedAt === 0).length;
  report.stalestMilliseconds = ages.length === 0 ? undefined : Math.max(0, ...ages);
  return report;
}

/** Largest share of the mirrored clubs that a list may leave out and still be believed. */
const maxRemovedShare = 0.5;

/**
 * Writes the clubs that are new or changed.
 *
 * A list that is empty, partly unreadable or missing removes no club, nor does one that leaves out more than half of
 * them: it was cut off. Then all mirrored clubs are still synced.
 *
 * @param listing undefined if the union did not return one
 * @returns the clubs to sync, and those in the mirror that the union no longer lists
 */
async function syncClubList(
  table: ClubTable,
  courses: Pick<CourseTable, "putClubNumbers">,
  listing: Listing<Club> | undefined,
  report: SyncReport,
) {
  const mirrored = new Map((await table.all()).map((club) => [guidKey(club.ID), club]));
  const entries = listing?.entries ?? [];
  const changed = entries.filter((club) => !isDeepStrictEqual(mirrored.get(guidKey(club.ID)), club));
  if (changed.length > 0) {
    // Before the clubs: if this sync is killed in between, the next finds them changed again.
    const all = [...mirrored.values(), ...entries].map(({ UnionNumber }) => UnionNumber);
    await courses.putClubNumbers([...new Set(all)]);
  }
  const tooLarge = await table.put(changed);
  const listed = new Set(entries.map((club) => guidKey(club.ID)));
  const unlisted = [...mirrored.keys()].filter((id) => !listed.has(id));
  const complete = listing !== undefined && listing.unreadable === 0;
  const cutOff = complete && unlisted.length > maxRemovedShare * mirrored.size;
  if (cutOff) {
    const reason = `It leaves out ${unlisted.length} clubs that are mirrored.`;
    countFailure(report, "the list of clubs", 1, reason);
  }
  for (const { ID } of tooLarge) {
    countFailure(report, guidKey(ID), 1, "Its record is above DynamoDB's 400 KB; its courses are not.");
  }
  return complete && !cutOff
    ? { present: [...listed], removed: unlisted }
    : { present: [...listed, ...unlisted], removed: [] };
}
