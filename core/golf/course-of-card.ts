import { type GuidKey, guidKey } from "../formats/identifiers.ts";
import { timestampOf, wallClockAt } from "../formats/union-time.ts";
import {
  type CourseVersion,
  clubNameOf,
  clubOf,
  courseName,
  type FindCourse,
  isShown,
  sameName,
  type Tee,
} from "./course.ts";
import {
  type CourseOfRound,
  checkClub,
  coursesOfRound,
  listClubs,
  reportRemoved,
  reportSeveral,
  reportTeeAsCourse,
} from "./course-of-round.ts";
import { type VersionOfRound, versionFacts } from "./course-versions.ts";
import type { Findings, WarningCode } from "./findings.ts";
import { repairTee } from "./repair-handicap.ts";
import type { CardReading, ReadableCard } from "./scorecard.ts";
import type { TeeNumbers } from "./tee-numbers.ts";
import { compareWithTee, type RegisteredTee, teeOfCard, teesLike } from "./tee-of-card.ts";

/** The course that a card was played on. */
export type CardCourse =
  /** On a course of the union, from a tee of its register. `version` is the round's, whatever version the tee is of. */
  | { readonly kind: "union"; readonly tee: RegisteredTee; readonly version: CourseVersion }
  /** On a course that the union's register does not list: the card itself describes it. */
  | { readonly kind: "unlisted" }
  /** Not known; a fault says why. */
  | { readonly kind: "unknown" };

/**
 * Finds the course, the version and the tee that a card was played on. Reports a card whose names or numbers of them
 * are wrong.
 *
 * @param startTime wall clock of the round's start, in milliseconds since 1970 as if it were UTC
 */
export function courseOfCard(
  reading: CardReading,
  startTime: number | undefined,
  findCourse: FindCourse,
  timeZone: string,
  findings: Findings,
): CardCourse {
  const { CourseID, TeeID } = reading.card.Course;
  if (reading.unreadable.has("/Course") || reading.unreadable.has("/Course/CourseID"))
    return { kind: "unknown" };
  // A tee names its course, too.
  const id = guidKey(CourseID ?? TeeID ?? "");
  const found = id === "" ? [] : (findCourse(id) ?? []);
  const courses = coursesOfRound(reading, found, startTime, timeZone);
  const [course] = courses;
  if (course === undefined) return withoutCourse(reading, findings);
  if (startTime !== undefined && course.versions.length === 0)
    reportRemoved(reading, courses, startTime, timeZone, findings);
  else if (CourseID !== undefined && !namesCourse(id, found)) reportTeeAsCourse(CourseID, courses, findings);
  else if (courses.length > 1) reportSeveral(courses, TeeID, findings);
  else return teeOfCourse(reading, course, startTime, timeZone, findings);
  return { kind: "unknown" };
}

/** The course of a card that names none of the union's. */
function withoutCourse({ card }: CardReading, findings: Findings): CardCourse {
  const { CourseID } = card.Course;
  if (CourseID === undefined) return { kind: "unlisted" };
  // The union lists courses by club only, so a course that is not mirrored yet is found by its ClubID.
  const detail =
    "No course with this ID is known. Send the ID of a course version, or the TemplateID; of a course that is new at the union, send ClubID with it.";
  findings.fault("/Course/CourseID", "course_unknown", detail, { received: CourseID });
  return { kind: "unknown" };
}

/** The tee of a course that the union had at the time of the round. */
function teeOfCourse(
  reading: CardReading,
  course: CourseOfRound,
  startTime: number | undefined,
  timeZone: string,
  findings: Findings,
): CardCourse {
  const { round: chosen, versions } = course;
  const { ClubID } = reading.card.Course;
  if (typeof ClubID === "string") checkClub(guidKey(ClubID), ClubID, course, findings);
  if (startTime !== undefined && chosen === undefined)
    reportNotInForce(reading, versions, timeZone, findings);

  const tee = teeOfCard(reading, chosen?.version, versions, findings);
  if (tee === undefined) return { kind: "unknown" };
  reportMismatches(reading, tee, versions, findings);
  if (chosen !== undefined) warnOfVersion(reading, chosen, course, findings);
  if (chosen !== undefined && tee.version !== chosen.version)
    warnOfOtherVersion(reading, chosen.version, tee, findings);
  const version = chosen?.version ?? tee.version;
  warnOfNames(reading, version, tee.tee, findings);
  return { kind: "union", tee, version };
}

