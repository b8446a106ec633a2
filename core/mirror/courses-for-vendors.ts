import { LRUCache } from "lru-cache";
import type { Club } from "../course/course.ts";
import type { ClubTable } from "../store/clubs.ts";
import type { CourseTable, MirroredVersion } from "../store/courses.ts";
import { guidKey } from "../wire/guid.ts";
import { keptVersions } from "./kept-versions.ts";

/** Reads what is mirrored, as a vendor is shown it: what the union no longer shows is left out. */
export interface CoursesForVendors {
  /** All clubs, by official number. */
  clubs(): Promise<readonly Club[]>;
  club(id: string): Promise<Club | undefined>;
  /**
   * All versions of all courses of a club; undefined where there is no such club. Their `changedAt` is when the last
   * vendor can have been answered without the change.
   */
  courses(clubId: string): Promise<readonly MirroredVersion[] | undefined>;
}

const keptMilliseconds = 20_000;
const keptBytes = 64 * 1024 * 1024;
/** From the time that a change is marked with until it can be read: writing it, with its retries, and the index. */
const writingMilliseconds = 10_000;

/**
 * A reader that keeps what it read in memory for a third of a minute, which is short beside the mirror's own quarter of an hour.
 *
 * A vendor that asks for what changed since its last request must not miss what was mirrored by then but not in the
 * answer yet. So a change counts as one of half a minute later; some are shown twice instead.
 */
export function coursesForVendors(
  clubs: Pick<ClubTable, "club" | "all">,
  courses: Pick<CourseTable, "club">,
): CoursesForVendors {
  const allClubs = new LRUCache<"all", readonly Club[]>({
    max: 1,
    ttl: keptMilliseconds,
    fetchMethod: () => clubs.all(),
  });
  const keeping = { bytes: keptBytes, milliseconds: keptMilliseconds, noneMilliseconds: keptMilliseconds };
  const coursesOfClub = keptVersions(keeping, async (clubId) => {
    const shown = (await courses.club(clubId)).filter(({ gone }) => !gone);
    return shown.map((one) => ({
      ...one,
      changedAt: one.changedAt + writingMilliseconds + keptMilliseconds,
    }));
  });
  return {
    clubs: async () => (await allClubs.fetch("all")) ?? [],
    club: (id) => clubs.club(id),
    async courses(clubId) {
      const versions = await coursesOfClub.get(guidKey(clubId));
      if (versions.length > 0) return versions;
      return (await clubs.club(clubId)) === undefined ? undefined : versions;
    },
  };
}
