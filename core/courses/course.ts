import * as z from "zod/mini";
import { guidSchema } from "../formats/guid.ts";
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
};

/**
 * Reads a course version from the union's register: its identifiers are required, the rest is accepted as it is.
 *
 * The register is real and therefore dirty. A course with 8 holes or none, or with a par that is null, is
 * mirrored and shown nevertheless; a calculation checks its fields first (see `teeNumbers`).
 */
export const courseVersionSchema = z.looseObject({
  ID: guidSchema,
  TemplateID: guidSchema,
  ClubID: guidSchema,
  Version: z.int(),
}) as unknown as z.ZodMiniType<CourseVersion>;

/** Reads a club from the union's register: its identifiers are required, the rest is accepted as it is. */
export const clubSchema = z.looseObject({
  ID: guidSchema,
  UnionNumber: z.int(),
}) as unknown as z.ZodMiniType<Club>;
