import { LRUCache } from "lru-cache";
import pMap from "p-map";
import { mapSettled } from "../formats/chunks.ts";
import { type GuidKey, guidKey, isGuid } from "../formats/identifiers.ts";
import type { KnownClubs } from "../golf/assessed-card.ts";
import { type Club, type CourseVersion, readVersion } from "../golf/course.ts";
import { versionFacts, versionsOfCourse } from "../golf/course-versions.ts";
import type { UnionAccount } from "../union/account-secrets.ts";
import type { ClubTable } from "./club-table.ts";
import type { CourseTable, ListedVersion } from "./course-table.ts";
import type { CourseRegisterClient } from "./union-register.ts";
import { versionCache } from "./version-cache.ts";

/** A course that a card names, or a tee whose course it does not name; all IDs in upper case. */
export type CourseReference =
  | { readonly courseId: string; readonly clubId?: string }
  | { readonly teeId: string };

/**
 * The courses that a submission's cards name, each once per club: one card's wrong club must not hide the course from
 * another card. Unreadable values are skipped.
 */
export function courseReferences(cards: readonly unknown[]): CourseReference[] {
  const references = new Map<string, CourseReference>();
  for (const card of cards) {
    const { CourseID, ClubID, TeeID } = fieldsOf(fieldsOf(card).Course);
    const courseId = readGuid(CourseID);
    const clubId = readGuid(ClubID);
    const teeId = readGuid(TeeID);
    if (courseId === undefined) {
      if (!CourseID && teeId !== undefined) references.set(teeId, { teeId });
      continue;
    }
    references.set(`${courseId} ${clubId}`, clubId === undefined ? { courseId } : { courseId, clubId });
  }
  return [...references.values()];
}

/** The clubs, in upper case, of cards that name no course. */
export function clubsWithoutCourse(cards: readonly unknown[]): GuidKey[] {
  const clubs = cards.map((card) => {
    const { CourseID, ClubID } = fieldsOf(fieldsOf(card).Course);
    return CourseID ? undefined : readGuid(ClubID);
  });
  return [...new Set(clubs)].filter((club) => club !== undefined);
}

const readGuid = (value: unknown) =>
  typeof value === "string" && isGuid(value) ? guidKey(value) : undefined;

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** Looks up the courses and clubs that a submission names. */
export interface CourseLookup {
  /**
   * @returns by the requested ID, a course's or a tee's; courses that the union does not have are left out
   * @throws UnionUnavailableError, CredentialsUnavailableError if a course is not mirrored and the union cannot be reached
   */
  find(references: readonly CourseReference[]): Promise<ReadonlyMap<GuidKey, readonly CourseVersion[]>>;
  /**
   * Looks again for the courses of cards that are about to be refused, since the union may just have added a tee or a version: in
   * the mirror itself, and at the union.
   *
   * @param seenAt when the cards were received, by `performance.now()`
   */
  lookAgain(references: readonly RefusedReference[], seenAt: number): Promise<SecondRead>;
  /** The numbers of the mirrored clubs, and which of these clubs is one of them. */
  clubs(ids: readonly GuidKey[]): Promise<KnownClubs>;
}

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
  /** By key, the references of which the union may know more by now, and in how many seconds it can be asked. */
  readonly unsettled: ReadonlyMap<string, number>;
  /** Keys of references for which the union did not answer. */
  readonly unanswered: ReadonlySet<string>;
}

/**
 * A version that the union removed is no longer in force, although its last record may say so. Cards of rounds that were
 * played on it may still come.
 */
const inactiveIfRemoved = ({ version, clubs }: ListedVersion): CourseVersion => ({
  ...version,
  ListedBy: clubs,
  ...(clubs.length === 0 && { IsActive: false }),
});

/** Whether two records of a version have the same tees with the same numbers. */
const isSameRating = (one: CourseVersion, other: CourseVersion | undefined) =>
  JSON.stringify(one.Tees) === JSON.stringify(other?.Tees);

