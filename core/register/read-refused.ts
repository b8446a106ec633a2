import { LRUCache } from "lru-cache";
import pMap from "p-map";
import { mapSettled } from "../formats/chunks.ts";
import type { GuidKey } from "../formats/identifiers.ts";
import type { CourseVersion } from "../golf/course.ts";
import { latestFirst, versionFacts } from "../golf/course-versions.ts";
import { versionsOfCourse } from "./record.ts";
import type { VersionCache } from "./version-cache.ts";

/** A course and a tee as a card names them that is about to be refused. */
export interface RefusedReference {
  /** Names all that the card says of them, so that the same is recognised again. */
  readonly key: string;
  readonly courseId: GuidKey;
  readonly clubId?: GuidKey;
}

/** The result of looking again. */
export interface SecondRead {
  /** The versions of each course by the requested ID, the union's and those that only the mirror has. */
  readonly found: ReadonlyMap<GuidKey, readonly CourseVersion[]>;
  /** Keys of references for which the union did not answer, and has not failed to for long. */
  readonly unanswered: ReadonlySet<string>;
}

/** What is kept of the mirror and of the union. Times are in milliseconds of this process's clock. */
export interface RefusedReaderDependencies {
  /** A course's versions in the mirror. */
  readonly mirrored: VersionCache<CourseVersion>;
  /** A club's versions at the union. */
  readonly ofClub: VersionCache<CourseVersion>;
  /** When a club's versions were read from the union last. */
  readonly readAt: Pick<LRUCache<GuidKey, number>, "get">;
}

const parallelReads = 16;
/** Vendors' mistakes must not overload the union. */
const parallelRequests = 4;
/**
 * So long after its begin a request asks the union for one club after the other, and may wait for the last answers: API Gateway waits 29
 * seconds. What is not asked by then is answered by the mirror; if it is sent again, the clubs that were asked need no time.
 */
const maxAskingMilliseconds = 8_000;
/** A course that its club is changing is judged by what was read of it at most so long before. */
const recentMilliseconds = 10_000;
/** A card is not answered "try again" for longer, even if the union never answers for its club. */
const maxWaitMilliseconds = 10 * 60_000;

/** A reference with the clubs that may list its course, the surest first. */
interface Wanted extends RefusedReference {
  /** When it was seen first, in milliseconds of this process's clock. */
  readonly seenAt: number;
  readonly clubIds: readonly GuidKey[];
  /** What the mirror has of it. */
  readonly mirrored: readonly CourseVersion[];
}

/** Makes the function that looks again for the courses of cards that are about to be refused. */
export function refusedReader({ mirrored, ofClub, readAt }: RefusedReaderDependencies) {
  /** When each refused reference was seen first. */
  const refusedAt = new LRUCache<string, number>({ max: 10_000, ttl: 6 * maxWaitMilliseconds });

  /** Reads what the union lists for clubs: what is kept of it and, for those that are changing a course, what is recent. */
  async function askClubs(wanted: readonly Wanted[], endsAt: number) {
    /** Undefined for a club for which the union does not answer. */
    const shown = new Map<GuidKey, readonly CourseVersion[] | undefined>();
    const askEach = (
      clubIds: Iterable<GuidKey>,
      read: (clubId: GuidKey) => Promise<readonly CourseVersion[]>,
    ) =>
      pMap(
        clubIds,
        async (clubId) => {
          if (performance.now() > endsAt) return;
          shown.set(clubId, await read(clubId).catch(() => shown.get(clubId)));
        },
        { concurrency: parallelRequests },
      );
    await askEach(firstOnesFirst(wanted.map(({ clubIds }) => clubIds)), ofClub.get);
    const outdated = wanted.flatMap(({ clubIds, seenAt, courseId, mirrored: before }) =>
      clubIds.filter((clubId) => {
        const isOld = (readAt.get(clubId) ?? 0) < seenAt - recentMilliseconds;
        return isOld && isChanging(before, versionsOfCourse(shown.get(clubId) ?? [], courseId));
      }),
    );
    await askEach(new Set(outdated), ofClub.refresh);
    return shown;
  }

  return async function lookAgain(references: readonly RefusedReference[], now: number): Promise<SecondRead> {
    const found = new Map<GuidKey, readonly CourseVersion[]>();
    const wanted: Wanted[] = [];
    const read = async (reference: RefusedReference) => {
      const seenAt = refusedAt.get(reference.key) ?? now;
      if (seenAt === now) refusedAt.set(reference.key, now);
      const versions = await mirrored.refresh(reference.courseId);
      if (versions.length > 0) found.set(reference.courseId, versions);
      wanted.push({ ...reference, seenAt, clubIds: clubsToAsk(reference, versions), mirrored: versions });
    };
    await mapSettled(references, parallelReads, read);
    const shown = await askClubs(wanted, now + maxAskingMilliseconds);

    const unanswered = new Set<string>();
    for (const { key, courseId, clubIds, seenAt } of wanted) {
      for (const clubId of clubIds.filter((id) => shown.has(id))) {
        const ofUnion = shown.get(clubId);
        if (ofUnion === undefined && now - seenAt < maxWaitMilliseconds) unanswered.add(key);
        const live = versionsOfCourse(ofUnion ?? [], courseId);
        if (live.length > 0) found.set(courseId, mergeVersions(found.get(courseId) ?? [], live));
      }
    }
    return { found, unanswered };
  };
}

/** The clubs that may list a course: the card's own, those that list a version and, of a removed one, the club of its record. */
function clubsToAsk({ clubId }: RefusedReference, versions: readonly CourseVersion[]): GuidKey[] {
  const listing = latestFirst(versions).flatMap((version) => {
    const { ListedBy = [] } = version;
    return ListedBy.length > 0 ? ListedBy : [versionFacts(version).clubId];
  });
  return [...new Set([...(clubId === undefined ? [] : [clubId]), ...listing])];
}

/** All items of lists, the first ones of all lists first. */
function firstOnesFirst<T>(lists: readonly (readonly T[])[]): ReadonlySet<T> {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  );
  return new Set(turns.flat());
}

const byId = (versions: readonly CourseVersion[]) =>
  new Map(versions.map((version) => [versionFacts(version).id, version]));

/** Whether the union has a version with other tees than the mirror, or one that the mirror lacks. */
function isChanging(known: readonly CourseVersion[], live: readonly CourseVersion[]): boolean {
  const before = byId(known);
  return live.some(
    (version) => JSON.stringify(version.Tees) !== JSON.stringify(before.get(versionFacts(version).id)?.Tees),
  );
}

/** The known versions and those that a club lists at the union, which replace them. */
function mergeVersions(
  known: readonly CourseVersion[],
  live: readonly CourseVersion[],
): readonly CourseVersion[] {
  const merged = byId(known);
  for (const version of live) {
    const before = merged.get(versionFacts(version).id);
    const ListedBy = [...new Set([...(before?.ListedBy ?? []), ...(version.ListedBy ?? [])])];
    const ClubNames = { ...before?.ClubNames, ...version.ClubNames };
    merged.set(versionFacts(version).id, { ...version, ListedBy, ClubNames });
  }
  return [...merged.values()];
}
