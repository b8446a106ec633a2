import {
  type CourseHandicapFigures,
  countedHandicapIndex,
  courseHandicap,
  nineHoleCourseHandicap,
  rankHoles,
  slopeBounds,
} from "@scorecard-pipeline/whs";
import { oneStroke, readTenThousandths, type TenThousandths } from "../formats/ten-thousandths.ts";
import type { Hole, Tee } from "./course.ts";

/** How many holes a round, and so a tee, may have. @see union-api, Limits */
export const roundLengths = [9, 18] as const;

/** How many holes a round has. */
export type RoundLength = (typeof roundLengths)[number];

/** The most holes that a round has. */
export const maxHoles: RoundLength = 18;

/** Whether a round may have this many holes; false if the number is not known. */
export function isRoundLength(holes: number | undefined): holes is RoundLength {
  return (roundLengths as readonly (number | undefined)[]).includes(holes);
}

/** The place of the first hole whose stroke index an earlier hole has, too; undefined if no index is repeated. */
export function repeatedIndex(strokeIndexes: readonly (number | undefined)[]): number | undefined {
  const place = strokeIndexes.findIndex(
    (index, hole) => index !== undefined && strokeIndexes.indexOf(index) < hole,
  );
  return place === -1 ? undefined : place;
}

/** Whether a stroke index is on more than one hole: then it is not known which of them has it. */
export function isRepeated(
  index: number | undefined,
  strokeIndexes: readonly (number | undefined)[],
): boolean {
  return strokeIndexes.indexOf(index) !== strokeIndexes.lastIndexOf(index);
}

/** Least and greatest figures of a hole; beyond them a number is a mistake, of a card or of the register. */
export const holeBounds = {
  number: [1, 99],
  par: [1, 9],
  strokeIndex: [1, 99],
  /** Metres. */
  length: [0, 9_999],
} as const satisfies Record<string, readonly [least: number, most: number]>;

/** Strokes by which the Course Rating of eighteen holes may be below par, from the shortest tees, and above it. */
const maxFromPar = [22, 15] as const;

/** Whether a tee may have this Slope Rating. */
export const isPlausibleSlope = (slope: number): boolean =>
  slope >= slopeBounds[0] && slope <= slopeBounds[1];

/**
 * Whether a tee may have this Course Rating: one of nine holes for eighteen, or the reverse, is far from par.
 *
 * @param rating times 10,000
 * @param holes of the tee, 9 or 18
 */
export function isPlausibleRating(rating: number, par: number, holes: number): boolean {
  const [below, above] = maxFromPar;
  const abovePar = (rating - par * oneStroke) * (holes === 9 ? 2 : 1);
  return abovePar >= -below * oneStroke && abovePar <= above * oneStroke;
}

/** A value if it is a whole number within bounds, else undefined. */
function figureWithin(
  [least, most]: readonly [least: number, most: number],
  value: unknown,
): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
    ? Number(value)
    : undefined;
}

/** The numbers of a tee in the register. The register is dirty: a value that is not a valid number is undefined. */
export interface TeeNumbers {
  /**
   * In order of their numbers, or as they are listed if one has none, two have the same (a loop of nine played twice), or they are
   * two nines of a longer course.
   */
  readonly holes: readonly Hole[];
  readonly numbers: readonly (number | undefined)[];
  readonly pars: readonly (number | undefined)[];
  readonly indexes: readonly (number | undefined)[];
  /** Metres. */
  readonly lengths: readonly (number | undefined)[];
  /** Sum of the pars; undefined if one is missing, or a hole. */
  readonly par: number | undefined;
  /** Course Rating times 10,000; undefined if it is missing or not plausible. */
  readonly rating: TenThousandths | undefined;
  /** Undefined if it is missing or not plausible. */
  readonly slope: number | undefined;
  /** Why no handicap can be calculated with a rating of the register, in words; undefined if it has none or a plausible one. */
  readonly ratingFault: string | undefined;
  /** Enough to score a round; undefined if the register is incomplete. */
  readonly complete: CompleteHoles | undefined;
  /** Why a round cannot be scored, in words; undefined if it can. */
  readonly fault: string | undefined;
}

/** Pars and stroke indexes of 9 or 18 holes. */
export interface CompleteHoles {
  readonly pars: readonly number[];
  readonly indexes: readonly number[];
  /** Rank of each hole by its stroke index, 0 the hardest. */
  readonly ranks: readonly number[];
  /** Set if there are no stroke indexes: the holes are ranked in their order, and no Index is filled in. */
  readonly isUnranked?: true;
}

/** Holes of a tee that has a par on each and no stroke index at all, as a course of par 3 may; undefined of any other. */
export function unrankedHoles({
  pars,
  indexes,
}: Pick<TeeNumbers, "pars" | "indexes">): CompleteHoles | undefined {
  const known = pars.filter(isKnown);
  if (!isRoundLength(known.length) || known.length < pars.length || indexes.some(isKnown)) return undefined;
  const ranks = [...known.keys()];
  return { pars: known, indexes: ranks.map((rank) => rank + 1), ranks, isUnranked: true };
}

const known = new WeakMap<Tee, TeeNumbers>();