/** Whether an ID is one of a course or of its versions, and not of a tee, by which courses are found, too. */
const namesCourse = (id: GuidKey, versions: readonly CourseVersion[]): boolean =>
  versions.some((version) => versionFacts(version).id === id || versionFacts(version).templateId === id);

function reportNotInForce(
  { card }: CardReading,
  versions: readonly CourseVersion[],
  timeZone: string,
  findings: Findings,
): void {
  const dated = versions
    .map(versionFacts)
    .filter(({ activatedAt }) => activatedAt < Number.POSITIVE_INFINITY);
  if (dated.length === 0) {
    const detail =
      "The union's register has no activation date for this course. Its club has to complete it; nothing is to be corrected in the card. Send it again when that is done.";
    findings.fault("/Course/CourseID", "course_register_incomplete", detail);
    return;
  }
  const detail =
    "The course did not exist yet: no version of it had been activated by the end of the day of Round/StartTime. Send the right StartTime, or the course that was played.";
  // A version may have been removed before it began.
  const played = dated.filter(({ activatedAt, removedAt }) => activatedAt < removedAt);
  const first = Math.min(...played.map(({ activatedAt }) => activatedAt));
  const firstDay = () => timestampOf(wallClockAt(first, timeZone)).slice(0, 8);
  findings.fault("/Round/StartTime", "version_not_in_force", detail, {
    ...(played.length > 0 && { expected: `not before ${firstDay()}` }),
    received: card.Round.StartTime,
  });
}

function reportMismatches(
  { card }: CardReading,
  named: RegisteredTee,
  versions: readonly CourseVersion[],
  findings: Findings,
): void {
  const { mismatches, tee, version } = named;
  if (mismatches.length === 0 || reportOtherTee(card, named, findings)) return;
  const others = teesLike([tee], card.Course, versions);
  for (const { pointer, code, expected, received } of mismatches) {
    const field = pointer.slice(1);
    // A submission can have thousands of wrong holes, and its answer has to fit a response.
    const named = pointer.startsWith("/Course/Holes/")
      ? "this tee"
      : `the tee ${tee.Name} of ${courseName(version)}`;
    const remedy = `Send ${expected}, or leave it out to have it filled in.`;
    // A number agrees with another version if it is none of the mismatches with that one.
    const other = others.find(
      ({ mismatches: found, numbers }) =>
        isWhole(numbers) && !found.some((one) => one.pointer === pointer || one.code === "holes_count"),
    );
    const detail =
      code === "holes_count"
        ? `The tee ${tee.Name} has ${expected} holes, but ${field} has ${received} entries. Send one for each hole, or leave it out to have it filled in.`
        : other === undefined
          ? `${field} is not what the union's register has for ${named}, in any version of the course. ${remedy}`
          : `${field} is what version ${other.version.Version} of the course has for ${named}, but other numbers of the card are not that version's; version ${version.Version} has ${expected}. ${remedy}`;
    findings.fault(pointer, code, detail, { expected, received });
  }
}

/** Reports a tee that was named in place of the one other that has all numbers of a card. @returns whether there is one */
function reportOtherTee(card: ReadableCard, named: RegisteredTee, findings: Findings): boolean {
  const [other, another] = repairTee(card, named).filter(
    (tee) => compareWithTee(card.Course, named.version, tee).mismatches.length === 0,
  );
  const [mismatch] = named.mismatches;
  if (mismatch === undefined || other === undefined || another !== undefined) return false;
  const field = card.Course.TeeID === undefined ? "TeeName" : "TeeID";
  const expected = field === "TeeID" ? other.ID : other.Name;
  const detail = `The card's numbers of the course are not those of the tee ${named.tee.Name}, but of the tee ${other.Name}, from which CourseHandicap ${card.CourseHandicap} follows. Send the ${field} of that: ${expected}.`;
  findings.fault(`/Course/${field}`, mismatch.code, detail, { expected, received: card.Course[field] });
  return true;
}

