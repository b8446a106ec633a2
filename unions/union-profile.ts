import * as z from "zod";

const apiSet = z.string().regex(/^[A-Za-z0-9_-]+$/, "letters, digits, - and _");

/**
 * What differs between the unions of the platform. One file a union describes it; nothing else in the code names a union's
 * country, zone, paths or rules.
 */
export const unionProfileSchema = z.strictObject({
  /** Name of the union in English. */
  name: z.string().min(1),
  /** ISO 3166 two-letter code, which cards get that leave Country out. */
  country: z.string().regex(/^[A-Z]{2}$/, "an ISO 3166 code, two capital letters"),
  /** IANA name of the zone in which the union's courses and rounds are dated. */
  timeZone: z
    .string()
    .refine((zone) => Intl.supportedValuesOf("timeZone").includes(zone), "an IANA time zone"),
  /** Path of the Scorecard Exchange below the API set. */
  exchangePath: z.string().regex(/^[^/].*[^/]$/, "no slash at either end"),
  /** The players' records, which the union's document does not describe; absent if the union offers none. */
  records: z
    .strictObject({
      apiSet,
      /** Whose account the record check reads with: that of each card's vendor, or one of its own, in a secret of its own. */
      account: z.enum(["vendor", "own"]),
    })
    .optional(),
  /** The union's own words for terms of the rules, in its language, where its texts have them. */
  terms: z
    .strictObject({
      /** A language that texts are written in, an ISO 639 code. */
      language: z.string().regex(/^[a-z]{2}$/, "an ISO 639 code, two letters"),
      handicapIndex: z.string().min(1),
      courseHandicap: z.string().min(1),
      playingHandicap: z.string().min(1),
      /** Where the union publishes them. */
      source: z.string().min(1),
    })
    .optional(),
  /** What the Rules of Handicapping leave to a union, as far as it matters to the pipeline. */
  rules: z.strictObject({
    /** Scores that a player's first Handicap Index takes: three by the rules' own table. @see Rules of Handicapping, 4.5 and 5.2a */
    scoresForHandicap: z.literal([1, 2, 3]),
    /** The highest Handicap Index that a player may have: 54.0 by the rules, more if the union shows beginners' progress. @see 5.3 */
    highestHandicapIndex: z.number().min(54),
  }),
});

/** @see unionProfileSchema */
export type UnionProfile = z.infer<typeof unionProfileSchema>;
