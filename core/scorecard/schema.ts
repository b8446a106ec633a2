import * as z from "zod";
import { guidSchema } from "../wire/guid.ts";
import { isLifeTimeId, isUnionId, lifeTimeIdSchema, unionIdSchema } from "../wire/person-identifiers.ts";
import { isTenThousandths, tenThousandthsSchema } from "../wire/ten-thousandths.ts";
import { timestampSchema } from "../wire/timestamp.ts";

/** The most holes that a round has. @see union-api, Limits */
export const mostHoles = 18;

/** Bounds beyond which a number is a mistake: far wider than any handicap or score that occurs. */
export const bounds = {
  /** Handicap Index times 10,000; beginners are above 54.0, plus players below 0. */
  handicapIndex: [-500_000, 2_000_000],
  /** Course Handicap, Playing Handicap and the strokes they give on a hole. */
  handicap: [-50, 200],
  /** Strokes on one hole: 0 picked up, -1 not played. */
  strokes: [-1, 99],
  /** Points on one hole. */
  points: [0, 99],
  holeNumber: [1, 99],
  par: [1, 9],
  strokeIndex: [1, 99],
  /** What is counted: totals, holes, metres. */
  count: [0, 9_999],
} as const satisfies Record<string, readonly [least: number, most: number]>;

/** An ExternalID is part of the key of a stored card, which has bounds of its own. */
export const longestExternalId = 256;

/** Whether a text can name a card: not empty, not endless, and text that survives being stored and sent. */
export function isExternalId(text: string): boolean {
  return text.length > 0 && text.length <= longestExternalId && text.isWellFormed();
}

/** Whether a text has the form of a country code; which codes are assigned changes, and is not looked at. */
export function isCountry(text: string): boolean {
  return /^[A-Za-z]{2}$/.test(text);
}

/** Whether a Handicap Index times 10,000 is one. */
export function isHandicapIndex(value: string | number): boolean {
  const [least, most] = bounds.handicapIndex;
  return Number(value) >= least && Number(value) <= most;
}

/** Whether a value is a Slope Rating in form, a whole number; vendors send it as a number or as a text. */
export function isSlope(value: unknown): value is number | string {
  return isTenThousandths(value) && Number(value) >= 0 && Number(value) <= 9_999;
}

/** Whether a marker is named by at least one of the three. */
export function isIdentified(marker: {
  FullName?: unknown;
  LifeTimeID?: unknown;
  UnionID?: unknown;
}): boolean {
  return Boolean(marker.FullName || marker.LifeTimeID || marker.UnionID);
}

/** Vendors send an empty text for an identifier that a marker has not. */
export const isMarkersLifeTimeId = (text: string) => text === "" || isLifeTimeId(text);
export const isMarkersUnionId = (text: string) => text === "" || isUnionId(text);

const text = z.string();
const whole = (bound: readonly [number, number]) => z.int().min(bound[0]).max(bound[1]);

/** One entry per hole; a list longer than any round is not looked into. */
function perHole<Entry extends z.ZodType>(entry: Entry) {
  return z.array(z.unknown()).max(mostHoles).pipe(z.array(entry));
}

const holeSchema = z.looseObject({
  Number: whole(bounds.holeNumber).optional(),
  Par: whole(bounds.par).optional(),
  Index: whole(bounds.strokeIndex).optional(),
  Length: whole(bounds.count).optional(),
  SPH: whole(bounds.handicap).optional(),
});

const courseSchema = z.looseObject({
  CourseID: guidSchema.nullish(),
  ExternalID: text.nullish(),
  ClubID: guidSchema.nullish(),
  ClubName: text.nullish(),
  Name: text.optional(),
  Country: z.string().refine(isCountry, "country_invalid").meta({ pattern: "^[A-Za-z]{2}$" }).optional(),
  TeeID: guidSchema.nullish(),
  TeeName: text.optional(),
  TeePar: whole(bounds.count).optional(),
  TeeRating: tenThousandthsSchema.optional(),
  TeeSlope: z.union([z.int(), text], "slope_invalid").refine(isSlope, "slope_invalid").optional(),
  Holes: perHole(holeSchema).optional(),
});

