import { type GuidKey, guidKey } from "../formats/identifiers.ts";
import { hasCome, instantOf, timestampOf, wallClockAt } from "../formats/union-time.ts";
import { type CourseVersion, clubOf, isOfClub, isShown, sameName } from "./course.ts";
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

/** Versions of one TemplateID, the one activated last first. */
interface Course {
  readonly all: readonly CourseVersion[];
  /** Those that a club lists, if several list active ones: clubs may use one TemplateID for several courses. */
  readonly own: readonly CourseVersion[];
}

/** A course that a card may name, at the time of its round. */
export interface CourseOfRound extends Course {
  /** Those of them that the union had not removed when the round began, and that are no other club's course. None: it had removed the course. */
  readonly versions: readonly CourseVersion[];
  /** Undefined if none of `versions` had begun by the end of the day, or if the time of the round is not known. */
  readonly round: VersionOfRound | undefined;
}

/**
 * Chooses the course that a card names among those with versions of the ID that it names. IDs are not unique: clubs may use one
 * TemplateID for two courses, and courses share tees. The card's own names tell them apart, then the day of the round, then the number of
 * strokes.
 *
 * @param found versions of one course or more
 * @returns several only if nothing tells which of them was played
 */
export function coursesOfRound(
  reading: Pick<CardReading, "card" | "strokesSent">,
  found: readonly CourseVersion[],
  startTime: number | undefined,
  timeZone: string,
): readonly CourseOfRound[] {
  const courses = splitCourses(found).map((course) => courseAt(course, startTime, timeZone));
  // Nearly all IDs are of one course.
  return courses.length < 2 ? courses : tellCoursesApart(reading, courses, startTime);
}

function tellCoursesApart(
  { card, strokesSent }: Pick<CardReading, "card" | "strokesSent">,
  courses: readonly CourseOfRound[],
  startTime: number | undefined,
): readonly CourseOfRound[] {
  const { CourseID, ClubID, TeeID, TeeName } = card.Course;
  const courseId = typeof CourseID === "string" ? guidKey(CourseID) : undefined;
  const clubId = typeof ClubID === "string" ? guidKey(ClubID) : undefined;
  const teeId = typeof TeeID === "string" ? guidKey(TeeID) : TeeName ? undefined : courseId;
  const tees = ({ round, own }: CourseOfRound) =>
    (round === undefined ? own : [round.version]).flatMap((version) =>
      teeId === undefined
        ? versionFacts(version).tees.filter(({ Name }) => sameName(Name, TeeName))
        : (versionFacts(version).teesById.get(teeId) ?? []),
    );
  const preferences: readonly ((course: CourseOfRound) => boolean)[] = [
    ({ round }) => round !== undefined && round.chosen !== "later_that_day",
    ({ round }) => round !== undefined,
    ({ versions }) => versions.length > 0,
    ({ own }) => own.some((version) => versionFacts(version).id === courseId),
    ({ round, own }) =>
      clubId !== undefined && (round ? [round.version] : own).some((version) => isOfClub(version, clubId)),
    (course) => tees(course).length > 0,
    ({ round }) => round?.chosen === "in_force",
    (course) => tees(course).some((tee) => teeNumbers(tee).holes.length === strokesSent),
  ];
  const left = preferences.reduce<readonly CourseOfRound[]>(preferred, courses);
  const versions = left.flatMap((course) => course.versions);
  // The first day of any of them is told.
  if (startTime !== undefined && left.every(({ round }) => round === undefined))
    return left.slice(0, 1).map((course) => ({ ...course, versions }));
  if (new Set(left.map(({ all }) => all)).size > 1) return left;
  const isLatest = ({ round }: CourseOfRound) =>
    round !== undefined && !left.some((other) => other.round && isLater(other.round.version, round.version));
  return preferred(left, isLatest).slice(0, 1);
}

function courseAt({ all, own }: Course, startTime: number | undefined, timeZone: string): CourseOfRound {
  if (startTime === undefined) return { all, own, versions: own, round: undefined };
  const there = leaveOutRemoved(all, startTime, timeZone);
  const owned = own === all ? there : there.filter((version) => own.includes(version));
  const round = versionForRound(owned, startTime, timeZone);
  if (own === all || round === undefined) return { all, own, versions: there, round };
  const clubs = listClubs(round.version);
  // An active version of other clubs alone is another course.
  const isSame = (version: CourseVersion) =>
    !versionFacts(version).active || listClubs(version).some((clubId) => clubs.includes(clubId));
  return { all, own, versions: there.filter(isSame), round };
}

/** The versions that the union had not removed when a round began: nearly always all of them. */
const leaveOutRemoved = (versions: readonly CourseVersion[], startTime: number, timeZone: string) =>
  versions.every(isShown)
    ? versions
    : versions.filter((one) => !hasCome(versionFacts(one).removedAt, startTime, timeZone));

