import { type GuidKey, guidKey } from "../formats/identifiers.ts";
import { hasCome, instantOf, timestampOf, wallClockAt } from "../formats/union-time.ts";
import { type CourseVersion, isShown } from "./course.ts";
import {
  coursesInForce,
  isLater,
  latestFirst,
  type VersionOfRound,
  versionFacts,
  versionForRound,
} from "./course-versions.ts";
import type { Findings } from "./findings.ts";
import type { CardReading } from "./scorecard.ts";
import { teeNumbers } from "./tee-numbers.ts";

/** A course that a card may name, at the time of its round. */
export interface CourseOfRound {
  /** Those that the union had not removed when the round began, the one activated last first. None: it had removed the course. */
  readonly versions: readonly CourseVersion[];
  /** With those that it had removed by then; in the same order. */
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
  reading: Pick<CardReading, "card" | "strokesSent">,
  found: readonly CourseVersion[],
  startTime: number | undefined,
  timeZone: string,
): readonly [CourseOfRound, ...CourseOfRound[]] {
  const split = splitCourses(found);
  const first = courseAt(split[0] ?? found, startTime, timeZone);
  // Nearly all IDs are of one course.
  return split.length < 2 ? [first] : tellCoursesApart(reading, first, split, startTime, timeZone);
}

function tellCoursesApart(
  { card: { Course }, strokesSent }: Pick<CardReading, "card" | "strokesSent">,
  only: CourseOfRound,
  split: readonly (readonly CourseVersion[])[],
  startTime: number | undefined,
  timeZone: string,
): readonly [CourseOfRound, ...CourseOfRound[]] {
  const courses = split.map((all) => courseAt(all, startTime, timeZone));
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
  if (startTime === undefined) return { all, versions: all, round: undefined };
  const isRemoved = (version: CourseVersion) => hasCome(versionFacts(version).removedAt, startTime, timeZone);
  const versions = all.some(isRemoved) ? all.filter((version) => !isRemoved(version)) : all;
  return { all, versions, round: versionForRound(versions, startTime, timeZone) };
}

/** Whether a club lists a version, or the version's own record names it. */
function isOfClub(version: CourseVersion, clubId: GuidKey): boolean {
  return versionFacts(version).clubId === clubId || version.ListedBy?.includes(clubId) === true;
}

const splits = new WeakMap<readonly CourseVersion[], (readonly CourseVersion[])[]>();

/**
 * Splits versions by course: those of one TemplateID are several courses if clubs that share no version have active ones. The version
 * activated last comes first. A list is split and put in order once for all cards of its course.
 */
function splitCourses(versions: readonly CourseVersion[]): (readonly CourseVersion[])[] {
  let split = splits.get(versions);
  if (split === undefined) {
    const byTemplate = Map.groupBy(latestFirst(versions), (version) => versionFacts(version).templateId);
    split = [...byTemplate.values()].flatMap(splitByClub);
    splits.set(versions, split);
  }
  return split;
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

/** Reports a round on a course that the union had removed, with the courses that its clubs have instead. */
export function reportRemoved(
  { card }: CardReading,
  { all }: CourseOfRound,
  startTime: number,
  timeZone: string,
  findings: Findings,
): void {
  const removedAt = Math.max(...all.map((version) => versionFacts(version).removedAt));
  const { CourseID, TeeID } = card.Course;
  const listedInstead = all.find((version) => version.ListedInstead !== undefined)?.ListedInstead ?? [];
  const inForce = coursesInForce(listedInstead, new Date(instantOf(startTime, timeZone)));
  const names = new Set(all.map(({ Name }) => Name));
  const namesakes = inForce.filter(({ Name }) => names.has(Name));
  const expected = (namesakes.length > 0 ? namesakes : inForce).map(toExpected);
  const remedy =
    expected.length > 0
      ? "Send the CourseID and TeeID of the course that was played, one that is expected."
      : "Send the course that was played: the club's list of courses has today's.";
  const detail = `${courseRemoved(removedAt, timeZone)} ${remedy}`;
  findings.fault(CourseID === undefined ? "/Course/TeeID" : "/Course/CourseID", "course_removed", detail, {
    ...(expected.length > 0 && { expected }),
    received: CourseID ?? TeeID,
  });
}

/** Says that the union has removed a course. @param removedAt when that was seen, in milliseconds since 1970, UTC */
export const courseRemoved = (removedAt: number, timeZone: string) =>
  `The union has removed this course: it has not listed it since ${timestampOf(wallClockAt(removedAt, timeZone)).slice(0, 8)}.`;

const toExpected = (version: CourseVersion) => ({
  CourseID: version.TemplateID,
  ClubID: clubOf(version),
  Name: version.Name,
});

/** Reports the ID of a tee that was sent as CourseID. */
export function reportTeeAsCourse(
  received: string,
  [course, another]: readonly CourseOfRound[],
  findings: Findings,
): void {
  const expected = another === undefined ? course?.all.find(isShown)?.TemplateID : undefined;
  const example = expected === undefined ? "" : `, here ${expected}`;
  const detail = `This is the ID of a tee, which is a TeeID. Send the ID of a course version, or the TemplateID${example}.`;
  findings.fault("/Course/CourseID", "course_unknown", detail, { expected, received });
}

/** Reports a tee of several courses that the union had at the time of the round. */
export function reportSeveral(
  courses: readonly CourseOfRound[],
  received: unknown,
  findings: Findings,
): void {
  const expected = courses.flatMap(({ versions }) => versions.find(isShown) ?? []).map(toExpected);
  const detail = "Several courses have this tee. Send the CourseID of the one that was played.";
  findings.fault("/Course/CourseID", "tee_ambiguous", detail, { expected, received });
}

/** A card may name any club that lists the version of the round. The version's own record may name another one. */
export function checkClub(
  clubId: GuidKey,
  received: string,
  { round, versions, all }: CourseOfRound,
  findings: Findings,
): void {
  const version = round?.version ?? versions[0];
  if (version === undefined || versionFacts(version).clubId === clubId) return;
  const own = clubOf(version);
  const values = { ...(guidKey(own) !== clubId && { expected: own }), received };
  if (isOfClub(version, clubId)) {
    const detail =
      "The club lists the course, but the course's own record has another ClubID. Clubs may share a course, so nothing is to be corrected.";
    findings.warn("/Course/ClubID", "club_differs", detail, values);
  } else if (all.some((other) => isOfClub(other, clubId))) {
    const detail =
      "Only another version of the course is this club's: the course has moved from one club to another. Send the ClubID that is expected.";
    findings.warn("/Course/ClubID", "club_differs", detail, values);
  } else {
    const detail = "The course belongs to another club. Send the ClubID of the course's own record.";
    findings.fault("/Course/ClubID", "club_mismatch", detail, values);
  }
}

/** The club of a version's own record or, if that does not list it, one that does. */
function clubOf(version: CourseVersion): string {
  const { ListedBy = [], ClubID } = version;
  const isListed = ListedBy.length === 0 || ListedBy.includes(versionFacts(version).clubId);
  return isListed ? ClubID : (ListedBy[0] ?? ClubID);
}