/** The tables and the union that the lookup reads. */
export interface CourseLookupDependencies {
  readonly courses: Pick<CourseTable, "course" | "courseOfTee" | "clubNumbers">;
  readonly clubs: Pick<ClubTable, "club">;
  readonly union: CourseRegisterClient;
  readonly account: () => Promise<UnionAccount>;
}

const mebibyte = 1024 * 1024;
/** A new course at the union must be found soon, but not requested for every card. */
const unknownCachedMilliseconds = 60_000;
const mirrorCacheLimits = {
  bytes: 64 * mebibyte,
  milliseconds: 5 * 60_000,
  noneMilliseconds: unknownCachedMilliseconds,
};
const unionCacheLimits = {
  bytes: 16 * mebibyte,
  milliseconds: unknownCachedMilliseconds,
  noneMilliseconds: unknownCachedMilliseconds,
};

const parallelReads = 16;
/** Clubs for which a submission has the union asked again, so that it is answered in time. */
const maxClubsAskedAgain = 20;
const secondsUntilNextLook = unknownCachedMilliseconds / 1000;
/** Vendors' mistakes must not overload the union. */
const parallelRequests = 4;

/** What is kept of the mirror and of the union. */
function createCaches({ courses, clubs, union, account }: CourseLookupDependencies) {
  /** Adds the name of the club: cards carry it, but the union's own record of a course does not. */
  async function withClubName(versions: readonly CourseVersion[]): Promise<readonly CourseVersion[]> {
    const [version] = versions;
    const club = version && (await clubs.club(version.ClubID));
    if (club === undefined) return versions;
    const { Name: ClubName } = JSON.parse(club.text) as Pick<Club, "Name">;
    return versions.map((one) => ({ ...one, ClubName }));
  }

  const mirrored = versionCache(mirrorCacheLimits, async (courseId) =>
    withClubName((await courses.course(courseId)).map(inactiveIfRemoved)),
  );

  const clubNumbers = new LRUCache<"all", ReadonlySet<number>>({
    max: 1,
    ttl: mirrorCacheLimits.milliseconds,
    fetchMethod: async () => new Set(await courses.clubNumbers()),
  });

  const listedClubs = new LRUCache<"all", ReadonlySet<GuidKey>>({
    max: 1,
    ttl: unknownCachedMilliseconds,
    fetchMethod: async () => new Set((await union.clubs(await account())).entries.map(({ id }) => id)),
  });
  const isClub = async (clubId: GuidKey): Promise<boolean> =>
    (await clubs.club(clubId)) !== undefined || (await listedClubs.fetch("all"))?.has(clubId) === true;

  /** When a club's courses were read from the union last, in milliseconds of this process's clock. */
  const readAt = new LRUCache<GuidKey, number>({ max: 10_000 });
  /** All courses of a club as the union has them now: it documents no way to ask for one version. */
  const ofClub = versionCache(unionCacheLimits, async (clubId) => {
    readAt.set(clubId, performance.now());
    if (!(await isClub(clubId))) return [];
    const { entries = [] } = (await union.courses(await account(), clubId)) ?? {};
    return withClubName(entries.map(({ text }) => ({ ...readVersion(text), ListedBy: [clubId] })));
  });

  return { mirrored, clubNumbers, readAt, ofClub };
}

/**
 * Finds courses in the mirror, or at the union if they are not mirrored yet, and caches them in memory.
 *
 * Cards that ask for a course at the same time share one look-up. What a submission costs the union is bounded: one request
 * for each club that a card names with an unknown course, and one for the list of clubs if such a club is unknown, too.
 * Neither is made again within a minute.
 */
