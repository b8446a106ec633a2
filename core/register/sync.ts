import pMap from "p-map";
import type { GuidKey } from "../formats/identifiers.ts";
import type { UnionAccount } from "../union/account-secrets.ts";
import { ResponseTooLargeError } from "../union/request.ts";
import type { ClubTable } from "./club-table.ts";
import type { CourseTable, StoredListing } from "./course-table.ts";
import type { MirrorStateTable } from "./mirror-state-table.ts";
import { clubNumber } from "./record.ts";
import { type ClubSyncDependencies, type SyncedClub, syncClub } from "./sync-club.ts";
import {
  addFailedExample,
  countFailure,
  countSkipped,
  countUnlisted,
  emptyReport,
  failureReason,
  type SyncReport,
} from "./sync-report.ts";
import { ageOf, type ClubSync, type ListSync, newClub, syncOrder } from "./sync-state.ts";
import { type UnionPause, unionPause } from "./union-pause.ts";
import type { CourseRegisterClient, Listing } from "./union-register.ts";
import { decideAllUnlisted, removeClub } from "./unlisted-clubs.ts";

/** The tables, the union and the limits of a sync. */
export interface SyncDependencies extends Pick<ClubSyncDependencies, "overlapMilliseconds" | "now"> {
  readonly union: CourseRegisterClient;
  readonly courses: Pick<CourseTable, "put" | "listings" | "remove" | "putClubNumbers">;
  readonly account: () => Promise<UnionAccount>;
  readonly clubs: ClubTable;
  readonly state: MirrorStateTable;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
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
 * A club that fails does not stop the others. If the union does not list its clubs, those in the mirror are synced. A club that
 * the union's list lacks is kept until that is proven (`decideUnlisted`). If the union asks for a pause by Retry-After, the sync
 * waits, or the next one does. A killed sync neither misses nor doubles a change: a club's state is saved after its courses, and
 * what is stored already is not written again. A club that has had no full sync since the last one was due gets one. Versions
 * that the union no longer lists are removed at the end, after every club has been asked, because another club may list them now.
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
  const maxMilliseconds = () => remainingMilliseconds() - reserveMilliseconds;
  const sync = await beginSync(dependencies, kind, maxMilliseconds);
  const missing = await syncClubs(sync);
  const removed = await decideRemovals(sync);
  // Only after all clubs: one that has not been asked yet may list a version that another has lost. Otherwise the next sync
  // finds it missing again.
  if ([...sync.clubs.values()].every(({ attemptedAt }) => attemptedAt >= sync.fullDueAt))
    await removeGone(sync, missing, removed);
  return completeReport(sync);
}

/** A sync under way. Times are in milliseconds since 1970, UTC. */
interface Sync extends Pick<StoredList, "listed" | "newClubs" | "provesUnlisted"> {
  readonly dependencies: SyncDependencies;
  readonly account: UnionAccount;
  readonly report: SyncReport;
  readonly beganAt: number;
  readonly fullDueAt: number;
  readonly pause: UnionPause;
  /** The clubs to sync, each with its state, which changes. */
  readonly clubs: Map<GuidKey, ClubSync>;
  readonly isTimeUp: () => boolean;
  /** The state of the list as it is to be stored now. */
  readonly list: () => ListSync;
  /** Stores the state of the list and of all clubs. */
  readonly save: () => Promise<void>;
}

/** Reads the state of the last sync, and stores the union's list of clubs. */
async function beginSync(
  dependencies: SyncDependencies,
  kind: "changes" | "full",
  maxMilliseconds: () => number,
): Promise<Sync> {
  const { state, now, sleep } = dependencies;
  const account = await dependencies.account();
  const report = emptyReport();
  const beganAt = now().getTime();
  const before = await state.read();
  const pause = unionPause(before.list.pausedUntil ?? 0, { now, sleep, maxMilliseconds });
  const listing = await listClubs(dependencies.union, account, pause);
  const stored = await storeClubList(dependencies, listing, before.list, report);
  const { present, listed, newClubs, provesUnlisted, ...lastList } = stored;
  report.clubs = present.length;

  const markedClub = (id: GuidKey): ClubSync => {
    const { unlisted: mark, ...club } = before.clubs.get(id) ?? newClub(beganAt);
    if (listed.has(id)) return club;
    // A list that proves nothing leaves the mark of a club that it lacks as it is.
    const unlisted = mark ?? (provesUnlisted ? { since: beganAt } : undefined);
    return unlisted === undefined ? club : { ...club, unlisted };
  };
  const clubs = new Map(present.map((id) => [id, markedClub(id)]));
  const list = () => ({
    ...lastList,
    ...(pause.until() > now().getTime() && { pausedUntil: pause.until() }),
  });
  return {
    ...{ dependencies, account, report, beganAt, pause, clubs, list },
    ...{ listed, newClubs, provesUnlisted },
    fullDueAt: kind === "full" ? beganAt : dependencies.fullDueAt(beganAt),
    isTimeUp: () => maxMilliseconds() < 0,
    save: () => state.write({ list: list(), clubs }),
  };
}

