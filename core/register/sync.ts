import pMap from "p-map";
import type { GuidKey } from "../formats/identifiers.ts";
import { clubNumber } from "../golf/course.ts";
import type { UnionAccount } from "../union/account-secrets.ts";
import { ResponseTooLargeError } from "../union/request.ts";
import type { ClubTable } from "./club-table.ts";
import type { CourseTable, StoredListing } from "./course-table.ts";
import type { MirrorStateTable } from "./mirror-state-table.ts";
import { type ClubSyncDependencies, type SyncedClub, syncClub } from "./sync-club.ts";
import { addFailedExample, countFailure, countSkipped, emptyReport, type SyncReport } from "./sync-report.ts";
import { ageOf, type ClubSync, judgeList, type ListSync, newClub, syncOrder } from "./sync-state.ts";
import type { CourseRegisterClient, Listing } from "./union-register.ts";

/** The tables, the union and the limits of a sync. */
export interface SyncDependencies extends Pick<ClubSyncDependencies, "overlapMilliseconds" | "now"> {
  readonly union: CourseRegisterClient;
  readonly courses: Pick<CourseTable, "put" | "listings" | "remove" | "putClubNumbers">;
  readonly account: () => Promise<UnionAccount>;
  readonly clubs: ClubTable;
  readonly state: MirrorStateTable;
  /** Concurrent requests to the union. */
  readonly parallelRequests: number;
  /** When the last nightly full sync was due; both in milliseconds since 1970, UTC. */
  readonly fullDueAt: (now: number) => number;
}

/** How often a sync saves its state: a killed sync repeats no more than this. */
const saveIntervalMilliseconds = 15_000;
/** No club is started with less time left, so that the last responses can arrive and the state can be saved. */
const reserveMilliseconds = 25_000;
/** Answers up to this size are read at the same time; larger ones one after the other, so that they fit into memory. */
const parallelMebibytes = 4;
/** If this many clubs in a row fail that answered before, the union is down and gets no more requests. */
const failuresOfAnOutage = 20;

