import type * as z from "zod/mini";
import { type GuidKey, guidKey } from "../formats/identifiers.ts";
import type {
  documentedClub,
  documentedCourseVersion,
  documentedHole,
  documentedTee,
} from "./documented-course.ts";

/** A hole of a tee. */
export type Hole = z.input<typeof documentedHole>;
/** A tee of a course version. */
export type Tee = z.input<typeof documentedTee>;
/** A club of the union. */
export type Club = z.input<typeof documentedClub>;
/** One record of a course: ID names the version, TemplateID the course. */
export type CourseVersion = z.input<typeof documentedCourseVersion> & {
  /** Names of all clubs that list a version of the course, by their IDs in upper case. The mirror adds them. */
  readonly ClubNames?: Readonly<Record<string, string | undefined>>;
  /** The clubs that list the version, which its own ClubID need not be among. The mirror adds them. */
  readonly ListedBy?: readonly GuidKey[];
  /** When the mirror saw that no club lists it any more, in milliseconds since 1970, UTC. */
  readonly RemovedAt?: number;
  /** If no club lists any version of the course: what the clubs of its versions list today, without tees. */
  readonly ListedInstead?: readonly CourseVersion[];
};

/** Whether the union shows a version today: only such a one may be proposed. */
export const isShown = ({ RemovedAt }: CourseVersion) => RemovedAt === undefined;

/** Whether a club lists a version, or the version's own record names it. */
export function isOfClub({ ClubID, ListedBy }: CourseVersion, clubId: GuidKey): boolean {
  return guidKey(ClubID) === clubId || ListedBy?.includes(clubId) === true;
}

/**
 * The club of a version's own record or, if that does not list it, one that does: any of them shows it.
 *
 * @param bound the club itself if the version is one of its
 */
export function clubOf(version: CourseVersion, bound?: GuidKey): string {
  const { ClubID, ListedBy = [] } = version;
  if (bound !== undefined && isOfClub(version, bound)) return bound;
  const [first = ClubID] = ListedBy;
  return ListedBy.includes(guidKey(ClubID)) ? ClubID : first;
}

/** The name of a club that lists a version, or that the version's own record names. */
export const clubNameOf = ({ ClubNames }: CourseVersion, clubId: string) => ClubNames?.[guidKey(clubId)];

/** Whether two names are the same, apart from case and from blanks around them. */
export function sameName(one: unknown, other: unknown): boolean {
  return one === other || String(one).trim().toLowerCase() === String(other).trim().toLowerCase();
}

/** A course with its club, so that an operator can have the club read again. The register may lack any of it. */
export function courseName(version: CourseVersion): string {
  const clubId = clubOf(version);
  return `${version.Name} (club ${clubNameOf(version, clubId) ?? "without a name"}, ${clubId})`;
}

/**
 * Finds all versions of a course by the ID of one of them, of the template or of a tee, in upper case; undefined if the
 * union has no such course.
 */
export type FindCourse = (id: string) => readonly CourseVersion[] | undefined;