const splits = new WeakMap<readonly CourseVersion[], readonly Course[]>();

/**
 * Splits versions by TemplateID and, if several clubs list active ones, by club. The version activated last comes first. A list is split
 * and put in order once for all cards of its course.
 */
function splitCourses(versions: readonly CourseVersion[]): readonly Course[] {
  let split = splits.get(versions);
  if (split === undefined) {
    const byTemplate = Map.groupBy(latestFirst(versions), (version) => versionFacts(version).templateId);
    split = [...byTemplate.values()].flatMap(splitByClub);
    splits.set(versions, split);
  }
  return split;
}

function splitByClub(all: readonly CourseVersion[]): Course[] {
  const clubs = new Set(all.filter((version) => versionFacts(version).active).flatMap(listClubs));
  if (clubs.size < 2) return [{ all, own: all }];
  // An inactive version of a club that has no active one may be the past of any of them.
  const past = new Set(all.filter((version) => !listClubs(version).some((clubId) => clubs.has(clubId))));
  const isOwn = (clubId: GuidKey) => (version: CourseVersion) =>
    past.has(version) || listClubs(version).includes(clubId);
  return [...clubs].map((clubId) => ({ all, own: all.filter(isOwn(clubId)) }));
}

/** The clubs that list a version; of a removed one, the club of its record. */
export const listClubs = (version: CourseVersion): readonly GuidKey[] =>
  version.ListedBy?.length ? version.ListedBy : [versionFacts(version).clubId];

/** Those that are preferred or, if none is, all. */
export function preferred<T>(all: readonly T[], isPreferred: (one: T) => boolean): readonly T[] {
  const some = all.filter(isPreferred);
  return some.length > 0 ? some : all;
}

/** Reports a round on courses that the union had removed, with the courses that their clubs have instead. */
export function reportRemoved(
  { card }: CardReading,
  courses: readonly CourseOfRound[],
  startTime: number,
  timeZone: string,
  findings: Findings,
): void {
  const all = courses.flatMap((course) => course.all);
  const removedAt = Math.max(...all.map((version) => versionFacts(version).removedAt));
  const { CourseID, TeeID } = card.Course;
  const listedInstead = new Set(all.flatMap((version) => version.ListedInstead ?? []));
  const inForce = coursesInForce([...listedInstead], new Date(instantOf(startTime, timeZone)));
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
  const expected = courses
    .flatMap(({ round, versions }) => [...(round ? [round.version] : []), ...versions].find(isShown) ?? [])
    .map(toExpected);
  const detail = "Several courses have this tee. Send the CourseID of the one that was played.";
  findings.fault("/Course/CourseID", "tee_ambiguous", detail, { expected, received });
}

/** Reports a round that was not played at the club to which the sender's account is bound. @param version undefined on an unlisted course */
export function checkBoundClub(
  { card }: CardReading,
  version: CourseVersion | undefined,
  bound: GuidKey,
  findings: Findings,
): void {
  const { ClubID } = card.Course;
  if (version !== undefined && guidKey(ClubID ?? clubOf(version, bound)) === bound) return;
  const isShared = version !== undefined && isOfClub(version, bound);
  const remedy = isShared
    ? "It lists the course, too: send its ClubID if the round is its own."
    : "Send the card with that club's account, or with one of the whole API set.";
  const detail = `This account is bound to a club, and the round is another's. ${remedy}`;
  const values = { ...(isShared && { expected: bound }), ...(ClubID !== undefined && { received: ClubID }) };
  findings.fault("/Course/ClubID", "other_club", detail, values);
}

/** A card may name any club that lists the version of the round. The version's own record may name another one. */
export function checkClub(
  clubId: GuidKey,
  received: string,
  { round, versions, all }: CourseOfRound,
  findings: Findings,
): void {
  // Before its first activation a course has the club of the version that was activated last.
  const version = round?.version ?? versions[0];
  if (version === undefined || versionFacts(version).clubId === clubId) return;
  const expected = clubOf(version);
  if (guidKey(expected) === clubId) return;
  const values = { expected, received };
  if (isOfClub(version, clubId)) {
    const detail =
      "The club lists the course, but the course's own record has another ClubID. Clubs may share a course, so nothing is to be corrected.";
    findings.warn("/Course/ClubID", "club_differs", detail, { received });
  } else if (all.some((other) => isOfClub(other, clubId))) {
    const detail =
      "Only another version of the course is this club's: the course has moved from one club to another. Send the ClubID that is expected.";
    findings.warn("/Course/ClubID", "club_differs", detail, values);
  } else {
    const detail = "The course belongs to another club. Send the ClubID of the course's own record.";
    findings.fault("/Course/ClubID", "club_mismatch", detail, values);
  }
}