/** Whether the register lacks no number of a tee, so that one that does not differ agrees. */
const isWhole = ({ complete, rating, slope }: TeeNumbers) =>
  complete !== undefined && rating !== undefined && slope !== undefined;

/** Only what a GET shows may be proposed: of a version that the union has removed, its course if the same club still has that. */
function shownId(version: CourseVersion, { all }: CourseOfRound): string | undefined {
  if (isShown(version)) return version.ID;
  const clubId = guidKey(clubOf(version));
  return all.some((other) => isShown(other) && listClubs(other).includes(clubId))
    ? version.TemplateID
    : undefined;
}

function warnOfVersion(
  { card }: CardReading,
  { version, chosen }: VersionOfRound,
  course: CourseOfRound,
  findings: Findings,
): void {
  const { id, templateId } = versionFacts(version);
  const pointer = "/Course/CourseID";
  const { CourseID } = card.Course;
  const named = CourseID === undefined ? id : guidKey(CourseID);
  if (named !== id && named !== templateId) {
    const detail =
      "The round was played on another version of the course than the one named, and is checked with that. Send the TemplateID as CourseID, or the ID that is expected; nothing else is to be corrected.";
    const expected = shownId(version, course);
    findings.warn(pointer, "version_differs", detail, { expected, received: named });
  }
  if (chosen === "inactive") {
    const detail =
      "The version that the round was played on is not active now: the course has a newer version, or was closed. Nothing is to be corrected.";
    findings.warn(pointer, "version_inactive", detail, { received: version.ID });
  }
  if (chosen === "later_that_day") {
    const detail = `The version was activated on the day of the round, after its start, at ${version.ActivationDate} UTC. If StartTime is right, nothing is to be corrected.`;
    findings.warn(pointer, "version_activated_later", detail, { received: version.ID });
  }
  if (version.IsHcpQualifying === false && card.Result.IsQualifying === true) {
    const detail =
      "IsQualifying is true, but the register says that the course is not approved for handicap qualifying. Send IsQualifying false; if the course is approved, its club has to correct the register.";
    findings.warn("/Result/IsQualifying", "course_not_qualifying", detail, {
      expected: false,
      received: true,
    });
  }
}

/** Warns that the round's version lacks the tee, or has it with other numbers than the card's. */
function warnOfOtherVersion(
  { card }: CardReading,
  ofRound: CourseVersion,
  { version, tee }: RegisteredTee,
  findings: Findings,
): void {
  const { TeeID, TeeName } = card.Course;
  const values = { received: version.Version };
  const { tees, teesById } = versionFacts(ofRound);
  const known =
    typeof TeeID === "string"
      ? teesById.has(guidKey(TeeID))
      : tees.some(({ Name }) => sameName(Name, TeeName));
  if (known) {
    const detail = `The numbers of the course are those of another version than the one that the round was played on. Send those of version ${ofRound.Version}, or leave them out to have them filled in.`;
    findings.warn("/Course", "numbers_of_other_version", detail, values);
  } else {
    const pointer = typeof TeeID === "string" ? "/Course/TeeID" : "/Course/TeeName";
    const detail = `Only another version of the course than the one that the round was played on has this tee, ${tee.Name}. Send the tee that was played; if it was this one, nothing is to be corrected.`;
    findings.warn(pointer, "tee_of_other_version", detail, values);
  }
}

function warnOfNames({ card }: CardReading, version: CourseVersion, tee: Tee, findings: Findings): void {
  const { Name, ClubName, TeeName, ClubID } = card.Course;
  const warn = (field: string, code: WarningCode, sent: string | undefined, expected: unknown) => {
    if (sent === undefined || typeof expected !== "string" || sameName(sent, expected)) return;
    const detail = `Course/${field} is another name than the register's. It is passed on as sent. If it means the same, nothing is to be corrected; leave it out to have the register's filled in.`;
    findings.warn(`/Course/${field}`, code, detail, { expected, received: sent.slice(0, 100) });
  };
  warn("Name", "course_name_differs", Name, version.Name);
  if (ClubName !== undefined)
    warn("ClubName", "club_name_differs", ClubName, clubNameOf(version, ClubID ?? clubOf(version)));
  warn("TeeName", "tee_name_differs", TeeName, tee.Name);
}