/** The union's list of clubs, or why there is none. */
async function listClubs(
  union: CourseRegisterClient,
  account: UnionAccount,
  pause: UnionPause,
): Promise<Listing | { readonly failure: string }> {
  try {
    return (await pause.ask(() => union.clubs(account))) ?? { failure: pauseReason };
  } catch (error) {
    return { failure: failureReason(error) };
  }
}

/** Syncs club after club, as long as there is time and the union answers. @returns the listings that a club does not have any more */
async function syncClubs(sync: Sync): Promise<ReadonlyMap<GuidKey, readonly StoredListing[]>> {
  const { clubs, report, beganAt, pause, isTimeUp, save } = sync;
  const { now, parallelRequests } = sync.dependencies;
  const syncOne = clubSyncer(sync);
  const missing = new Map<GuidKey, readonly StoredListing[]>();
  let failuresInARow = 0;
  let savedAt = now().getTime();
  await pMap(
    syncOrder(clubs),
    async (id) => {
      if (isTimeUp() || failuresInARow >= failuresOfAnOutage) {
        report.left++;
        return;
      }
      const last = clubs.get(id) ?? newClub(beganAt);
      try {
        const synced = await pause.ask(() => syncOne(id, last));
        if (synced === undefined) {
          report.left++;
          return;
        }
        clubs.set(id, synced.club);
        if (synced.missing.length > 0) missing.set(id, synced.missing);
        failuresInARow = 0;
      } catch (error) {
        const failures = last.failures + 1;
        const failure = failureReason(error);
        clubs.set(id, { ...last, failures, failure, attemptedAt: beganAt });
        countFailure(report, id, failures, failure);
        if (last.failures === 0) failuresInARow++;
      }
      if (now().getTime() - savedAt >= saveIntervalMilliseconds) {
        savedAt = now().getTime();
        // If this fails, the next save makes up for it; only the last one must succeed.
        await save().catch(() => undefined);
      }
    },
    { concurrency: parallelRequests },
  );
  return missing;
}

/** Makes the function that syncs a club: beside others, or if its answer is large, after the other large ones. */
function clubSyncer({ isTimeUp, dependencies, ...forClub }: Sync) {
  const given = { ...dependencies, ...forClub };
  let largeAnswers: Promise<unknown> = Promise.resolve();
  return async (id: GuidKey, last: ClubSync): Promise<SyncedClub | undefined> => {
    try {
      return await syncClub(id, last, { ...given, maxMebibytes: parallelMebibytes });
    } catch (error) {
      if (!(error instanceof Error && error.cause instanceof ResponseTooLargeError)) throw error;
      const alone = largeAnswers.then(() => (isTimeUp() ? undefined : syncClub(id, last, given)));
      largeAnswers = alone.catch(() => undefined);
      return alone;
    }
  };
}

/** Decides about the clubs that the union does not list, and saves the state. @returns those to remove */
async function decideRemovals(sync: Sync): Promise<readonly GuidKey[]> {
  const { clubs, beganAt, provesUnlisted, report, save } = sync;
  const decisions = decideAllUnlisted(clubs, beganAt);
  const gone = [...clubs].filter(([id]) => provesUnlisted && decisions.get(id) === "remove");
  // A removed club gets a full sync if it is listed again: changes alone would not bring its courses back. That must survive
  // if this sync is killed while it removes them.
  for (const [id, club] of gone) clubs.set(id, { ...club, fullySyncedAt: 0 });
  await save();
  const removed = gone.map(([id]) => id);
  countUnlisted(report, decisions, removed);
  return removed;
}

