import { utcInstant } from "./tee-time.ts";
import type { Club, CourseVersion, Tee } from "./union-types.ts";

/** A hole with everything that a score is calculated from. */
export interface PlayableHole {
  readonly number: number;
  readonly par: number;
  readonly index: number;
  /** Metres. */
  readonly length: number;
}

/** A tee over 18 holes with everything that a score is calculated from. */
export interface PlayableTee {
  readonly id: string;
  readonly name: string;
  readonly gender: number;
  /** Course Rating times 10,000. */
  readonly rating: number;
  readonly slope: number;
  readonly par: number;
  /** In playing order. */
  readonly holes: readonly PlayableHole[];
}

/** A course of the union with its club and every version. */
export interface Course {
  readonly templateId: string;
  readonly club: Club;
  readonly versions: readonly CourseVersion[];
}

/** The courses of known clubs, in the order of the register. */
export function coursesOf(clubs: readonly Club[], versions: readonly CourseVersion[]): Course[] {
  const clubsById = new Map(clubs.map((club) => [club.ID, club]));
  const byTemplate = Map.groupBy(versions, ({ TemplateID }) => TemplateID);
  return [...byTemplate].flatMap(([templateId, ofCourse]) => {
    const club = clubsById.get(ofCourse[0]?.ClubID ?? "");
    return club === undefined ? [] : [{ templateId, club, versions: ofCourse }];
  });
}

/** Reads a tee; undefined if it does not have 18 holes or the register is incomplete. */
export function playableTee(tee: Tee): PlayableTee | undefined {
  const holes = tee.Holes.flatMap(({ Number: number, Par: par, Index: index, Length: length }) =>
    par !== null && par > 0 && index !== null ? [{ number, par, index, length }] : [],
  ).sort((one, other) => one.number - other.number);
  const rating = Number(tee.CourseRating);
  const isComplete =
    tee.Holes.length === 18 &&
    holes.length === 18 &&
    new Set(holes.map(({ index }) => index)).size === 18 &&
    Number.isInteger(rating) &&
    rating > 0 &&
    tee.SlopeRating > 0;
  if (tee.ID === undefined || !isComplete) return undefined;
  const par = holes.reduce((sum, hole) => sum + hole.par, 0);
  return { id: tee.ID, name: tee.Name, gender: tee.Gender, rating, slope: tee.SlopeRating, par, holes };
}

/** The tees of a version that can be played over 18 holes. */
export function playableTees(version: CourseVersion): PlayableTee[] {
  return version.Tees.flatMap((tee) => playableTee(tee) ?? []);
}

/**
 * The version of a course in force at an instant: of the active ones, the latest that is not in the future; of several
 * with the same date, the one with the highest Version.
 *
 * @param instant milliseconds since 1970, UTC
 * @see union-api, Course activity and versions
 */
export function versionInForce(course: Course, instant: number): CourseVersion | undefined {
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
