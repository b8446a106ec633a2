import type { UnionClub, UnionCourseVersion } from "@scorecard-pipeline/stand-in";
import { isTimestamp, wallClock } from "../../core/formats/union-time.ts";

/** A course of the union with its club and every version. */
export interface Course {
  readonly templateId: string;
  readonly club: UnionClub;
  readonly versions: readonly UnionCourseVersion[];
}

/** Milliseconds since 1970 of a timestamp in UTC; NaN if it is none. */
const utcInstant = (timestamp: string) => (isTimestamp(timestamp) ? wallClock(timestamp) : Number.NaN);

/** The courses of known clubs, in the order of the register. */
export function coursesOf(clubs: readonly UnionClub[], versions: readonly UnionCourseVersion[]): Course[] {
  const clubsById = new Map(clubs.map((club) => [club.ID, club]));
  const byTemplate = Map.groupBy(versions, ({ TemplateID }) => TemplateID);
  return [...byTemplate].flatMap(([templateId, ofCourse]) => {
    const club = clubsById.get(ofCourse[0]?.ClubID ?? "");
    return club === undefined ? [] : [{ templateId, club, versions: ofCourse }];
  });
}

/**
 * The version of a course in force at an instant: of the active ones, the latest that is not in the future; of several
 * with the same date, the one with the highest Version.
 *
 * @param instant milliseconds since 1970, UTC
 * @see union-api, Course activity and versions
 */
export function versionInForce(course: Course, instant: number): UnionCourseVersion | undefined {
  return course.versions
    .filter(({ IsActive, ActivationDate }) => IsActive && utcInstant(ActivationDate) <= instant)
    .sort(
      (one, other) =>
        utcInstant(other.ActivationDate) - utcInstant(one.ActivationDate) || other.Version - one.Version,
    )[0];
}

/** Whether no version of a course has been activated yet. */
export function isFutureCourse(course: Course, now: Date): boolean {
  return course.versions.every(({ ActivationDate }) => utcInstant(ActivationDate) > now.getTime());
}