/**
 * Syncs the mirror with the union's clubs and courses, the club with the longest wait first, until all are done or the
 * time is up.
 *
 * A club that fails does not stop the others. If the union does not list its clubs, those in the mirror are synced. A killed
 * sync neither misses nor doubles a change: a club's state is saved after its courses, and what is stored already is not
 * written again. A club that has had no full sync since the last one was due gets one. Versions that the union no longer
 * lists are removed at the end, after every club has been asked, because another club may list them now.
 *
 * @param kind `full` fetches all courses of every club, whether that is due or not
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
  /** A function, not a value: the texts of the list would take memory until the end of the sync. */
  const listClubs = () =>
    union.clubs(account).catch((error: unknown) => {
      report.listed = false;
      addFailedExample(report, "the list of clubs", 1, error);
      return undefined;
    });
  const before = await state.read();
  const { present, removed, newClubs, list } = await syncClubList(
    clubTable,
    courses,
    await listClubs(),
    before.list,
    report,
  );
  report.clubs = present.length;
  report.removedClubs = removed.length;

  const beganAt = now().getTime();
  const fullDueAt = kind === "full" ? beganAt : dependencies.fullDueAt(beganAt);
  const stateOfClub = (id: GuidKey) => before.clubs.get(id) ?? newClub(beganAt);
  const clubs = new Map(present.map((id) => [id, stateOfClub(id)]));
  // A removed club gets a full sync if it is listed again: changes alone would not bring its courses back. That must survive
  // if this sync is killed while it removes them.
  const leaving = new Map(removed.map((id) => [id, { ...stateOfClub(id), fullySyncedAt: 0 }]));
  const save = () => state.write({ list, clubs: new Map([...clubs, ...leaving]) });
  if (removed.length > 0) await save();

  const isTimeUp = () => remainingMilliseconds() < reserveMilliseconds;
  const missing = new Map<GuidKey, readonly StoredListing[]>();
  let failuresInARow = 0;
  let savedAt = beganAt;
  let largeAnswers: Promise<unknown> = Promise.resolve();
  async function sync(id: GuidKey, last: ClubSync): Promise<SyncedClub | undefined> {
    const forClub = { ...dependencies, account, fullDueAt, newClubs, report };
    try {
      return await syncClub(id, last, { ...forClub, mostMebibytes: parallelMebibytes });
    } catch (error) {
      if (!(error instanceof Error && error.cause instanceof ResponseTooLargeError)) throw error;
      const alone = largeAnswers.then(() => (isTimeUp() ? undefined : syncClub(id, last, forClub)));
      largeAnswers = alone.catch(() => undefined);
      return alone;
    }
  }

  await pMap(
    syncOrder(clubs),
    async (id) => {
      if (isTimeUp() || failuresInARow >= failuresOfAnOutage) {
        report.left++;
        return;
      }
      const last = stateOfClub(id);
      try {
        const synced = await sync(id, last);
        if (synced === undefined) {
          report.left++;
          return;
        }
        clubs.set(id, synced.club);
        if (synced.missing.length > 0) missing.set(id, synced.missing);
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

  /** Removes listings of a club, or all of a club that is removed itself. */
  async function remove(id: GuidKey, listings?: readonly StoredListing[]): Promise<void> {
    try {
      const gone = listings ?? (await courses.listings(id));
      report.removedVersions += await courses.remove(gone, now().getTime());
      // In this order, a sync that is killed in between finds the club again.
      if (listings === undefined) await clubTable.remove([id]);
    } catch (error) {
      countFailure(report, id, 1, error);
    }
  }
  // Only after all clubs: one that has not been asked yet may list a version that another has lost. Otherwise the next sync
  // finds it missing again.
  if ([...clubs.values()].every(({ attemptedAt }) => attemptedAt >= fullDueAt)) {
    for (const [id, listings] of missing) await remove(id, listings);
    for (const id of removed) {
      if (isTimeUp()) report.left++;
      else await remove(id);
    }
  }

  const end = now().getTime();
  const ages = [...clubs.values()].map((club) => ageOf(club, end));
  report.unmirrored = [...clubs.values()].filter(({ syncedAt }) => syncedAt === 0).length;
  report.stalestMilliseconds = ages.length === 0 ? undefined : Math.max(0, ...ages);
  countSkipped(report, { list, clubs });
  return report;
}

/** The union's clubs after its list was stored. */
interface SyncedList {
  /** The clubs to sync. */
  readonly present: readonly GuidKey[];
  /** Those in the mirror that the union no longer lists. */
  readonly removed: readonly GuidKey[];
  /** Those that were not in the mirror before. */
  readonly newClubs: ReadonlySet<GuidKey>;
  readonly list: ListSync;
}

/**
 * Writes the clubs that are new or changed.
 *
 * A list that is empty, partly unreadable or missing removes no club, nor does one that leaves out a third of them unless it
 * comes twice: it was cut off. Then all mirrored clubs are still synced.
 *
 * @param listing undefined if the union did not return one
 */
async function syncClubList(
  table: ClubTable,
  courses: Pick<CourseTable, "putClubNumbers">,
  listing: Listing | undefined,
  last: ListSync,
  report: SyncReport,
): Promise<SyncedList> {
  const mirrored = new Map((await table.all()).map(({ id, text }) => [id, text]));
  const entries = listing?.entries ?? [];
  const changed = entries.filter(({ id, text }) => mirrored.get(id) !== text);
  if (changed.length > 0) {
    // Before the clubs: if this sync is killed in between, the next finds them changed again.
    const texts = [...mirrored.values(), ...changed.map(({ text }) => text)];
    const numbers = texts.map(clubNumber).filter((number) => number !== undefined);
    await courses.putClubNumbers([...new Set(numbers)]);
  }
  const tooLarge = await table.put(changed);
  const listed = new Set(entries.map(({ id }) => id));
  const unlisted = [...mirrored.keys()].filter((id) => !listed.has(id));
  const newClubs = new Set(entries.filter(({ id }) => !mirrored.has(id)).map(({ id }) => id));
  const everyone = { present: [...listed, ...unlisted], removed: [], newClubs };
  if (listing === undefined) return { ...everyone, list: last };
  const reasons = [
    ...listing.skipped,
    ...tooLarge.map(({ id }) => `The record of ${id} is above DynamoDB's 400 KB; its courses are not.`),
  ];
  const skipped = reasons[0] !== undefined && { skipped: { count: reasons.length, reason: reasons[0] } };
  const sizes = { stored: mirrored.size, lacking: unlisted.length };
  // A partly unreadable list proves no club removed.
  if (listing.skipped.length > 0) return { ...everyone, list: { ...skipped } };
  const { isBelieved, ...doubt } = judgeList(listed, sizes, last.doubted);
  const list = { ...skipped, ...doubt };
  if (isBelieved && (entries.length > 0 || mirrored.size === 0))
    return { present: [...listed], removed: unlisted, newClubs, list };
  if (doubt.doubted !== undefined) {
    const reason = `It leaves out ${unlisted.length} clubs that are mirrored.`;
    countFailure(report, "the list of clubs", 1, reason);
  }
  return { ...everyone, list };
}
