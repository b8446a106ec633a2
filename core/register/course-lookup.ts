import { LRUCache } from "lru-cache";
import pMap from "p-map";
import { mapSettled } from "../formats/chunks.ts";
import type { GuidKey } from "../formats/identifiers.ts";
import type { KnownClubs } from "../golf/assessed-card.ts";
import { type Club, type CourseVersion, isShown } from "../golf/course.ts";
import { versionFacts } from "../golf/course-versions.ts";
import type { UnionAccount } from "../union/account-secrets.ts";
import type { ClubTable } from "./club-table.ts";
import type { CourseReference } from "./course-references.ts";
import type { CourseTable, ListedVersion } from "./course-table.ts";
import { type RefusedReference, refusedReader, type SecondRead } from "./read-refused.ts";
import { readVersion } from "./record.ts";
import type { CourseRegisterClient } from "./union-register.ts";
import { versionCache } from "./version-cache.ts";

/** Looks up the courses and clubs that a submission names. */
export interface CourseLookup {
  /** Reads the mirror. @returns versions by the requested ID, a course's or a tee's; those of several courses if they share the tee */
  find(references: readonly CourseReference[]): Promise<ReadonlyMap<GuidKey, readonly CourseVersion[]>>;
  /**
   * Looks again for the courses of cards that are about to be refused, since the union may just have added a course, a version or a
   * tee: in the mirror itself, and at the union.
   *
   * @param seenAt when the cards were received, by `performance.now()`
   */
  lookAgain(references: readonly RefusedReference[], seenAt: number): Promise<SecondRead>;
  /** The numbers of the mirrored clubs, and which of these clubs is one of them. */
  clubs(ids: readonly GuidKey[]): Promise<KnownClubs>;
}

/** A version as cards are checked with it. */
const toCourseVersion = ({ version, clubs, removedAt }: ListedVersion): CourseVersion => ({
  ...version,
  ListedBy: clubs,
  ...(removedAt !== undefined && { RemovedAt: removedAt }),
});

/** The tables and the union that the lookup reads. */
export interface CourseLookupDependencies {
  readonly courses: Pick<CourseTable, "course" | "coursesOfTee" | "clubNumbers" | "club">;
  readonly clubs: Pick<ClubTable, "club">;
  readonly union: CourseRegisterClient;
  readonly account: () => Promise<UnionAccount>;
}

const mebibyte = 1024 * 1024;
const mirrorCacheLimits = { bytes: 64 * mebibyte, milliseconds: 5 * 60_000, noneMilliseconds: 60_000 };
const unionCacheLimits = { bytes: 16 * mebibyte, milliseconds: 60_000 };

const parallelReads = 16;

/** What is kept of the mirror and of the union. */
function createCaches({ courses, clubs, union, account }: CourseLookupDependencies) {
  async function readName(clubId: GuidKey): Promise<[GuidKey, string | undefined]> {
    const club = await clubs.club(clubId);
    return [clubId, club && (JSON.parse(club.text) as Pick<Club, "Name">).Name];
  }

  /** Adds the names of the clubs: cards carry one, but the union's own record of a course does not. */
  async function withClubNames(versions: readonly CourseVersion[]): Promise<readonly CourseVersion[]> {
    const ids = versions.flatMap((version) => [versionFacts(version).clubId, ...(version.ListedBy ?? [])]);
    const ClubNames = Object.fromEntries(await Promise.all([...new Set(ids)].map(readName)));
    return versions.map((one) => ({ ...one, ClubNames }));
  }

  /** Adds to a course that is removed what its clubs have today. */
  async function withCoursesInstead(versions: readonly CourseVersion[]): Promise<readonly CourseVersion[]> {
    if (versions.some(isShown)) return versions;
    const clubIds = new Set(versions.map((version) => versionFacts(version).clubId));
    const ofClub = async (clubId: GuidKey) =>
      (await courses.club(clubId))
        .filter(({ version }) => versionFacts(version).tees.length > 0)
        .map(({ version }) => ({ ...version, Tees: [], ListedBy: [clubId] }));
    const ListedInstead = (await Promise.all([...clubIds].map(ofClub))).flat();
    return versions.map((one) => ({ ...one, ListedInstead }));
  }

  const mirrored = versionCache(mirrorCacheLimits, async (courseId) =>
    withCoursesInstead(await withClubNames((await courses.course(courseId)).map(toCourseVersion))),
  );

  const clubNumbers = new LRUCache<"all", ReadonlySet<number>>({
    max: 1,
    ttl: mirrorCacheLimits.milliseconds,
    fetchMethod: async () => new Set(await courses.clubNumbers()),
  });

  const listedClubs = new LRUCache<"all", ReadonlySet<GuidKey>>({
    max: 1,
    ttl: unionCacheLimits.milliseconds,
    fetchMethod: async () => new Set((await union.clubs(await account())).entries.map(({ id }) => id)),
  });
  const isClub = async (clubId: GuidKey): Promise<boolean> =>
    (await clubs.club(clubId)) !== undefined || (await listedClubs.fetch("all"))?.has(clubId) === true;

  /** All courses of a club as the union has them now: it documents no way to ask for one version. */
  const ofClub = versionCache(unionCacheLimits, async (clubId) => {
    if (!(await isClub(clubId))) return [];
    const { entries = [] } = (await union.courses(await account(), clubId)) ?? {};
    return withClubNames(entries.map(({ text }) => ({ ...readVersion(text), ListedBy: [clubId] })));
  });

  return { mirrored, clubNumbers, ofClub };
}

/**
 * Finds courses in the mirror, and caches them in memory. Cards that ask for a course at the same time share one look-up. The union
 * is asked for the courses of a club only if a card is about to be refused, and not again within ten seconds; for the same cards, within a minute.
 */
export function courseLookup(dependencies: CourseLookupDependencies): CourseLookup {
  const { courses, clubs } = dependencies;
  const { mirrored, clubNumbers, ofClub } = createCaches(dependencies);

  async function findByTee(teeId: GuidKey): Promise<readonly CourseVersion[]> {
    const courseIds = await courses.coursesOfTee(teeId);
    const all = await Promise.all(courseIds.map((courseId) => mirrored.get(courseId)));
    const hasTee = (version: CourseVersion) => versionFacts(version).teesById.has(teeId);
    return all.filter((versions) => versions.some(hasTee)).flat();
  }

  return {
    async find(references) {
      const found = new Map<GuidKey, readonly CourseVersion[]>();
      const look = async (reference: CourseReference) => {
        const id = "teeId" in reference ? reference.teeId : reference.courseId;
        const ofCourse = "teeId" in reference ? [] : await mirrored.get(id);
        const versions = ofCourse.length > 0 ? ofCourse : await findByTee(id);
        if (versions.length > 0) found.set(id, versions);
      };
      await mapSettled(references, parallelReads, look);
      return found;
    },

    lookAgain: refusedReader(mirrored, ofClub),

    async clubs(ids) {
      const numbers = (await clubNumbers.fetch("all")) ?? new Set();
      const known = await pMap(ids, async (id) => ((await clubs.club(id)) ? id : undefined), {
        concurrency: parallelReads,
      });
      return { numbers, ids: new Set(known.filter((id) => id !== undefined)) };
    },
  };
}
