import {
  type CourseHandicapFigures,
  countedHandicapIndex,
  courseHandicap,
  playingHandicapBounds,
} from "@scorecard-pipeline/whs";
import { oneStroke, readTenThousandths } from "../formats/ten-thousandths.ts";
import type { AssessedCard, AssessmentContext, HandicapsByRule } from "./assessed-card.ts";
import { versionFacts } from "./course-versions.ts";
import type { Findings } from "./findings.ts";
import { isNineOfEighteen, nineOfEighteen } from "./score-round.ts";
import type { ReadableCard } from "./scorecard.ts";
import {
  courseHandicapsByRule,
  isPlausibleRating,
  isPlausibleSlope,
  maxHoles,
  nineHoleCourseHandicaps,
  teeNumbers,
} from "./tee-numbers.ts";
import type { RegisteredTee } from "./tee-of-card.ts";

/** The figures of a tee that a Course Handicap depends on. */
type TeeFigures = Omit<CourseHandicapFigures, "handicapIndex">;

/**
 * The Course Handicaps that the rule gives a card, by its own figures of the tee or, if it leaves them out, by the register's.
 *
 * @param tee undefined on an unlisted course
 * @see Rules of Handicapping, 6.1
 */
export function handicapsByRule(card: ReadableCard, tee: RegisteredTee | undefined): HandicapsByRule {
  const { Strokes = [] } = card.Result;
  const { HolesPlayed = 0 } = card.Round;
  if (isNineOfEighteen(Strokes, HolesPlayed))
    return nineHoleHandicaps(card, tee, nineOfEighteen(Strokes, HolesPlayed));
  const handicapIndex = readTenThousandths(card.HCP);
  const ofTee = figuresOfTee(card.Course, tee, Strokes.length);
  if (handicapIndex === undefined || ofTee === undefined) return { ruled: [] };
  const figures = { handicapIndex, ...ofTee };
  return { ruled: courseHandicapsByRule(figures, Strokes.length), figures };
}

/** Whether a card's Course Handicap is one that the rule gives. */
export const isByRule = (card: ReadableCard, tee: RegisteredTee | undefined): boolean =>
  handicapsByRule(card, tee).ruled.some((ruled) => ruled === card.CourseHandicap);

/** Whether nine holes are the first or the last of eighteen. Only those have a rating (Rules of Handicapping 2.2b). */
export const isHalf = ({ 0: first = -1, 8: last }: readonly number[]): boolean =>
  (first === 0 || first === 9) && last === first + 8;

/**
 * The Course Handicaps of nine holes of eighteen.
 *
 * @param nine places of the holes, from 0; undefined if they are not known
 * @see Rules of Handicapping, 6.1b
 */
export function nineHoleHandicaps(
  { HCP, Course }: ReadableCard,
  tee: RegisteredTee | undefined,
  nine: readonly number[] | undefined,
): HandicapsByRule {
  const sent = readTenThousandths(HCP);
  const figures = figuresOfTee(Course, tee, maxHoles);
  if (sent === undefined || figures === undefined) return { ruled: [] };
  const { rating, slope, par } = figures;
  const handicapIndex = countedHandicapIndex(sent);
  const [estimate] = nineHoleCourseHandicaps({ handicapIndex, slope, rating: rating / 2, par: par / 2 });
  const eighteen = courseHandicap({ handicapIndex, slope, rating, par }).value;
  const ofNine = teesOfNine(tee, nine).map((one) => ({ handicapIndex, ...one }));
  return {
    ruled: [...new Set(ofNine.flatMap(nineHoleCourseHandicaps))],
    figures: ofNine[0],
    ofEighteen: { estimate, eighteen },
  };
}

/** The figures of the tee of a card: its own or, if it leaves them out, the register's; undefined if one is not plausible. */
function figuresOfTee(
  course: ReadableCard["Course"],
  tee: RegisteredTee | undefined,
  holes: number,
): TeeFigures | undefined {
  const rating = readTenThousandths(course.TeeRating) ?? tee?.numbers.rating;
  const slope = Number(course.TeeSlope ?? tee?.numbers.slope);
  const par = course.TeePar ?? tee?.numbers.par;
  if (rating === undefined || par === undefined || !isPlausibleSlope(slope)) return undefined;
  return isPlausibleRating(rating, par, holes) ? { rating, slope, par } : undefined;
}

