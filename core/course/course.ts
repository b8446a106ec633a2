import * as z from "zod";
import { guidSchema } from "../wire/guid.ts";
import { tenThousandthsSchema } from "../wire/ten-thousandths.ts";
import { timestampSchema } from "../wire/timestamp.ts";

const text = z.string();
const nullableText = z.string().nullable().optional();

/** A hole as the union's document describes it. Index is null on courses that have no stroke index yet. */
export const documentedHole = z.looseObject({
  Name: nullableText,
  Number: z.int().min(1),
  Par: z.int().min(1),
  Index: z.int().min(1).nullable(),
  /** Metres. */
  Length: z.int().min(0),
  IdealTime: z.int().min(0).nullable().optional(),
});

/** A tee as the union's document describes it, with the ID that it leaves out and cards refer to. */
export const documentedTee = z.looseObject({
  ID: guidSchema.optional(),
  Name: text,
  /** 1 female, 2 male; not reliable. */
  Gender: z.literal([1, 2]),
  TotalLength: z.int().min(0),
  CourseRating: tenThousandthsSchema,
  SlopeRating: z.int().min(0),
  IsNineHole: z.boolean(),
  Holes: z.array(documentedHole),
});

/** A course version as the union's document describes it. */
export const documentedCourseVersion = z.looseObject({
  TemplateID: guidSchema,
  ClubID: guidSchema,
  Name: text,
  NumberOfHoles: z.int().min(0),
  /** UTC; local midnight of the union's time zone. */
  ActivationDate: timestampSchema,
  IsActive: z.boolean(),
  IsHcpQualifying: z.boolean(),
  IsVisible: z.boolean(),
  Version: z.int().min(0),
  ID: guidSchema,
  Tees: z.array(documentedTee),
  ExternalID: nullableText,
  RatedCourse: nullableText,
  Created: timestampSchema.nullable().optional(),
});

/** A club as the union's document describes it. ShortName may be empty or have four letters, whatever it says. */
export const documentedClub = z.looseObject({
  ID: guidSchema,
  UnionNumber: z.int().min(0),
  Name: text,
  ShortName: z.string().max(4),
  AddressLine1: nullableText,
  AddressLine2: nullableText,
  StreetNumber: nullableText,
  Floor: nullableText,
  Side: nullableText,
  ZipCode: nullableText,
  City: nullableText,
  PrimaryPhone: nullableText,
  PrimaryEmail: nullableText,
  Homepage: nullableText,
});

/** A hole of a tee. */
export type Hole = z.input<typeof documentedHole>;
/** A tee of a course version. */
export type Tee = z.input<typeof documentedTee>;
/** A club of the union. */
export type Club = z.input<typeof documentedClub>;
/** One record of a course: ID names the version, TemplateID the course. */
export type CourseVersion = z.input<typeof documentedCourseVersion> & {
  /** Name of the club, which the union's own record has not; the mirror adds it. */
  readonly ClubName?: string | undefined;
};

/**
 * Reads a course version from the union's register: what identifies it must be there, the rest is taken as it is.
 *
 * The register is real and therefore dirty. A course with 8 holes or none, or a par that is null, is mirrored and
 * shown all the same; whoever calculates with a field checks it first (see `teeNumbers`).
 */
export const courseVersionSchema = z.looseObject({
  ID: guidSchema,
  TemplateID: guidSchema,
  ClubID: guidSchema,
  Version: z.int(),
}) as unknown as z.ZodType<CourseVersion>;

/** Reads a club from the union's register: what identifies it must be there, the rest is taken as it is. */
export const clubSchema = z.looseObject({
  ID: guidSchema,
  UnionNumber: z.int(),
}) as unknown as z.ZodType<Club>;
