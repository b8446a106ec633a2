import { LRUCache } from "lru-cache";
import type { Club } from "../course/course.ts";
import type { ClubTable } from "../store/clubs.ts";
import type { CourseTable, MirroredVersion } from "../store/courses.ts";

/** Reads what is mirrored, as a vendor is shown it: what the union no longer shows is left out. */
export interface CourseReader {
  /** All clubs, by official number. */
  clubs(): Promise<readonly Club[]>;
  club(id: string): Promise<Club | undefined>;
  /** All versions of all courses of a club; undefined where there is no such club. */
  courses(clubId: string): Promise<readonly MirroredVersion[] | undefined>;
}

const keptMilliseconds = 60_000;
const keptBytes = 64 * 1024 * 1024;

/** A reader that keeps what it read in memory for a minute, which is short beside the mirror's own quarter of an hour. */
export function courseReader(clubs: ClubTable, courses: Pick<CourseTable, "club">): CourseReader {
  const allClubs = new LRUCache<"all", readonly Club[]>({
    max: 1,
    ttl: keptMilliseconds,
    fetchMethod: () => clubs.all(),
  });
  const coursesOfClub = new LRUCache<string, readonly MirroredVersion[]>({
    maxSize: keptBytes,
    sizeCalculation: (versions) => 100 + JSON.stringify(versions).length,
    ttl: keptMilliseconds,
    fetchMethod: async (clubId) => (await courses.club(clubId)).filter(({ gone }) => !gone),
  });
  return {
    clubs: async () => (await allClubs.fetch("all")) ?? [],
    club: (id) => clubs.club(id),
    async courses(clubId) {
      const versions = (await coursesOfClub.fetch(clubId.toUpperCase())) ?? [];
      if (versions.length > 0) return versions;
      return (await clubs.club(clubId)) === undefined ? undefined : versions;
    },
  };
}
