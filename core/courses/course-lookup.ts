import { LRUCache } from "lru-cache";
import pMap from "p-map";
import type { ClubTable } from "../dynamodb/clubs.ts";
import type { CourseTable, MirroredVersion } from "../dynamodb/courses.ts";
import { type GuidKey, guidKey } from "../formats/guid.ts";
import type { CourseReference } from "../scorecard/references.ts";
import type { UnionAccount } from "../union/account.ts";
import type { CourseRegisterClient } from "../union/register.ts";
import type { CourseVersion } from "./course.ts";
import { versionCache, versionsOfCourse } from "./version-cache.ts";

/** All versions of the course that an ID names, a version's or a TemplateID; none if there is no such course. */
export type CourseVersions = readonly CourseVersion[];

/** Looks up the courses that a submission names. */
export interface CourseLookup {
  /**
   * @returns by the ID that was asked for; a course that the union does not have is left out
   * @throws UnionUnavailableError, CredentialsUnavailableError where a course is not mirrored and the union cannot be asked
   */
  find(references: readonly CourseReference[]): Promise<ReadonlyMap<GuidKey, CourseVersions>>;
}

/**
 * A version as cards are checked against it. Cards of rounds that were played on one that the union no longer shows are
 * still to come; but it is not in force any more, whatever it said of itself last.
 */
const asPlayedOn = ({ version, removedUpstream }: MirroredVersion): CourseVersion =>
  removedUpstream ? { ...version, IsActive: false } : version;

/** What the look-up needs from outside. */
export interface CourseLookupParts {
  readonly courses: Pick<CourseTable, "version" | "course">;
  readonly clubs: Pick<ClubTable, "club">;
  readonly union: CourseRegisterClient;
  readonly account: () => Promise<UnionAccount>;
}

const mebibyte = 1024 * 1024;
/** A course that was just made at the union must be found soon, but not be asked for with every card. */
const unknownKeptMilliseconds = 60_000;
const ofMirror = {
  bytes: 64 * mebibyte,
  milliseconds: 5 * 60_000,
  noneMilliseconds: unknownKeptMilliseconds,
};
const ofUnion = {
  bytes: 16 * mebibyte,
  milliseconds: unknownKeptMilliseconds,
  noneMilliseconds: unknownKeptMilliseconds,
};

const parallelReads = 16;
/** Vendors' mistakes must not be a burden on the union. */
const parallelRequests = 4;

/**
 * Finds courses in the mirror, or at the union where they are not mirrored yet, and keeps them in memory.
 *
 * Cards that ask for a course at the same time share one look-up. What a submission costs the union is bounded: one
 * request for each club that a card names with an unknown course, and one for the list of clubs where such a club is
 * unknown, too. Neither is made again within a minute.
 */
export function courseLookup({ courses, clubs, union, account }: CourseLookupParts): CourseLookup {
  /** Adds the name of the club: cards carry it, but the union's own record of a course does not. */
  async function withClubName(versions: readonly CourseVersion[]): Promise<CourseVersions> {
    const [version] = versions;
    const club = version && (await clubs.club(version.ClubID));
    return club === undefined ? versions : versions.map((one) => ({ ...one, ClubName: club.Name }));
  }

  const mirrored = versionCache(ofMirror, async (courseId) => {
    const named = await courses.version(courseId);
    const versions = await courses.course(named?.version.TemplateID ?? courseId);
    return withClubName(versions.map(asPlayedOn));
  });

  const listedClubs = new LRUCache<"all", ReadonlySet<GuidKey>>({
    max: 1,
    ttl: unknownKeptMilliseconds,
    fetchMethod: async () =>
      new Set((await union.clubs(await account())).entries.map(({ ID }) => guidKey(ID))),
  });
  const isClub = async (clubId: GuidKey): Promise<boolean> =>
    (await clubs.club(clubId)) !== undefined || (await listedClubs.fetch("all"))?.has(clubId) === true;

  /** All courses of a club as the union has them now: it documents no way to ask for one version. */
  const ofClub = versionCache(ofUnion, async (clubId) => {
    if (!(await isClub(clubId))) return [];
    const shown = await union.courses(await account(), clubId);
    return withClubName(shown?.entries ?? []);
  });

  return {
    async find(references) {
      const found = new Map<GuidKey, CourseVersions>();
      const missing = new Map<GuidKey, GuidKey[]>();
      const look = async (reference: CourseReference) => {
        const courseId = guidKey(reference.courseId);
        const versions = await mirrored.get(courseId);
        if (versions.length > 0) found.set(courseId, versions);
        else if (reference.clubId !== undefined) {
          const clubId = guidKey(reference.clubId);
          missing.set(clubId, [...(missing.get(clubId) ?? []), courseId]);
        }
      };
      await pMap(references, look, { concurrency: parallelReads });

      const ask = async ([clubId, courseIds]: [GuidKey, GuidKey[]]) => {
        const shown = await ofClub.get(clubId);
        for (const courseId of courseIds) {
          const versions = versionsOfCourse(shown, courseId);
          if (versions.length > 0) found.set(courseId, versions);
        }
      };
      await pMap(missing, ask, { concurrency: parallelRequests });
      return found;
    },
  };
}
