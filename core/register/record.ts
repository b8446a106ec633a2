import { type GuidKey, guidKey, isGuid } from "../formats/identifiers.ts";
import { readTypedTexts } from "../formats/typed-texts.ts";
import type { CourseVersion } from "../golf/course.ts";
import { documentedCourseVersion } from "../golf/documented-course.ts";

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

/**
 * Reads the record of a course version, to select it or to check cards with it; vendors get its text.
 *
 * The register is real and therefore dirty. Only the ID is required of a record: without a TemplateID a version is a course of
 * its own, without a Version it is 0. A course with 8 holes or none, or with a par that is null, is mirrored and shown
 * nevertheless; a calculation checks its fields first (see `teeNumbers`). Vendors get a number that is a text as it is.
 */
export function readVersion(text: string): CourseVersion {
  const record = JSON.parse(text) as Record<keyof CourseVersion, unknown> & { ID: string };
  readTypedTexts(documentedCourseVersion, record);
  const version = Number(record.Version);
  return {
    ...record,
    TemplateID: guidOr(record.TemplateID, record.ID),
    ClubID: guidOr(record.ClubID, nil),
    Version: Number.isSafeInteger(version) ? version : 0,
  } as CourseVersion;
}

/** All versions of the course that an ID names, a version's or a TemplateID. */
export function versionsOfCourse(versions: readonly CourseVersion[], courseId: GuidKey): CourseVersion[] {
  const named = versions.find(
    ({ ID, TemplateID }) => guidKey(ID) === courseId || guidKey(TemplateID) === courseId,
  );
  return named === undefined
    ? []
    : versions.filter(({ TemplateID }) => guidKey(TemplateID) === guidKey(named.TemplateID));
}
