import { type GuidKey, guidKey } from "../formats/identifiers.ts";
import { endOfDay, hasCome, isTimestamp, wallClock } from "../formats/union-time.ts";
import type { CourseVersion, Tee } from "./course.ts";

/** The properties that decide which course version is in force. */
export interface VersionFacts {
  readonly id: GuidKey;
  readonly templateId: GuidKey;
  readonly clubId: GuidKey;
  /** When it became valid, in milliseconds since 1970, UTC; infinity if the register has no date. */
  readonly activatedAt: number;
  /** When the mirror saw that the union had removed it, in milliseconds since 1970, UTC; infinity if the union shows it. */
  readonly removedAt: number;
  /** Whether the union shows it as active. */
  readonly active: boolean;
  readonly version: number;
  readonly tees: readonly Tee[];
  readonly teesById: ReadonlyMap<GuidKey, Tee>;
}

const known = new WeakMap<CourseVersion, VersionFacts>();

/** Reads the properties that decide which version is in force, once per version. */
export function versionFacts(version: CourseVersion): VersionFacts {
  let facts = known.get(version);
  if (facts === undefined) {
    facts = readFacts(version);
    known.set(version, facts);
  }
  return facts;
}

function readFacts(version: CourseVersion): VersionFacts {
  const activation: unknown = version.ActivationDate;
  const listed: unknown[] = Array.isArray(version.Tees) ? version.Tees : [];
  const tees = listed.filter((tee): tee is Tee => typeof tee === "object" && tee !== null);
  return {
    id: guidKey(version.ID),
    templateId: guidKey(version.TemplateID),
    clubId: guidKey(version.ClubID),
    activatedAt:
      typeof activation === "string" && isTimestamp(activation)
        ? wallClock(activation)
        : Number.POSITIVE_INFINITY,
    removedAt: version.RemovedAt ?? Number.POSITIVE_INFINITY,
    active: version.IsActive === true && version.RemovedAt === undefined,
    version: version.Version,
    tees,
    // Reversed, because the first of several tees with the same ID counts.
    teesById: new Map(
      tees.flatMap((tee) => (typeof tee.ID === "string" ? [[guidKey(tee.ID), tee] as const] : [])).reverse(),
    ),
  };
}

/** Whether a version was activated after another; on the same date, the higher Version is the later. */
export function isLater(version: CourseVersion, other: CourseVersion): boolean {
  const facts = versionFacts(version);
  const others = versionFacts(other);
  if (facts.activatedAt !== others.activatedAt) return facts.activatedAt > others.activatedAt;
  return facts.version > others.version;
}

/** Versions of a course, from the latest activation to the earliest. */
export function latestFirst(versions: readonly CourseVersion[]): CourseVersion[] {
  return versions.toSorted((one, other) => Number(isLater(other, one)) - Number(isLater(one, other)));
}

const isActive = (version: CourseVersion) => versionFacts(version).active;

/**
 * The version of a course to use at an instant: of the active ones, the one with the latest activation date that is
 * not after the instant; if several share that date, the one with the highest Version.
 *
 * @param versions of one course
 * @see union-api, Course activity and versions
 */
export function courseInForce(versions: readonly CourseVersion[], at: Date): CourseVersion | undefined {
  const instant = at.getTime();
  return latestFirst(versions.filter(isActive)).find((one) => versionFacts(one).activatedAt <= instant);
}

/** The version in force of each of several courses; a course that has none is left out. */
export function coursesInForce(versions: readonly CourseVersion[], at: Date): CourseVersion[] {
  const courses = Map.groupBy(versions, (version) => versionFacts(version).templateId);
  return [...courses.values()].flatMap((course) => courseInForce(course, at) ?? []);
}

/** The version that a round was played on, and how it was chosen. */
export interface VersionOfRound {
  readonly version: CourseVersion;
  /**
   * `in_force`: by the rule; `inactive`: it is not active now, so the rule finds none; `later_that_day`: it was
   * activated on the day of the round, after its start.
   */
  readonly chosen: "in_force" | "inactive" | "later_that_day";
}

/**
 * The version of a course that a round was played on.
 *
 * A version becomes inactive when the next one is made. So the rule, which wants an active one, may find none for a
 * round of last month. Then it is the version activated last before the round, active or not.
 *
 * @param versions of one course, the one activated last first, without those that the union had removed by then
 * @param startTime wall clock of the round's start, in milliseconds since 1970 as if it were UTC
 * @returns undefined if no version had been activated by the end of the day
 */
export function versionForRound(
  versions: readonly CourseVersion[],
  startTime: number,
  timeZone: string,
): VersionOfRound | undefined {
  const inForce = findBegun(versions, startTime, timeZone, false);
  if (inForce !== undefined) return { version: inForce, chosen: "in_force" };
  const inactive = findBegun(versions, startTime, timeZone, true);
  if (inactive !== undefined) return { version: inactive, chosen: "inactive" };
  const thatDay = findBegun(versions, endOfDay(startTime), timeZone, true);
  return thatDay && { version: thatDay, chosen: "later_that_day" };
}

/** The first version that had been activated when clocks showed a time. A loop makes neither closure nor list for each card. */
function findBegun(versions: readonly CourseVersion[], wallClock: number, zone: string, isAny: boolean) {
  for (const version of versions) {
    const { active, activatedAt } = versionFacts(version);
    if ((isAny || active) && hasCome(activatedAt, wallClock, zone)) return version;
  }
  return undefined;
}