/**
 * The rated tees that the register has for just these nine holes, in the same version of the course: with the same numbers,
 * pars and lengths, since another tee on the same holes has another rating. A woman's rating is another than a man's, so
 * only tees of the same Gender count, unless one has none.
 */
export function teesOfNine(
  whole: RegisteredTee | undefined,
  nine: readonly number[] | undefined,
): TeeFigures[] {
  if (whole === undefined || nine === undefined || !isHalf(nine)) return [];
  const { numbers: of } = whole;
  return versionFacts(whole.version).tees.flatMap((tee) => {
    const { numbers, pars, lengths, par, rating, slope } = teeNumbers(tee);
    const isSame =
      isSameGender(whole.tee.Gender, tee.Gender) &&
      numbers.length === nine.length &&
      nine.every(
        (place, hole) =>
          numbers[hole] === of.numbers[place] &&
          pars[hole] === of.pars[place] &&
          lengths[hole] === of.lengths[place],
      );
    return isSame && par !== undefined && rating !== undefined && slope !== undefined
      ? [{ par, rating, slope }]
      : [];
  });
}

const genders: readonly unknown[] = [1, 2];
const isSameGender = (one: unknown, other: unknown) =>
  one === other || !genders.includes(one) || !genders.includes(other);

/** Strokes by which the Course Handicap of nine unrated holes may differ from half of that of the eighteen. */
const tolerance = 1;

/** Whether the Course Handicap of a nine-hole round is that of eighteen holes, as far as it can be told without a rating of the nine. */
export const isOfEighteen = (courseHandicap: number, { ofEighteen }: HandicapsByRule): boolean =>
  ofEighteen?.eighteen === courseHandicap && Math.abs(courseHandicap - ofEighteen.estimate) > tolerance;

/** The best plus players are at about +9. */
const minHandicapIndex = -12;

/** Whether a Handicap Index, times 10,000, is one to a tenth that a player may have. @param highest that the union gives */
export const isHandicapIndex = (value: number, highest: number): boolean =>
  value % (oneStroke / 10) === 0 && value <= highest * oneStroke && value >= minHandicapIndex * oneStroke;

/** Whether a card's Handicap Index is one, and its Course Handicap follows from it, as far as that is known. */
export function isHandicapRight(
  { filled: { HCP, CourseHandicap }, handicaps }: AssessedCard,
  { highestHandicapIndex }: AssessmentContext,
): boolean {
  const { ruled } = handicaps;
  const isRight =
    ruled.length > 0 ? ruled.includes(CourseHandicap) : !isOfEighteen(CourseHandicap, handicaps);
  return isRight && isHandicapIndex(Number(HCP), highestHandicapIndex);
}

/** Warns of a Playing Handicap that no format gives. @see Rules of Handicapping, 6.2 and appendix C */
export function warnOfPlayingHandicap({ filled }: AssessedCard, findings: Findings): void {
  const { PHCP, CourseHandicap, Result } = filled;
  if (PHCP === undefined || PHCP === CourseHandicap) return;
  const [least, most] = playingHandicapBounds(CourseHandicap, Result.Strokes.length);
  if (PHCP <= most && PHCP >= least) return;
  const detail = `PHCP is the Playing Handicap: the Course Handicap after the format's allowance, the difference of tees, or with a partner's share (Rules of Handicapping 6.2 and appendix C). From a Course Handicap of ${CourseHandicap} no format gives ${PHCP}. Send the Playing Handicap, or leave PHCP out if it is ${CourseHandicap}. It is passed on as sent.`;
  findings.warn("/PHCP", "playing_handicap_unlikely", detail, {
    expected: `${least} to ${most}`,
    received: PHCP,
  });
}