/** Removes the listings that clubs do not have any more, and the clubs that are gone. */
async function removeGone(
  { clubs, report, isTimeUp, save, dependencies }: Sync,
  missing: ReadonlyMap<GuidKey, readonly StoredListing[]>,
  removed: readonly GuidKey[],
): Promise<void> {
  const { courses, now } = dependencies;
  const attempt = async (id: GuidKey, remove: () => Promise<void>): Promise<void> => {
    try {
      await remove();
    } catch (error) {
      countFailure(report, id, 1, failureReason(error));
    }
  };
  for (const [id, listings] of missing)
    await attempt(id, async () => {
      report.removedVersions += await courses.remove(listings, now().getTime());
    });
  for (const id of removed) {
    if (isTimeUp()) {
      report.left++;
      continue;
    }
    await attempt(id, async () => {
      report.removedVersions += await removeClub(id, dependencies, now().getTime());
      clubs.delete(id);
    });
  }
  // Otherwise the next sync forgets them.
  if (removed.length > 0) await save().catch(() => undefined);
}

/** Adds to the report how old the mirror is now, and what it lacks. */
function completeReport({ clubs, list, report, dependencies }: Sync): SyncReport {
  const end = dependencies.now().getTime();
  const ages = [...clubs.values()].map((club) => ageOf(club, end));
  report.unmirrored = [...clubs.values()].filter(({ syncedAt }) => syncedAt === 0).length;
  report.stalestMilliseconds = ages.length === 0 ? undefined : Math.max(0, ...ages);
  countSkipped(report, { list: list(), clubs });
  return report;
}

/** Stands for the union's list of clubs where a club is named. */
const listName = "the list of clubs";
const emptyReason = "The union's list of clubs is empty.";
const pauseReason = "The union asked for a pause, by Retry-After.";

/** The union's clubs after its list was stored. */
interface StoredList extends Pick<ListSync, "failure" | "skipped"> {
  /** The clubs to sync: those that are listed, and those that are mirrored and not listed. */
  readonly present: readonly GuidKey[];
  readonly listed: ReadonlySet<GuidKey>;
  /** Whether the list proves of a club that it lacks that the union does not list it. */
  readonly provesUnlisted: boolean;
  /** Those that were not in the mirror before. */
  readonly newClubs: ReadonlySet<GuidKey>;
}

/**
 * Writes the clubs that are new or changed.
 *
 * A list that is empty, partly unreadable or missing proves nothing of the clubs that it lacks.
 *
 * @param listing the union's list, or why there is none
 */
async function storeClubList(
  { clubs: table, courses }: Pick<SyncDependencies, "clubs" | "courses">,
  listing: Listing | { readonly failure: string },
  last: ListSync,
  report: SyncReport,
): Promise<StoredList> {
  const mirrored = new Map((await table.all()).map(({ id, text }) => [id, text]));
  const listedClubs = "failure" in listing ? [] : listing.entries;
  const changed = listedClubs.filter(({ id, text }) => mirrored.get(id) !== text);
  if (changed.length > 0) {
    // Before the clubs: if this sync is killed in between, the next finds them changed again.
    const texts = [...mirrored.values(), ...changed.map(({ text }) => text)];
    const numbers = texts.map(clubNumber).filter((number) => number !== undefined);
    await courses.putClubNumbers([...new Set(numbers)]);
  }
  const tooLarge = await table.put(changed);
  const listed = new Set(listedClubs.map(({ id }) => id));
  const newClubs = new Set([...listed].filter((id) => !mirrored.has(id)));
  const stored = { present: [...new Set([...listed, ...mirrored.keys()])], listed, newClubs };
  if ("failure" in listing) {
    report.listed = false;
    addFailedExample(report, listName, 1, listing.failure);
    const skipped = last.skipped && { skipped: last.skipped };
    return { ...stored, ...skipped, provesUnlisted: false, failure: listing.failure };
  }
  const isEmpty = listed.size === 0 && mirrored.size > 0;
  if (isEmpty) countFailure(report, listName, 1, emptyReason);
  const reasons = [
    ...listing.skipped,
    ...tooLarge.map(({ id }) => `The record of ${id} is above DynamoDB's 400 KB; its courses are not.`),
  ];
  return {
    ...stored,
    ...(isEmpty && { failure: emptyReason }),
    provesUnlisted: listing.skipped.length === 0 && listed.size > 0,
    ...(reasons[0] !== undefined && { skipped: { count: reasons.length, reason: reasons[0] } }),
  };
}
