import { LRUCache } from "lru-cache";
import type { ClubTable } from "../dynamodb/clubs.ts";
import type { CourseTable, MirroredVersion } from "../dynamodb/courses.ts";
import { guidKey, isGuid } from "../formats/guid.ts";
import { unavailable } from "../refusal.ts";
import type { Club } from "./course.ts";
import { versionCache } from "./version-cache.ts";

/**
 * The mirrored clubs and courses as vendors are shown them: without what the union no longer shows.
 *
 * Each throws RefusalError `unavailable` if no club has been mirrored yet: that there is none would be taken for the union's word.
 */
export interface CoursesForVendors {
  /** All clubs, by official number. */
  clubs(): Promise<readonly Club[]>;
  /** One club by its ID, in any case. */
  club(id: string): Promise<Club | undefined>;
  /**
   * All versions of all courses of a club, by its ID in any case; undefined if there is no such club. Their
   * `changedAt` is the last moment at which a vendor can have been answered without the change.
   */
  courses(clubId: string): Promise<readonly MirroredVersion[] | undefined>;
}

const keptMilliseconds = 20_000;
const keptBytes = 64 * 1024 * 1024;
const notMirroredYet = () =>
  unavailable("The union's clubs have not been mirrored yet.", { retryAfterSeconds: 60 });
/** The longest from a change's `changedAt` until it can be read: it is written, with retries, and then indexed. */
const writingMilliseconds = 10_000;

/**
 * Keeps what it read in memory for 20 seconds, which is short beside the 15 minutes between two passes of the mirror.
 *
 * A vendor that asks for what changed since its last request must not miss what was mirrored by then but was not in
 * that answer yet. So a change is dated half a minute later than it was; some are shown twice instead.
 */
export function coursesForVendors(
  clubs: Pick<ClubTable, "club" | "all" | "isEmpty">,
  courses: Pick<CourseTable, "club">,
): CoursesForVendors {
  const allClubs = new LRUCache<"all", readonly Club[]>({
    max: 1,
    ttl: keptMilliseconds,
    fetchMethod: () => clubs.all(),
  });
  const keeping = { bytes: keptBytes, milliseconds: keptMilliseconds, noneMilliseconds: keptMilliseconds };
  const coursesOfClub = versionCache(keeping, async (clubId) => {
    const shown = (await courses.club(clubId)).filter(({ removedUpstream }) => !removedUpstream);
    return shown.map((one) => ({
      ...one,
      changedAt: one.changedAt + writingMilliseconds + keptMilliseconds,
    }));
  });

  /** Once it has been filled a mirror is never empty again. */
  let isFilled = false;
  async function clubOf(id: string): Promise<Club | undefined> {
    // No club has an ID that is no GUID, and DynamoDB refuses to look for one that is too long for a key.
    const club = isGuid(id) ? await clubs.club(id) : undefined;
    isFilled ||= club !== undefined || !(await clubs.isEmpty());
    if (!isFilled) throw notMirroredYet();
    return club;
  }

  return {
    async clubs() {
      const all = (await allClubs.fetch("all")) ?? [];
      if (all.length === 0) throw notMirroredYet();
      return all;
    },
    club: clubOf,
    async courses(clubId) {
      const versions = isGuid(clubId) ? await coursesOfClub.get(guidKey(clubId)) : [];
      if (versions.length > 0) return versions;
      return (await clubOf(clubId)) === undefined ? undefined : versions;
    },
  };
}
