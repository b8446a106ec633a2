import { LRUCache } from "lru-cache";
import { withMember } from "../formats/exact-json.ts";
import { guidKey, isGuid } from "../formats/identifiers.ts";
import { timestampOf } from "../formats/union-time.ts";
import { unavailable } from "../golf/refusal.ts";
import { UnionUnavailableError } from "../union/union-unavailable-error.ts";
import type { ClubTable } from "./club-table.ts";
import type { CourseTable, MirroredVersion } from "./course-table.ts";
import type { RegisterRecord } from "./record.ts";
import { versionCache } from "./version-cache.ts";

/**
 * The mirrored clubs and courses that the union still has; vendors see no others.
 *
 * Each throws RefusalError `unavailable` if no club has been mirrored yet, because an empty list would look like the
 * union's answer.
 */
export interface CoursesForVendors {
  /** All clubs, by official number. */
  clubs(): Promise<readonly RegisterRecord[]>;
  /** One club by its ID, in any case. */
  club(id: string): Promise<RegisterRecord | undefined>;
  /**
   * All versions of all courses of a club, by its ID in any case; undefined if there is no such club. Their
   * `changedAt` is the last moment at which a vendor can have been answered without the change.
   *
   * @param isRemoved those that the club listed once and does not any more, instead: as they were, without tees, with `RemovedAt`
   */
  courses(clubId: string, isRemoved?: boolean): Promise<readonly MirroredVersion[] | undefined>;
}

const cachedMilliseconds = 20_000;
const cachedBytes = 64 * 1024 * 1024;
const notMirroredYet = () => {
  const detail = "The union's clubs have not been mirrored yet.";
  return unavailable(detail, { retryAfterSeconds: 60, cause: new UnionUnavailableError(detail) });
};
/** The longest from a change's `changedAt` until it can be read: it is written, with retries, and then indexed. */
const writingMilliseconds = 10_000;

/**
 * Caches reads in memory for 20 seconds, which is short compared to the 15 minutes between two runs of the mirror.
 *
 * A vendor that requests changes since its last request must not miss one that had been mirrored by then but was not in
 * that response yet. So changes are dated half a minute later, and some are shown twice instead.
 */
export function coursesForVendors(
  clubs: Pick<ClubTable, "club" | "all" | "isEmpty">,
  courses: Pick<CourseTable, "club">,
): CoursesForVendors {
  const allClubs = new LRUCache<"all", readonly RegisterRecord[]>({
    max: 1,
    ttl: cachedMilliseconds,
    fetchMethod: () => clubs.all(),
  });
  const limits = { bytes: cachedBytes, milliseconds: cachedMilliseconds };
  const dated = (one: MirroredVersion): MirroredVersion => ({
    ...(one.removedAt === undefined ? one : toTombstone(one, one.removedAt)),
    changedAt: one.changedAt + writingMilliseconds + cachedMilliseconds,
  });
  const createCache = (isRemoved: boolean) =>
    versionCache(limits, async (clubId) => (await courses.club(clubId, isRemoved)).map(dated));
  const [listed, removed] = [createCache(false), createCache(true)];

  /** Once filled, a mirror is never empty again. */
  let isFilled = false;
  async function readClub(id: string): Promise<RegisterRecord | undefined> {
    // Every club's ID is a GUID, and DynamoDB refuses a key that is too long.
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
    club: readClub,
    async courses(clubId, isRemoved = false) {
      const cache = isRemoved ? removed : listed;
      const versions = isGuid(clubId) ? await cache.get(guidKey(clubId)) : [];
      if (versions.length > 0) return versions;
      return (await readClub(clubId)) === undefined ? undefined : versions;
    },
  };
}

/** A removed version as vendors see it. Its tees are gone, too, so no card can be played from them. */
function toTombstone({ text, version, ...rest }: MirroredVersion, RemovedAt: number): MirroredVersion {
  const withoutTees = withMember(text, "Tees", "[]");
  return {
    ...rest,
    text: withMember(withoutTees, "RemovedAt", JSON.stringify(timestampOf(RemovedAt))),
    version: { ...version, Tees: [], RemovedAt },
  };
}
