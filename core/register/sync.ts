import pMap from "p-map";
import type { GuidKey } from "../formats/identifiers.ts";
import { clubNumber } from "../golf/course.ts";
import type { UnionAccount } from "../union/account-secrets.ts";
import { ResponseTooLargeError } from "../union/request.ts";
import type { AcceptedRemovalTable } from "./accepted-removal-table.ts";
import type { ClubTable } from "./club-table.ts";
import type { CourseTable, StoredListing } from "./course-table.ts";
import type { MirrorStateTable } from "./mirror-state-table.ts";
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
import { unionPause } from "./union-pause.ts";
import type { CourseRegisterClient, Listing } from "./union-register.ts";
import { decideAllUnlisted } from "./unlisted-clubs.ts";

/** The tables, the union and the limits of a sync. */
export interface SyncDependencies extends Pick<ClubSyncDependencies, "overlapMilliseconds" | "now"> {
  readonly union: CourseRegisterClient;
  readonly courses: Pick<CourseTable, "put" | "listings" | "remove" | "putClubNumbers">;
  readonly account: () => Promise<UnionAccount>;
  readonly clubs: ClubTable;
  readonly state: MirrorStateTable;
  readonly accepted: AcceptedRemovalTable;
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
  const { union, clubs: clubTable, courses, state, now, sleep } = dependencies;
  const account = await dependencies.account();
  const report = emptyReport();
  const beganAt = now().getTime();
  const [before, accepted] = await Promise.all([state.read(), dependencies.accepted.read(beganAt)]);
  const maxMilliseconds = () => remainingMilliseconds() - reserveMilliseconds;
  const pause = unionPause(before.list.pausedUntil ?? 0, { now, sleep, maxMilliseconds });
  /** A function, not a value: the texts of the list would take memory until the end of the sync. */
  async function listClubs(): Promise<Listing | { readonly failure: string }> {
    try {
      return (await pause.ask(() => union.clubs(account))) ?? { failure: pauseReason };
    } catch (error) {
      return { failure: failureReason(error) };
    }
  }
  const { present, listed, provesUnlisted, newClubs, ...lastList } = await storeClubList(
    clubTable,
    courses,
    await listClubs(),
    before.list,
    report,
  );
  report.clubs = present.length;

  const fullDueAt = kind === "full" ? beganAt : dependencies.fullDueAt(beganAt);
  const stateOfClub = (id: GuidKey) => before.clubs.get(id) ?? newClub(beganAt);
  const markedClub = (id: GuidKey): ClubSync => {
    const { unlisted: mark, ...club } = stateOfClub(id);
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
  const save = () => state.write({ list: list(), clubs });

  const isTimeUp = () => maxMilliseconds() < 0;
  const missing = new Map<GuidKey, readonly StoredListing[]>();
  let failuresInARow = 0;
  let savedAt = now().getTime();
  let largeAnswers: Promise<unknown> = Promise.resolve();
  async function sync(id: GuidKey, last: ClubSync): Promise<SyncedClub | undefined> {
    const forClub = { ...dependencies, account, fullDueAt, listed, newClubs, beganAt, report };
    try {
      return await syncClub(id, last, { ...forClub, maxMebibytes: parallelMebibytes });
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
      const last = clubs.get(id) ?? stateOfClub(id);
      try {
        const synced = await pause.ask(() => sync(id, last));
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
    { concurrency: dependencies.parallelRequests },
  );
  const decisions = decideAllUnlisted(clubs, accepted, beganAt);
  const gone = [...decisions].flatMap(([id, decision]) => (decision === "remove" ? [id] : []));
  const removed = provesUnlisted ? gone : [];
  // A removed club gets a full sync if it is listed again: changes alone would not bring its courses back. That must survive
  // if this sync is killed while it removes them.
  for (const id of removed) clubs.set(id, { ...stateOfClub(id), ...clubs.get(id), fullySyncedAt: 0 });
  await save();
  countUnlisted(report, decisions, removed);

  /** Removes listings of a club, or all of a club that is removed itself. */
  async function remove(id: GuidKey, listings?: readonly StoredListing[]): Promise<void> {
    try {
      const gone = listings ?? (await courses.listings(id));
      report.removedVersions += await courses.remove(gone, now().getTime());
      // In this order, a sync that is killed in between finds the club again.
      if (listings !== undefined) return;
      await clubTable.remove([id]);
      clubs.delete(id);
    } catch (error) {
      countFailure(report, id, 1, failureReason(error));
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
    // Otherwise the next sync forgets them.
    if (removed.length > 0) await save().catch(() => undefined);
    if (provesUnlisted && report.failed === 0 && report.left === 0 && accepted.size > 0) {
      // If this fails, what was accepted is void a day later.
      await dependencies.accepted.clear().catch(() => undefined);
    }
  }

  const end = now().getTime();
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
  table: ClubTable,
  courses: Pick<CourseTable, "putClubNumbers">,
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
