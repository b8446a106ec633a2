import type * as z from "zod/mini";
import { type GuidKey, guidKey, isGuid } from "../formats/identifiers.ts";
import { readTypedTexts } from "../formats/typed-texts.ts";
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

/** A record of the union's register, which is kept and passed on as the union sent it. */
export interface RegisterRecord {
  readonly id: GuidKey;
  /** JSON of the record. */
  readonly text: string;
}

/** A club's official number, which a register may lack or have as a text. @param text of its record */
export function clubNumber(text: string): number | undefined {
  const { UnionNumber } = JSON.parse(text) as { readonly UnionNumber?: unknown };
  const number = Number(UnionNumber ?? Number.NaN);
  return Number.isNaN(number) ? undefined : number;
}

const nil = "00000000-0000-0000-0000-000000000000";
const guidOr = (value: unknown, other: string) =>
  typeof value === "string" && isGuid(value) ? value : other;

const versionFields = {
  numbers: ["NumberOfHoles", "Version"],
  flags: ["IsActive", "IsHcpQualifying", "IsVisible"],
};
const teeFields = { numbers: ["Gender", "TotalLength", "SlopeRating"], flags: ["IsNineHole"] };
const holeFields = { numbers: ["Number", "Par", "Index", "Length", "IdealTime"], flags: [] };

const listIn = (value: unknown, name: string): unknown[] => {
  const list = (value as Readonly<Record<string, unknown>> | null)?.[name];
  return Array.isArray(list) ? list : [];
};

/** Reads the numbers and Booleans of a version that its record has as texts, in the record itself. */
function readTexts(record: unknown): void {
  readTypedTexts(record, versionFields);
  for (const tee of listIn(record, "Tees")) {
    readTypedTexts(tee, teeFields);
    for (const hole of listIn(tee, "Holes")) readTypedTexts(hole, holeFields);
  }
}

/**
 * Reads the record of a course version, to select it or to check cards with it; vendors get its text.
 *
 * The register is real and therefore dirty. Only the ID is required of a record: without a TemplateID a version is a course of
 * its own, without a Version it is 0. A course with 8 holes or none, or with a par that is null, is mirrored and shown
 * nevertheless; a calculation checks its fields first (see `teeNumbers`).
 */
export function readVersion(text: string): CourseVersion {
  const record = JSON.parse(text) as Record<keyof CourseVersion, unknown> & { ID: string };
  readTexts(record);
  const version = Number(record.Version);
  return {
    ...record,
    TemplateID: guidOr(record.TemplateID, record.ID),
    ClubID: guidOr(record.ClubID, nil),
    Version: Number.isSafeInteger(version) ? version : 0,
  } as CourseVersion;
}

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
