import * as z from "zod/mini";
import { guidSchema } from "../formats/identifiers.ts";
import { knownValues } from "../formats/known-values.ts";
import { tenThousandthsSchema } from "../formats/ten-thousandths.ts";
import { timestampSchema } from "../formats/union-time.ts";

const text = z.string();
const nullableText = z.optional(z.nullable(z.string()));

/** A hole as the union's document describes it. Index is null on courses that have no stroke index yet. */
export const documentedHole = z.looseObject({
  Name: nullableText,
  Number: z.int().check(z.minimum(1)),
  Par: z.int().check(z.minimum(1)),
  Index: z.nullable(z.int().check(z.minimum(1))),
  /** Metres. */
  Length: z.int().check(z.minimum(0)),
  IdealTime: z.optional(z.nullable(z.int().check(z.minimum(0)))),
});

/** A tee as the union's document describes it, and its ID, which the document leaves out although cards refer to it. */
export const documentedTee = z.looseObject({
  ID: z.optional(guidSchema),
  Name: text,
  Gender: knownValues([1, 2]).check(z.describe("1 female, 2 male; not reliable.")),
  TotalLength: z.int().check(z.minimum(0)),
  CourseRating: tenThousandthsSchema,
  SlopeRating: z.int().check(z.minimum(0)),
  IsNineHole: z.boolean(),
  Holes: z.array(documentedHole),
});

/** A course version as the union's document describes it. */
export const documentedCourseVersion = z.looseObject({
  TemplateID: guidSchema,
  ClubID: guidSchema,
  Name: text,
  NumberOfHoles: z.int().check(z.minimum(0)),
  /** UTC; local midnight of the union's time zone. */
  ActivationDate: timestampSchema,
  IsActive: z.boolean(),
  IsHcpQualifying: z.boolean(),
  IsVisible: z.boolean(),
  Version: z.int().check(z.minimum(0)),
  ID: guidSchema,
  Tees: z.array(documentedTee),
  ExternalID: nullableText,
  RatedCourse: nullableText,
  Created: z.optional(z.nullable(timestampSchema)),
});

/** A club as the union's document describes it, but for ShortName: a few are empty or have four letters, not three. */
export const documentedClub = z.looseObject({
  ID: guidSchema,
  UnionNumber: z.int().check(z.minimum(0)),
  Name: text,
  ShortName: z.string().check(z.maxLength(4)),
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
