import { LRUCache } from "lru-cache";
import type { CourseVersion } from "../course/course.ts";
import type { CourseReference } from "../scorecard/assess.ts";
import type { ClubTable } from "../store/clubs.ts";
import type { CourseTable } from "../store/courses.ts";
import type { UnionAccount } from "../union/account.ts";
import type { CourseRegisterClient } from "../union/register.ts";

/** The versions of the course that an ID names, of a version or a TemplateID; none where the union has no such course. */
export type CourseVersions = readonly CourseVersion[];

/** Looks up the courses that a submission names. */
export interface CourseLookup {
  /**
   * @returns by ID in upper case; a course that the union does not have is left out
   * @throws UnionUnavailable, CredentialsUnavailable where a course is not mirrored and the union cannot be asked
   */
  find(references: readonly CourseReference[]): Promise<ReadonlyMap<string, CourseVersions>>;
}

/** What the look-up needs from outside. */
export interface CourseLookupParts {
  readonly courses: Pick<CourseTable, "version" | "course">;
  readonly clubs: Pick<ClubTable, "club">;
  readonly union: CourseRegisterClient;
  readonly account: () => Promise<UnionAccount>;
}

const keptBytes = 64 * 1024 * 1024;
const keptMilliseconds = 5 * 60_000;
/** A course just made at the union shall be found soon, but not asked for with every card. */
const unknownKeptMilliseconds = 60_000;

const none: CourseVersions = [];

/**
 * Finds courses in the mirror, and once at the union where the mirror has none; keeps them in memory.
 *
 * Many cards that ask at the same time share one look-up.
 */
export function courseLookup({ courses, clubs, union, account }: CourseLookupParts): CourseLookup {
  async function mirrored(courseId: string): Promise<CourseVersions> {
    const named = await courses.version(courseId);
    const versions = await courses.course(named?.version.TemplateID ?? courseId);
    return versions.map(({ version }) => version);
  }

  /** All courses of a club as the union has them now: it documents no way to ask for one version. */
  const askedClubs = new LRUCache<string, readonly CourseVersion[]>({
    max: 50,
    ttl: unknownKeptMilliseconds,
    fetchMethod: async (clubId) => (await union.courses(await account(), clubId))?.entries ?? none,
  });

  async function atUnion(courseId: string, clubId: string): Promise<CourseVersions> {
    const versions = (await askedClubs.fetch(clubId)) ?? none;
    const named = versions.find(
      ({ ID, TemplateID }) => ID.toUpperCase() === courseId || TemplateID.toUpperCase() === courseId,
    );
    return versions.filter(({ TemplateID }) => TemplateID === named?.TemplateID);
  }

  const found = new LRUCache<string, CourseVersions, CourseReference>({
    maxSize: keptBytes,
    sizeCalculation: (versions) => 100 + JSON.stringify(versions).length,
    ttl: keptMilliseconds,
    fetchMethod: async (_key, _stale, { context: { courseId, clubId }, options }) => {
      const known = await mirrored(courseId);
      const versions = known.length > 0 || clubId === undefined ? known : await atUnion(courseId, clubId);
      const [version] = versions;
      if (version === undefined) {
        options.ttl = unknownKeptMilliseconds;
        return none;
      }
      // The union's own record of a course does not name its club; a card does.
      const club = await clubs.club(version.ClubID);
      return club === undefined ? versions : versions.map((one) => ({ ...one, ClubName: club.Name }));
    },
  });

  return {
    async find(references) {
      const entries = await Promise.all(
        references.map(async (reference) => {
          // With the club, lest a wrong one sent by a vendor hides the course from the others.
          const key = `${reference.courseId} ${reference.clubId ?? ""}`;
          const versions = (await found.fetch(key, { context: reference })) ?? none;
          return [reference.courseId, versions] as const;
        }),
      );
      return new Map(entries.filter(([, versions]) => versions.length > 0));
    },
  };
}
