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
  /** Name of the club. The union's own record lacks it; the mirror adds it. */
  readonly ClubName?: string | undefined;
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

/** The name of the club that a card names or, if it names none, of a version's own. */
export function clubNameOf(
  { ClubID, ClubName, ClubNames }: CourseVersion,
  named: unknown,
): string | undefined {
  if (typeof named !== "string" || guidKey(named) === guidKey(ClubID)) return ClubName;
  return ClubNames?.[guidKey(named)];
}

/** A course with its club, so that an operator can have the club read again. The register may lack any of it. */
export const courseName = ({ Name, ClubName, ClubID }: CourseVersion) =>
  `${Name} (club ${ClubName ?? "without a name"}, ${ClubID})`;

/**
 * Finds all versions of a course by the ID of one of them, of the template or of a tee, in upper case; undefined if the
 * union has no such course.
 */
export type FindCourse = (id: string) => readonly CourseVersion[] | undefined;
