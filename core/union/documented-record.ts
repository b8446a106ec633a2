import * as z from "zod/mini";
import { tenThousandthsSchema } from "../formats/ten-thousandths.ts";

/** The union writes numbers of a record as numbers or as texts. */
const whole = z.union([z.int(), z.string()]);

const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.nullable(schema));

/** The course of a round in a player's record. */
export const documentedRecordCourse = z.looseObject({
  Name: optional(z.string()),
  TeePar: optional(whole),
  TeeRating: optional(tenThousandthsSchema).check(z.describe("Course rating times 10,000.")),
  TeeSlope: optional(whole),
});

/** When a round in a player's record was played. */
export const documentedRecordRound = z.looseObject({
  StartTime: z.string().check(z.describe("Time in the union's time zone.")),
  HolesPlayed: optional(whole),
});

/** The result of a round in a player's record. */
export const documentedRecordResult = z.looseObject({
  IsQualifying: optional(z.boolean()),
  SGD: optional(tenThousandthsSchema).check(
    z.describe("Score Differential that the union calculated, times 10,000; absent if it calculated none."),
  ),
  TotalPoints: optional(whole),
  TotalStrokes: optional(whole),
});

/**
 * A round of a player's record. The union's document does not describe it. These are the fields that the union's own app
 * reads, so few are required.
 */
export const documentedRecordEntry = z.looseObject({
  HCP: optional(tenThousandthsSchema).check(z.describe("Handicap Index of the round, times 10,000.")),
  Round: documentedRecordRound,
  Result: documentedRecordResult,
  Course: optional(documentedRecordCourse),
});
