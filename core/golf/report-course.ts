import { type GuidKey, guidKey } from "../formats/identifiers.ts";
import { instantOf, timestampOf, wallClockAt } from "../formats/union-time.ts";
import { type CourseVersion, isShown } from "./course.ts";
import { type CourseOfRound, isOfClub } from "./course-of-round.ts";
import { coursesInForce, versionFacts } from "./course-versions.ts";
import type { Findings } from "./findings.ts";
import type { CardReading } from "./scorecard.ts";

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
  { all }: CourseOfRound,
  others: readonly CourseOfRound[],
  findings: Findings,
): void {
  const expected = others.length === 0 ? all.find(isShown)?.TemplateID : undefined;
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
