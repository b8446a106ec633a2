import * as z from "zod";

const wholeNumber = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number),
]);
const text = z.string().min(1);

const holeSchema = z.object({ Par: z.int().min(3).max(6), Index: z.int() });

/**
 * The fields of a card that processing reads. It ignores other fields, and also accepts numbers as text.
 *
 * @see union-api, Minimal scorecard shape
 */
export const readableCardSchema = z.object({
  CourseHandicap: wholeNumber,
  Course: z.object({
    CourseID: text.nullish(),
    TeeID: text.nullish(),
    TeeRating: wholeNumber.nullish().catch(undefined),
    TeeSlope: z
      .union([z.number(), z.string().transform(Number)])
      .nullish()
      .catch(undefined),
    Holes: z.array(holeSchema).nullish().catch(undefined),
  }),
  Round: z.object({ StartTime: z.string().regex(/^\d{8}T\d{6}$/) }),
  Result: z.object({ Strokes: z.array(z.int().min(-1)), IsQualifying: z.boolean() }),
  Player: z.object({ UnionID: text.nullish(), LifeTimeID: text.nullish() }),
});

/** @see readableCardSchema */
export type ProcessableCard = z.infer<typeof readableCardSchema>;