/** Reads the numbers of a tee, once per tee. */
export function teeNumbers(tee: Tee): TeeNumbers {
  let numbers = known.get(tee);
  if (numbers === undefined) {
    numbers = readNumbers(tee);
    known.set(tee, numbers);
  }
  return numbers;
}

const positive = (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
const isKnown = (value: number | undefined) => value !== undefined;

function readNumbers(tee: Tee): TeeNumbers {
  const listed: unknown[] = Array.isArray(tee.Holes) ? tee.Holes : [];
  const holes = inOrder(listed.filter((hole): hole is Hole => typeof hole === "object" && hole !== null));
  const pars = holes.map((hole) => figureWithin(holeBounds.par, hole.Par));
  const indexes = holes.map((hole) => figureWithin(holeBounds.strokeIndex, hole.Index));
  const fault = faultOf(holes.length, pars, indexes);
  const complete =
    fault === undefined
      ? {
          pars: pars.filter(isKnown),
          indexes: indexes.filter(isKnown),
          ranks: rankHoles(indexes.filter(isKnown)),
        }
      : undefined;
  const par = isRoundLength(pars.length) && pars.every(isKnown) ? sumOf(pars.filter(isKnown)) : undefined;
  return {
    holes,
    numbers: holes.map(numberOf),
    pars,
    indexes,
    lengths: holes.map((hole) => figureWithin(holeBounds.length, hole.Length)),
    par,
    ...ratingsOf(tee, par, holes.length),
    complete,
    fault,
  };
}

const sumOf = (pars: readonly number[]) => pars.reduce((sum, par) => sum + par, 0);

function ratingsOf(
  { CourseRating, SlopeRating }: Tee,
  par: number | undefined,
  holes: number,
): Pick<TeeNumbers, "rating" | "slope" | "ratingFault"> {
  const rating = positive(readTenThousandths(CourseRating)) as TenThousandths | undefined;
  const slope = positive(Number(SlopeRating));
  const isSlopeAtFault = slope !== undefined && !isPlausibleSlope(slope);
  const isRatingAtFault = rating !== undefined && par !== undefined && !isPlausibleRating(rating, par, holes);
  const faults = [
    ...(isRatingAtFault ? [`its Course Rating is ${rating / oneStroke}, and its par ${par}`] : []),
    ...(isSlopeAtFault ? [`its Slope Rating is ${slope}, not from ${slopeBounds.join(" to ")}`] : []),
  ];
  return {
    rating: isRatingAtFault ? undefined : rating,
    slope: isSlopeAtFault ? undefined : slope,
    ratingFault: faults.length > 0 ? faults.join(", and ") : undefined,
  };
}

const numberOf = (hole: Hole) => figureWithin(holeBounds.number, hole.Number);

/** Whether two nines of a course with more are listed one after the other, as 19 to 27 and 1 to 9: they are played so. */
function areTwoNines(numbers: readonly number[]): boolean {
  const isRun = (from: number) =>
    numbers.slice(from, from + 9).every((number, place) => number === Number(numbers[from]) + place);
  return numbers.length === maxHoles && Math.max(...numbers) > maxHoles && isRun(0) && isRun(9);
}

function inOrder(holes: readonly Hole[]): readonly Hole[] {
  const numbers = holes.map(numberOf).filter(isKnown);
  if (new Set(numbers).size < holes.length || areTwoNines(numbers)) return holes;
  return holes.toSorted((one, other) => one.Number - other.Number);
}

function faultOf(
  holes: number,
  pars: readonly (number | undefined)[],
  indexes: readonly (number | undefined)[],
): string | undefined {
  if (!isRoundLength(holes)) return `it has ${holes} holes, not 9 or 18`;
  const parless = pars.indexOf(undefined);
  if (parless !== -1) return `its ${ordinal(parless)} hole has no par`;
  const indexless = indexes.indexOf(undefined);
  if (indexless !== -1) return `its ${ordinal(indexless)} hole has no stroke index`;
  const repeated = repeatedIndex(indexes);
  if (repeated !== undefined) return `stroke index ${indexes[repeated]} is on more than one hole`;
  return undefined;
}

function ordinal(place: number): string {
  const suffix = { 1: "st", 2: "nd", 3: "rd" }[place + 1] ?? "th";
  return `${place + 1}${suffix}`;
}

/**
 * Course Handicap for nine holes.
 *
 * @returns the one with half the Handicap Index rounded to a tenth, as the rule says, and the one with the exact half, as many apps do
 * @see Rules of Handicapping, 6.1b
 */
export function nineHoleCourseHandicaps(figures: CourseHandicapFigures): [ruled: number, exact: number] {
  const exact = courseHandicap({ ...figures, handicapIndex: figures.handicapIndex / 2 });
  return [nineHoleCourseHandicap(figures).value, exact.value];
}

/** Every Course Handicap that we accept as by the rule, each once: one for 18 holes, one or two for 9. */
export function courseHandicapsByRule(sent: CourseHandicapFigures, holes: number): number[] {
  const handicapIndex = countedHandicapIndex(sent.handicapIndex);
  const figures = handicapIndex === sent.handicapIndex ? sent : { ...sent, handicapIndex };
  if (holes !== 9) return [courseHandicap(figures).value];
  const [ruled, exact] = nineHoleCourseHandicaps(figures);
  return ruled === exact ? [ruled] : [ruled, exact];
}
