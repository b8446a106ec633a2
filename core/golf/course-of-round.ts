import { type GuidKey, guidKey } from "../formats/identifiers.ts";
import { hasCome } from "../formats/union-time.ts";
import type { CourseVersion } from "./course.ts";
import {
  isLater,
  latestFirst,
  type VersionOfRound,
  versionFacts,
  versionForRound,
} from "./course-versions.ts";
import type { CardReading } from "./scorecard.ts";
import { teeNumbers } from "./tee-numbers.ts";

/** A course that a card may name, at the time of its round. */
export interface CourseOfRound {
  /** Those that the union had not removed when the round began, the one activated last first. None: it had removed the course. */
  readonly versions: readonly CourseVersion[];
  /** With those that it had removed by then. */
  readonly all: readonly CourseVersion[];
  /** Undefined if none of `versions` had begun by the end of the day, or if the time of the round is not known. */
  readonly round: VersionOfRound | undefined;
}

/**
 * Chooses the course that a card names among those with versions of the ID that it names. IDs are not unique: clubs may use one
 * TemplateID for two courses, and courses share tees. The card's own names tell them apart, then the day of the round, then the number of
 * strokes.
 *
 * @param found versions of one course or more, at least one
 * @returns several only if nothing tells which of them was played
 */
export function coursesOfRound(
  { card: { Course }, strokesSent }: Pick<CardReading, "card" | "strokesSent">,
  found: readonly CourseVersion[],
  startTime: number | undefined,
  timeZone: string,
): readonly [CourseOfRound, ...CourseOfRound[]] {
  const courses = splitCourses(found).map((all) => courseAt(all, startTime, timeZone));
  const [only = courseAt(found, startTime, timeZone), ...more] = courses;
  if (more.length === 0) return [only];
  const courseId = typeof Course.CourseID === "string" ? guidKey(Course.CourseID) : undefined;
  const clubId = typeof Course.ClubID === "string" ? guidKey(Course.ClubID) : undefined;
  const teeId = typeof Course.TeeID === "string" ? guidKey(Course.TeeID) : courseId;
  const tees = ({ round, versions }: CourseOfRound) =>
    (round === undefined ? versions : [round.version]).flatMap((version) =>
      teeId === undefined ? [] : (versionFacts(version).teesById.get(teeId) ?? []),
    );
  const preferences: readonly ((course: CourseOfRound) => boolean)[] = [
    ({ round }) => round !== undefined && round.chosen !== "later_that_day",
    ({ round }) => round !== undefined,
    ({ versions }) => versions.length > 0,
    ({ all }) => all.some((version) => versionFacts(version).id === courseId),
    ({ round, all }) =>
      clubId !== undefined &&
      (round === undefined ? all : [round.version]).some((one) => isOfClub(one, clubId)),
    (course) => tees(course).length > 0,
    ({ round }) => round?.chosen === "in_force",
    (course) => tees(course).some((tee) => teeNumbers(tee).holes.length === strokesSent),
  ];
  const [first = only, ...others] = preferences.reduce<readonly CourseOfRound[]>(preferred, courses);
  const isOfOtherCourse = ({ all }: CourseOfRound) => templateIdOf(all) !== templateIdOf(first.all);
  if (others.some(isOfOtherCourse)) return [first, ...others];
  return [others.reduce((one, other) => (isActivatedLater(other, one) ? other : one), first)];
}

const templateIdOf = ([version]: readonly CourseVersion[]) => version && versionFacts(version).templateId;

function isActivatedLater({ round }: CourseOfRound, { round: other }: CourseOfRound): boolean {
  return round !== undefined && (other === undefined || isLater(round.version, other.version));
}

function courseAt(
  all: readonly CourseVersion[],
  startTime: number | undefined,
  timeZone: string,
): CourseOfRound {
  if (startTime === undefined) return { all, versions: latestFirst(all), round: undefined };
  const there = all.filter((version) => !hasCome(versionFacts(version).removedAt, startTime, timeZone));
  const versions = latestFirst(there);
  return { all, versions, round: versionForRound(versions, startTime, timeZone) };
}

/** Whether a club lists a version, or the version's own record names it. */
export function isOfClub(version: CourseVersion, clubId: GuidKey): boolean {
  return versionFacts(version).clubId === clubId || version.ListedBy?.includes(clubId) === true;
}

/** Splits versions by course: those of one TemplateID are several courses if clubs that share no version have active ones. */
function splitCourses(versions: readonly CourseVersion[]): (readonly CourseVersion[])[] {
  if (versions.length === 1) return [versions];
  const byTemplate = Map.groupBy(versions, (version) => versionFacts(version).templateId);
  return [...byTemplate.values()].flatMap(splitByClub);
}

function splitByClub(versions: readonly CourseVersion[]): (readonly CourseVersion[])[] {
  let groups: Set<GuidKey>[] = [];
  for (const version of versions) {
    const { active, clubId } = versionFacts(version);
    if (!active) continue;
    const clubs = new Set([clubId, ...(version.ListedBy ?? [])]);
    const apart = groups.filter((group) => [...clubs].every((club) => !group.has(club)));
    const joined = groups.filter((group) => !apart.includes(group));
    groups = [...apart, new Set([clubs, ...joined].flatMap((group) => [...group]))];
  }
  if (groups.length <= 1) return [versions];
  const isIn = (group: Set<GuidKey>) => (version: CourseVersion) =>
    [...group].some((clubId) => isOfClub(version, clubId));
  // An inactive version of a club that has no active one may be the past of any of them.
  return groups.map((group) =>
    versions.filter((version) => isIn(group)(version) || !groups.some((other) => isIn(other)(version))),
  );
}

/** Those that are preferred or, if none is, all. */
export function preferred<T>(all: readonly T[], isPreferred: (one: T) => boolean): readonly T[] {
  const some = all.filter(isPreferred);
  return some.length > 0 ? some : all;
}
