import * as z from "zod/mini";
import { holeBounds } from "../courses/hole-bounds.ts";
import { mostHoles } from "../courses/round-length.ts";
import { isGarbled } from "../formats/garbled-text.ts";
import { guidSchema } from "../formats/guid.ts";
import { isLifeTimeId, isUnionId, lifeTimeIdSchema, unionIdSchema } from "../formats/person-identifiers.ts";
import { isTenThousandths, tenThousandthsSchema } from "../formats/ten-thousandths.ts";
import { timestampSchema } from "../formats/timestamp.ts";
import { isExternalId, longestExternalId } from "./external-id.ts";

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
  holeNumber: holeBounds.number,
  par: holeBounds.par,
  strokeIndex: holeBounds.strokeIndex,
  length: holeBounds.length,
  /** What is counted: totals, holes. */
  count: [0, 9_999],
} as const satisfies Record<string, readonly [least: number, most: number]>;

/** Whether a text has the form of a country code. Whether the code is in use is not checked, since that changes. */
export function isCountry(text: string): boolean {
  return /^[A-Za-z]{2}$/.test(text);
}

/** Whether a number times 10,000 is within the bounds of a Handicap Index; what is no number is beyond neither. */
export function isHandicapIndex(value: string | number): boolean {
  const [least, most] = bounds.handicapIndex;
  return !(Number(value) < least || Number(value) > most);
}

/** Whether a value has the form of a Slope Rating: a whole number, which vendors send as a number or as a text. */
export function isSlope(value: unknown): value is number | string {
  return isTenThousandths(value) && Number(value) >= 0 && Number(value) <= 9_999;
}

/** Whether a marker has a name or an identifier, any one of the three. */
export function isIdentified(marker: {
  FullName?: unknown;
  LifeTimeID?: unknown;
  UnionID?: unknown;
}): boolean {
  return Boolean(marker.FullName || marker.LifeTimeID || marker.UnionID);
}

/** Whether a text is allowed as a marker's LifeTimeID: vendors send an empty one for a marker who has none. */
export const isMarkersLifeTimeId = (text: string) => text === "" || isLifeTimeId(text);
/** Whether a text is allowed as a marker's UnionID: vendors send an empty one for a marker who has none. */
export const isMarkersUnionId = (text: string) => text === "" || isUnionId(text);

const whole = (bound: readonly [number, number]) => z.int().check(z.minimum(bound[0]), z.maximum(bound[1]));

/** A list with one entry per hole. If it is longer than any round, its entries are not looked at. */
function perHole<Entry extends z.ZodMiniType>(entry: Entry) {
  return z.pipe(z.array(z.unknown()).check(z.maxLength(mostHoles)), z.array(entry));
}

function wholeCard() {
  const text = z.string();

  const holeSchema = z.looseObject({
    Number: z.optional(whole(bounds.holeNumber)),
    Par: z.optional(whole(bounds.par)),
    Index: z.optional(whole(bounds.strokeIndex)),
    Length: z.optional(whole(bounds.length)),
    SPH: z.optional(whole(bounds.handicap)),
  });

  const courseSchema = z.looseObject({
    CourseID: z.nullish(guidSchema),
    ExternalID: z.nullish(text),
    ClubID: z.nullish(guidSchema),
    ClubName: z.nullish(text),
    Name: z.optional(text),
    Country: z.optional(
      z.string().check(z.refine(isCountry, "country_invalid"), z.meta({ pattern: "^[A-Za-z]{2}$" })),
    ),
    TeeID: z.nullish(guidSchema),
    TeeName: z.optional(text),
    TeePar: z.optional(whole(bounds.count)),
    TeeRating: z.optional(tenThousandthsSchema),
    TeeSlope: z.optional(z.union([z.int(), text], "slope_invalid").check(z.refine(isSlope, "slope_invalid"))),
    Holes: z.optional(perHole(holeSchema)),
  });

  const roundSchema = z.looseObject({
    HolesPlayed: whole(bounds.count),
    /** 1 general play, 2 tournament. */
    RoundType: z.literal([1, 2]),
    /** Local time of the union's time zone. */
    StartTime: timestampSchema,
    TournamentName: z.nullish(text),
    TournamentRoundNumber: z.nullish(whole(bounds.count)),
  });

  const resultSchema = z.looseObject({
    Points: z.optional(perHole(whole(bounds.points))),
    /** 0 picked up, -1 not played. */
    Strokes: perHole(whole(bounds.strokes)),
    TotalPoints: z.optional(whole(bounds.count)),
    TotalStrokes: z.optional(whole(bounds.count)),
    NetDoubleBogeyGross: z.nullish(whole(bounds.count)),
    IsQualifying: z.boolean(),
  });

  const playerSchema = z.looseObject({
    FullName: z.optional(text),
    HomeClubName: z.optional(text),
    HomeClubCountry: z.optional(text),
    LifeTimeID: z.optional(lifeTimeIdSchema),
    UnionID: unionIdSchema,
  });

  const markerSchema = z
    .looseObject({
      FullName: z.optional(text),
      HomeClubName: z.optional(text),
      LifeTimeID: z.nullish(z.string().check(z.refine(isMarkersLifeTimeId, "lifetime_id_invalid"))),
      UnionID: z.nullish(z.string().check(z.refine(isMarkersUnionId, "union_id_invalid"))),
    })
    .check(z.refine(isIdentified, "marker_unidentified"));

  return z.looseObject({
    ID: z.optional(guidSchema),
    CreateDateTime: timestampSchema,
    ExternalID: z.string().check(
      z.refine(isExternalId, "external_id_invalid"),
      z.refine((text) => !isGarbled(text), "external_id_garbled"),
      z.meta({ minLength: 1, maxLength: longestExternalId }),
    ),
    HCP: tenThousandthsSchema.check(z.refine(isHandicapIndex, "out_of_range")),
    CourseHandicap: whole(bounds.handicap),
    PHCP: z.optional(whole(bounds.handicap)),
    Comment: z.optional(text),
    Course: courseSchema,
    Round: roundSchema,
    Result: resultSchema,
    Player: playerSchema,
    Marker: markerSchema,
  });
}

/**
 * A scorecard as a vendor sends it: the union's minimal shape, its full shape, and everything between. Fields that
 * the schema does not name are kept.
 *
 * It defines what a card is; `isScorecard` is only a faster way to tell whether a card fits it. So the schema is not
 * built before a card with a fault needs it, and no function waits for it when it starts.
 *
 * @see union-api, Scorecard and Minimal scorecard shape
 */
export const scorecardSchema = z.lazy(wholeCard);

/** A scorecard, as sent or filled in. */
export type Scorecard = z.infer<typeof scorecardSchema>;
/** One hole of a scorecard's course. */
export type CardHole = NonNullable<Scorecard["Course"]["Holes"]>[number];

/** Whether a hole has all the fields that the schema names. */
export function isCompleteHole(hole: CardHole): boolean {
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

/** What can be read of a card: all of it or, where it has faults, the fields that are of their form. */
export type ReadableCard = Readonly<Partial<Omit<Known<Scorecard>, CardPart>>> & {
  readonly [Part in CardPart]: Readonly<Partial<Known<Scorecard[Part]>>>;
};