const roundSchema = z.looseObject({
  HolesPlayed: whole(bounds.count),
  /** 1 general play, 2 tournament. */
  RoundType: z.literal([1, 2]),
  /** Local time of the union's time zone. */
  StartTime: timestampSchema,
  TournamentName: text.nullish(),
  TournamentRoundNumber: whole(bounds.count).nullish(),
});

const resultSchema = z.looseObject({
  Points: perHole(whole(bounds.points)).optional(),
  /** 0 picked up, -1 not played. */
  Strokes: perHole(whole(bounds.strokes)),
  TotalPoints: whole(bounds.count).optional(),
  TotalStrokes: whole(bounds.count).optional(),
  NetDoubleBogeyGross: whole(bounds.count).nullish(),
  IsQualifying: z.boolean(),
});

const playerSchema = z.looseObject({
  FullName: text.optional(),
  HomeClubName: text.optional(),
  HomeClubCountry: text.optional(),
  LifeTimeID: lifeTimeIdSchema.optional(),
  UnionID: unionIdSchema,
});

const markerSchema = z
  .looseObject({
    FullName: text.optional(),
    HomeClubName: text.optional(),
    LifeTimeID: z.string().refine(isMarkersLifeTimeId, "lifetime_id_invalid").nullish(),
    UnionID: z.string().refine(isMarkersUnionId, "union_id_invalid").nullish(),
  })
  .refine(isIdentified, "marker_unidentified");

/**
 * A scorecard as a vendor sends it: the union's minimal shape, its full shape, and everything between. Fields that
 * it does not name are kept.
 *
 * It is the only definition. `isWellFormed` says the same for cards without a fault, faster.
 *
 * @see union-api, Scorecard and Minimal scorecard shape
 */
export const scorecardSchema = z.looseObject({
  ID: guidSchema.optional(),
  CreateDateTime: timestampSchema,
  ExternalID: z
    .string()
    .refine(isExternalId, "external_id_invalid")
    .meta({ minLength: 1, maxLength: longestExternalId }),
  HCP: tenThousandthsSchema.refine(isHandicapIndex, "out_of_range"),
  CourseHandicap: whole(bounds.handicap),
  PHCP: whole(bounds.handicap).optional(),
  Comment: text.optional(),
  Course: courseSchema,
  Round: roundSchema,
  Result: resultSchema,
  Player: playerSchema,
  Marker: markerSchema,
});

/** The names of the fields of each part of a card, in the order of the union's document. */
export const fieldNames = {
  card: Object.keys(scorecardSchema.shape),
  course: Object.keys(courseSchema.shape),
  hole: Object.keys(holeSchema.shape),
  round: Object.keys(roundSchema.shape),
  result: Object.keys(resultSchema.shape),
  player: Object.keys(playerSchema.shape),
  marker: Object.keys(markerSchema.shape),
} as const;

/** A scorecard, as sent or filled in. */
export type Scorecard = z.infer<typeof scorecardSchema>;
/** One hole of a scorecard's course. */
export type CardHole = z.infer<typeof holeSchema>;

/** Whether a hole leaves out nothing. */
export function isWhole(hole: CardHole): boolean {
  return (
    hole.Number !== undefined &&
    hole.Par !== undefined &&
    hole.Index !== undefined &&
    hole.Length !== undefined &&
    hole.SPH !== undefined
  );
}

/** A card's parts, each an object. */
export const cardParts = ["Course", "Round", "Result", "Player", "Marker"] as const;
type CardPart = (typeof cardParts)[number];
type Known<Part> = { [Name in keyof Part as string extends Name ? never : Name]: Part[Name] };

/** What of a card can be read: all of it, or a card with faults less what is not of its form. */
export type ReadableCard = Readonly<Partial<Omit<Known<Scorecard>, CardPart>>> & {
  readonly [Part in CardPart]: Readonly<Partial<Known<Scorecard[Part]>>>;
};
