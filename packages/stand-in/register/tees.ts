import { slopeBounds } from "@scorecard-pipeline/whs";
import { identifier } from "../base/identifier.ts";
import type { SeededRandom } from "../base/seeded-random.ts";
import type { LaidOutHole } from "./course-layout.ts";
import type { UnionHole, UnionTee } from "./records.ts";

/** The rating of a tee for one gender. */
interface Rating {
  /** Strokes, to a tenth. */
  readonly courseRating: number;
  readonly bogeyRating: number;
  readonly slope: number;
}

/** 1 female, 2 male. */
type RatedGender = 1 | 2;

const yardsPerMetre = 1.0936133;

/**
 * Yardage ratings of 18 holes and the factor from their difference to the Slope Rating.
 *
 * @see USGA, Course Rating System: yardage rating formulas; Slope Rating = (bogey - scratch) x 5.381 or 4.24
 */
const formulas = {
  1: { scratch: [180, 40.1], bogey: [120, 51.3], factor: 4.24 },
  2: { scratch: [220, 40.9], bogey: [160, 50.7], factor: 5.381 },
} as const;

const tenth = (strokes: number) => Math.round(strokes * 10) / 10;

/**
 * Rates a tee from its length and its obstacles.
 *
 * @param length total length in metres
 * @param holes number of holes that the rating is for
 * @param obstacles strokes that they cost a scratch player over 18 holes; they cost a bogey player more
 */
function rate(gender: RatedGender, length: number, holes: number, obstacles: number): Rating {
  const { scratch, bogey, factor } = formulas[gender];
  const share = holes / 18;
  const yards = holes === 0 ? 0 : (length * yardsPerMetre) / share;
  const scratchRating = yards / scratch[0] + scratch[1] + obstacles;
  const bogeyRating = yards / bogey[0] + bogey[1] + 1.8 + obstacles * 1.6;
  const slope = Math.round((bogeyRating - scratchRating) * factor);
  return {
    courseRating: tenth(scratchRating * share),
    bogeyRating: tenth(bogeyRating * share),
    slope: Math.min(slopeBounds[1], Math.max(slopeBounds[0], slope)),
  };
}

/** A tee of a course before it is rated. */
export interface TeePlan {
  readonly name: string;
  /** Length as a share of the length from the men's standard tee. */
  readonly share: number;
  readonly genders: readonly RatedGender[];
}

/** Data that all tees of one version share. */
interface TeeRecords {
  /** Seed of the tees' and holes' identifiers; versions with the same one share the tees. */
  readonly owner: string;
  /** Strokes that the obstacles cost a scratch player. */
  readonly obstacles: number;
  /** Timestamps. */
  readonly ratedOn: string;
  readonly changed: string;
  /** Whether Course Ratings are text, as in some of the union's records. */
  readonly ratingAsText: boolean;
  readonly oddities: HoleOddities;
}

const colours = {
  danish: ["Hvid", "Gul", "Blå", "Rød", "Orange"],
  english: ["White", "Yellow", "Blue", "Red", "Orange"],
  numbered: ["1_White", "2_Yellow", "3_Blue", "4_Red", "5_Orange"],
} as const;

const shares: readonly (readonly [share: number, genders: readonly RatedGender[]])[] = [
  [1.06, [2]],
  [1, [2]],
  [0.93, [2, 1]],
  [0.86, [2, 1]],
  [0.77, [1]],
];

const sumLength = (holes: readonly LaidOutHole[], share: number) =>
  holes.reduce((sum, { length }) => sum + Math.round(length * share), 0);

/** The tees of a course: named by colours, or by hundreds of metres. */
export function planTees(holes: readonly LaidOutHole[], random: SeededRandom): TeePlan[] {
  const style = random.oneOf(["danish", "danish", "english", "numbered", "length"] as const);
  const withLongest = random.chance(0.7);
  const plans = shares.map(([share, genders], place) => {
    const hundreds = Math.round((sumLength(holes, share) * (18 / holes.length)) / 100);
    const name = style === "length" ? String(hundreds) : (colours[style][place] ?? "");
    return { name, share, genders };
  });
  return withLongest ? plans : plans.slice(1);
}

/** The few tees of a practice loop. */
export const practiceTees: readonly TeePlan[] = [{ name: "Gul", share: 1, genders: [2, 1] }];

/** Minutes that a hole should take. */
const idealMinutes: Readonly<Record<number, number>> = { 3: 11, 4: 14, 5: 17 };

/** Which of the fields that may be null a course's holes have; the union's document shows neither for all. */
export interface HoleOddities {
  /** Whether holes have a Name besides their Number. */
  readonly named: boolean;
  /** Whether holes have an IdealTime. */
  readonly timed: boolean;
}

function holeRecord(
  hole: LaidOutHole,
  share: number,
  tee: string,
  { changed, oddities }: Pick<TeeRecords, "changed" | "oddities">,
): UnionHole {
  return {
    ID: identifier(tee, "hole", hole.number),
    Name: oddities.named ? `Hul ${hole.number}` : null,
    Number: hole.number,
    Par: hole.par,
    Index: hole.index,
    Length: Math.round(hole.length * share),
    IdealTime: (oddities.timed && idealMinutes[hole.par]) || null,
    LastUpdateDate: changed,
  };
}

/** The records of a course's tees, one for each gender that a tee is rated for. */
export function teeRecords(
  plans: readonly TeePlan[],
  holes: readonly LaidOutHole[],
  records: TeeRecords,
): UnionTee[] {
  const { owner, obstacles, ratedOn, changed, ratingAsText } = records;
  return plans.flatMap(({ name, share, genders }) =>
    genders.map((gender): UnionTee => {
      const id = identifier(owner, "tee", name, gender);
      const length = sumLength(holes, share);
      const { courseRating, bogeyRating, slope } = rate(gender, length, holes.length, obstacles);
      const rating = Math.round(courseRating * 10_000);
      return {
        ID: id,
        Name: name,
        Gender: gender,
        TotalLength: length,
        CourseRating: ratingAsText ? String(rating) : rating,
        BogeyRating: Math.round(bogeyRating * 10_000),
        SlopeRating: slope,
        IsNineHole: holes.length <= 9,
        RatedOn: ratedOn,
        LastUpdateDate: changed,
        Holes: holes.map((hole) => holeRecord(hole, share, id, records)),
      };
    }),
  );
}
