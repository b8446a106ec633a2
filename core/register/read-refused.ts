import { LRUCache } from "lru-cache";
import pMap from "p-map";
import { mapSettled } from "../formats/chunks.ts";
import type { GuidKey } from "../formats/identifiers.ts";
import type { CourseVersion } from "../golf/course.ts";
import { listClubs } from "../golf/course-of-round.ts";
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

const parallelReads = 16;
/** Vendors' mistakes must not overload the union. */
const parallelRequests = 4;
/**
 * So long after its begin a request asks the union for one club after the other, and may wait for the last answers: API Gateway waits 29
 * seconds. What is not asked by then is answered by the mirror; if it is sent again, the clubs that were asked last need no time.
 */
const maxAskingMilliseconds = 8_000;
/**
 * A new course or tee at the union must be found soon, but not requested for every card. A program that keeps sending the same wrong
 * card is answered by what the cache has.
 */
const freshMilliseconds = { asked: 10_000, refused: 60_000 };
/** A card is not answered "try again" for longer, even if the union never answers for its club. */
const maxWaitMilliseconds = 10 * 60_000;

/**
 * Makes the function that looks again for the courses of cards that are about to be refused.
 *
 * @param mirrored a course's versions in the mirror
 * @param ofClub a club's versions at the union
 */
export function refusedReader(mirrored: VersionCache<CourseVersion>, ofClub: VersionCache<CourseVersion>) {
  /** When each refused reference was seen first, in milliseconds of this process's clock. */
  const refusedAt = new LRUCache<string, number>({ max: 10_000, ttl: 6 * maxWaitMilliseconds });

  return async function lookAgain(references: readonly RefusedReference[], now: number): Promise<SecondRead> {
    const found = new Map<GuidKey, readonly CourseVersion[]>();
    const wanted = await mapSettled(references, parallelReads, async (reference) => {
      const versions = await mirrored.refresh(reference.courseId);
      if (versions.length > 0) found.set(reference.courseId, versions);
      return { ...reference, clubIds: clubsToAsk(reference, versions) };
    });
    const isNew = ({ key }: RefusedReference) =>
      now - (refusedAt.get(key) ?? now) < freshMilliseconds.refused;
    const fresh = new Set(wanted.filter(isNew).flatMap(({ clubIds }) => clubIds));
    /** Undefined for a club for which the union does not answer. */
    const shown = new Map<GuidKey, readonly CourseVersion[] | undefined>();
    const ask = async (clubId: GuidKey) => {
      if (performance.now() > now + maxAskingMilliseconds) return;
      const maxAge = fresh.has(clubId) ? freshMilliseconds.asked : undefined;
      shown.set(clubId, await ofClub.get(clubId, maxAge).catch(() => undefined));
    };
    // The surest club of each course first.
    const surest = wanted.flatMap(({ clubIds }) => clubIds.slice(0, 1));
    const all = new Set([...surest, ...wanted.flatMap(({ clubIds }) => clubIds)]);
    await pMap(all, ask, { concurrency: parallelRequests });

    const unanswered = new Set<string>();
    for (const { key, courseId, clubIds } of wanted) {
      const seenAt = refusedAt.get(key) ?? now;
      refusedAt.set(key, seenAt);
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
  const listing = latestFirst(versions).flatMap(listClubs);
  return [...new Set([...(clubId === undefined ? [] : [clubId]), ...listing])];
}

/** The known versions and those that a club lists at the union, which replace them. */
function mergeVersions(
  known: readonly CourseVersion[],
  live: readonly CourseVersion[],
): readonly CourseVersion[] {
  const merged = new Map(known.map((version) => [versionFacts(version).id, version]));
  for (const version of live) {
    const before = merged.get(versionFacts(version).id);
    const ListedBy = [...new Set([...(before?.ListedBy ?? []), ...(version.ListedBy ?? [])])];
    const ClubNames = { ...before?.ClubNames, ...version.ClubNames };
    merged.set(versionFacts(version).id, { ...version, ListedBy, ClubNames });
  }
  return [...merged.values()];
}
