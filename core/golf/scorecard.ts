import * as z from "zod/mini";
import { generateCount } from "../formats/generated-code.ts";
import type { FieldForm, Fields, ObjectOf } from "./field-forms.ts";
import * as forms from "./field-forms.ts";
import { holeBounds } from "./tee-numbers.ts";

const { text, guid, whole, object, perHole } = forms;

/** A number of points, strokes or holes. The bounds are far wider than any real number, so one beyond them is a mistake. */
const count = whole([0, 9_999]);
/** Course Handicap, Playing Handicap and the strokes that they give on a hole. */
const handicap = whole([-50, 200]);

const hole = {
  Number: { form: whole(holeBounds.number), filledFrom: "register", alwaysFilled: true },
  Par: { form: whole(holeBounds.par), filledFrom: "register", alwaysFilled: true },
  Index: {
    form: whole(holeBounds.strokeIndex),
    filledFrom: "register",
    description:
      "Stroke index, 1 the hardest. A card that does not count for a handicap may be of a tee without.",
  },
  Length: { form: whole(holeBounds.length), filledFrom: "register", description: "Metres." },
  SPH: {
    form: handicap,
    filledFrom: "rules",
    alwaysFilled: true,
    description: "Strokes received off the Playing Handicap.",
  },
} as const satisfies Fields;

const course = {
  CourseID: {
    form: guid,
    filledFrom: "register",
    description: "ID of a course version, or the TemplateID; left out on a course that is not the union's.",
  },
  ExternalID: { form: forms.localId },
  ClubID: { form: guid, filledFrom: "register" },
  ClubName: { form: text, filledFrom: "register" },
  Name: { form: text, filledFrom: "register" },
  Country: { form: forms.country, filledFrom: "settings" },
  TeeID: { form: guid, filledFrom: "register" },
  TeeName: { form: text, filledFrom: "register" },
  TeePar: { form: count, filledFrom: "register", alwaysFilled: true },
  TeeRating: { form: forms.courseRating, filledFrom: "register", description: "Course Rating times 10,000." },
  TeeSlope: { form: forms.slopeRating, filledFrom: "register" },
  Holes: {
    form: perHole("a list with one object per hole", object(hole), "holes_count"),
    filledFrom: "register",
    alwaysFilled: true,
  },
} as const satisfies Fields;

const round = {
  HolesPlayed: {
    form: count,
    required: true,
    description: "Length of the round; it may include holes that were not played.",
  },
  RoundType: { form: forms.roundType, required: true, description: "1 general play, 2 tournament." },
  StartTime: { form: forms.timestamp, required: true, description: "Local time of the union's time zone." },
  TournamentName: { form: text },
  TournamentRoundNumber: { form: count },
} as const satisfies Fields;

const strokesOfHole = whole(
  [-1, 99],
  "the strokes of a hole, a whole number; 0 for picked up, -1 for not played",
);

const result = {
  Points: {
    form: perHole("a list with the points of each hole", whole([0, 99]), "points_count"),
    filledFrom: "rules",
    alwaysFilled: true,
  },
  Strokes: {
    form: perHole(
      "a list with the strokes of each hole, 0 for picked up and -1 for not played",
      strokesOfHole,
      "strokes_count",
    ),
    required: true,
    description: "0 picked up, -1 not played.",
  },
  TotalPoints: { form: count, filledFrom: "card", alwaysFilled: true },
  TotalStrokes: {
    form: count,
    filledFrom: "card",
    alwaysFilled: true,
    description: "0 after any pick-up.",
  },
  NetDoubleBogeyGross: { form: count, filledFrom: "rules" },
  IsQualifying: { form: forms.trueOrFalse, required: true },
} as const satisfies Fields;

const player = {
  FullName: { form: text },
  HomeClubName: { form: text },
  HomeClubCountry: { form: text },
  LifeTimeID: { form: forms.lifeTimeId },
  UnionID: { form: forms.unionId, required: true },
} as const satisfies Fields;