export function courseLookup({ courses, clubs, union, account }: CourseLookupDependencies): CourseLookup {
  const { mirrored, clubNumbers, readAt, ofClub } = createCaches({ courses, clubs, union, account });
  /** When each refused reference was seen first. */
  const refusedAt = new LRUCache<string, number>({ max: 10_000, ttl: 10 * unknownCachedMilliseconds });

  return {
    async find(references) {
      const found = new Map<GuidKey, readonly CourseVersion[]>();
      const missing = new Map<GuidKey, GuidKey[]>();
      const lookByTee = async (teeId: GuidKey) => {
        const courseId = await courses.courseOfTee(teeId);
        const versions = courseId === undefined ? [] : await mirrored.get(courseId);
        if (versions.some((version) => versionFacts(version).teesById.has(teeId))) found.set(teeId, versions);
      };
      const look = async (reference: CourseReference) => {
        if ("teeId" in reference) return lookByTee(guidKey(reference.teeId));
        const courseId = guidKey(reference.courseId);
        const versions = await mirrored.get(courseId);
        if (versions.length > 0) found.set(courseId, versions);
        else await lookByTee(courseId);
        if (!found.has(courseId) && reference.clubId !== undefined) {
          const clubId = guidKey(reference.clubId);
          missing.set(clubId, [...(missing.get(clubId) ?? []), courseId]);
        }
      };
      await mapSettled(references, parallelReads, look);

      const ask = async ([clubId, courseIds]: [GuidKey, GuidKey[]]) => {
        const shown = await ofClub.get(clubId);
        for (const courseId of courseIds) {
          const versions = versionsOfCourse(shown, courseId);
          if (versions.length > 0) found.set(courseId, versions);
        }
      };
      await mapSettled([...missing], parallelRequests, ask);
      return found;
    },

    async lookAgain(references, seenAt) {
      const found = new Map<GuidKey, readonly CourseVersion[]>();
      const unsettled = new Map<string, number>();
      const unanswered = new Set<string>();
      const byClub = new Map<GuidKey, RefusedReference[]>();
      const read = async (reference: RefusedReference) => {
        if (!refusedAt.has(reference.key)) refusedAt.set(reference.key, seenAt);
        const versions = await mirrored.refresh(reference.courseId);
        if (versions.length > 0) found.set(reference.courseId, versions);
        const clubId = versions[0]?.ListedBy?.[0] ?? reference.clubId;
        if (clubId !== undefined) byClub.set(clubId, [...(byClub.get(clubId) ?? []), reference]);
      };
      await mapSettled(references, parallelReads, read);

      const ask = async ([clubId, ofOne]: [GuidKey, RefusedReference[]], place: number) => {
        if (place >= maxClubsAskedAgain) {
          for (const { key } of ofOne) unsettled.set(key, secondsUntilNextLook);
          return;
        }
        const shown = await ofClub.get(clubId).catch(() => undefined);
        const age = performance.now() - (readAt.get(clubId) ?? 0);
        for (const { key, courseId } of ofOne) {
          if (shown === undefined) unanswered.add(key);
          const live = versionsOfCourse(shown ?? [], courseId);
          const known = new Map(found.get(courseId)?.map((version) => [guidKey(version.ID), version]));
          // The club is changing the course now, so what was read before this reference was seen may be out of date.
          const isChanging = live.some((version) => !isSameRating(version, known.get(guidKey(version.ID))));
          for (const version of live) known.set(guidKey(version.ID), version);
          if (live.length > 0) found.set(courseId, [...known.values()]);
          if (isChanging && (refusedAt.get(key) ?? 0) > (readAt.get(clubId) ?? 0))
            unsettled.set(key, Math.max(1, Math.ceil((unknownCachedMilliseconds - age) / 1000)));
        }
      };
      await pMap(byClub, ask, { concurrency: parallelRequests });
      return { found, unsettled, unanswered };
    },

    async clubs(ids) {
      const numbers = (await clubNumbers.fetch("all")) ?? new Set();
      const known = await pMap(ids, async (id) => ((await clubs.club(id)) ? id : undefined), {
        concurrency: parallelReads,
      });
      return { numbers, ids: new Set(known.filter((id) => id !== undefined)) };
    },
  };
}