const marker = {
  FullName: { form: text },
  HomeClubName: { form: text },
  LifeTimeID: { form: forms.lifeTimeId },
  UnionID: { form: forms.unionId },
} as const satisfies Fields;

const card = {
  ID: { form: guid, filledFrom: "card", alwaysFilled: true },
  CreateDateTime: { form: forms.timestamp, required: true },
  ExternalID: { form: forms.externalId, required: true },
  HCP: { form: forms.handicapIndex, required: true, description: "Handicap Index times 10,000." },
  CourseHandicap: { form: handicap, required: true },
  PHCP: { form: handicap, filledFrom: "card", alwaysFilled: true, description: "Playing Handicap." },
  Comment: { form: text },
  Course: { form: object(course), required: true },
  Round: { form: object(round), required: true },
  Result: { form: object(result), required: true },
  Player: { form: object(player), required: true },
  Marker: { form: forms.marker(marker), required: true },
} as const satisfies Fields;

/**
 * The fields of a card and of its parts, in the order of the union's document. The schema, the quick check, the words
 * of faults, the content hash and the OpenAPI document are all made from this table.
 *
 * @see union-api, Scorecard and Minimal scorecard shape
 */
export const fields = { card, course, hole, round, result, player, marker } as const;

/** A scorecard as sent or filled in: the union's minimal shape, its full shape, and everything between. */
export type Scorecard = ObjectOf<typeof card>;
/** One hole of a scorecard's course. */
export type CardHole = ObjectOf<typeof hole>;

const scorecard = object(card);

/** Says what is wrong with a card. Fields that the table does not name are kept. */
export const scorecardSchema: z.ZodMiniType<Scorecard> = z.lazy(scorecard.schema);

/** Whether a card has the form that `scorecardSchema` defines, about ten times as fast: nearly all cards have it. */
export function isScorecard(card: unknown): card is Scorecard {
  return scorecard.fits(card);
}

/** Generates the check whether an object has every field that could be filled in. */
function completenessOf(of: Fields): (object: object) => boolean {
  const filledIn = Object.entries(of).filter(([, { filledFrom }]) => filledFrom !== undefined);
  const count = generateCount(Object.fromEntries(filledIn));
  return (object) => count(object) === filledIn.length;
}

/** Whether a hole has every field that could be filled in. */
export const isCompleteHole: (hole: CardHole) => boolean = completenessOf(hole);
/** Whether a card's course has them, whatever its holes have. */
export const isCompleteCourse: (course: Scorecard["Course"]) => boolean = completenessOf(course);
/** Whether a card's result has them. */
export const isCompleteResult: (result: Scorecard["Result"]) => boolean = completenessOf(result);

/** A card's parts, each an object. */
export const cardParts = ["Course", "Round", "Result", "Player", "Marker"] as const;
type CardPart = (typeof cardParts)[number];

/** A card without the fields that are not of their form. */
export type ReadableCard = Readonly<Partial<Omit<Scorecard, CardPart>>> & {
  readonly [Part in CardPart]: Readonly<Partial<Scorecard[Part]>>;
};

/** A card, as far as it can be read. */
export interface CardReading {
  /** The card without the fields that are not of their form. */
  readonly card: ReadableCard;
  /** JSON pointers of the fields that are not of their form. */
  readonly unreadable: ReadonlySet<string>;
  /** How many entries Strokes has, whatever they are; undefined if it is no list. */
  readonly strokesSent: number | undefined;
}

/** The form of a field. @param path with the place of an entry if it is in a list: `Course`, `Holes`, `3`, `Par` */
function formAt(path: readonly string[]): FieldForm | undefined {
  return path.reduce<FieldForm | undefined>(
    (form, step) => form?.entry ?? form?.fields?.[step]?.form,
    scorecard,
  );
}

/** What a field of a card must be, in words that follow "must be". @param path for instance `Course/Holes/3/Par` */
export const formInWords = (path: string): string => formAt(path.split("/"))?.words ?? "";

/** The names of the fields beside a field, its own included. */
export const namesBeside = (path: readonly string[]): string[] =>
  Object.keys(formAt(path.slice(0, -1))?.fields ?? {});
