import { readTenThousandths } from "../formats/ten-thousandths.ts";
import { versionFacts } from "./course-versions.ts";
import type { Findings } from "./findings.ts";
import {
  type CourseHandicapFigures,
  countedHandicapIndex,
  courseHandicap,
  nineHoleCourseHandicaps,
} from "./rules/course-handicap.ts";
import { maxHoles } from "./rules/holes.ts";
import { isPlausibleRating, isPlausibleSlope } from "./rules/plausible-rating.ts";
import { isNineOfEighteen, nineOfEighteen } from "./score-round.ts";
import type { ReadableCard, Scorecard } from "./scorecard.ts";
import { teeNumbers } from "./tee-numbers.ts";
import type { RegisteredTee } from "./tee-of-card.ts";

/** Whether nine holes are the first or the last of eighteen. Only those have a rating (Rules of Handicapping 2.2b). */
export const isHalf = ({ 0: first = -1, 8: last }: readonly number[]): boolean =>
  (first === 0 || first === 9) && last === first + 8;

/**
 * The places of the first or the last nine of eighteen holes, if the other nine have no score: neither picked up nor not played
 * says that they were played.
 */
export function halfWithScores(strokes: readonly number[]): readonly number[] | undefined {
  if (strokes.length !== maxHoles) return undefined;
  const [front, back] = [strokes.slice(0, 9), strokes.slice(9)];
  const hasScore = (half: readonly number[]) => half.some((taken) => taken > 0);
  if (hasScore(front) === hasScore(back)) return undefined;
  const [half, first] = hasScore(front) ? [front, 0] : [back, 9];
  return half.includes(-1) ? undefined : half.map((_, place) => first + place);
}

/**
 * The rated tees that the register has for just these nine holes, in the same version of the course: with the same numbers,
 * pars and lengths, since another tee on the same holes has another rating. A woman's rating is another than a man's, so
 * only tees of the same Gender count, unless one has none.
 */
function teesOfNine({ version, tee: { Gender }, numbers: whole }: RegisteredTee, nine: readonly number[]) {
  return versionFacts(version).tees.flatMap((tee) => {
    const { numbers, pars, lengths, par, rating, slope } = teeNumbers(tee);
    const same =
      isSameGender(Gender, tee.Gender) &&
      numbers.length === nine.length &&
      nine.every(
        (place, hole) =>
          numbers[hole] === whole.numbers[place] &&
          pars[hole] === whole.pars[place] &&
          lengths[hole] === whole.lengths[place],
      );
    return same && par !== undefined && rating !== undefined && slope !== undefined
      ? [{ par, rating, slope }]
      : [];
  });
}

const genders: readonly unknown[] = [1, 2];
const isSameGender = (one: unknown, other: unknown) =>
  one === other || !genders.includes(one) || !genders.includes(other);

/** Course Handicaps of nine holes of eighteen. @see Rules of Handicapping, 6.1b */
interface NineHoleHandicaps {
  /** By the ratings of those nine; none if no rating of them is known. */
  readonly ruled: readonly number[];
  /** By half of the rating of the eighteen. */
  readonly estimate: number;
}

/** @returns undefined if the card has no Handicap Index, or if the tee has no rating */
function nineHoleHandicaps(
  { HCP, Course }: ReadableCard,
  tee: RegisteredTee | undefined,
  nine: readonly number[] | undefined,
): (NineHoleHandicaps & { readonly eighteen: number }) | undefined {
  const sent = readTenThousandths(HCP);
  const figures = figuresOfTee(Course, tee);
  if (sent === undefined || figures === undefined) return undefined;
  const { rating, slope, par } = figures;
  const handicapIndex = countedHandicapIndex(sent);
  const rated = tee === undefined || nine === undefined || !isHalf(nine) ? [] : teesOfNine(tee, nine);
  const [estimate] = nineHoleCourseHandicaps({ handicapIndex, slope, rating: rating / 2, par: par / 2 });
  return {
    ruled: rated.flatMap((ofNine) => nineHoleCourseHandicaps({ handicapIndex, ...ofNine })),
    estimate,
    eighteen: courseHandicap({ handicapIndex, slope, rating, par }),
  };
}

/** The figures of the tee of a card: its own or, if it leaves them out, the register's. */
function figuresOfTee(
  course: ReadableCard["Course"],
  tee: RegisteredTee | undefined,
): Omit<CourseHandicapFigures, "handicapIndex"> | undefined {
  const rating = readTenThousandths(course.TeeRating) ?? tee?.numbers.rating;
  const slope = Number(course.TeeSlope ?? tee?.numbers.slope);
  const par = course.TeePar ?? tee?.numbers.par;
  if (rating === undefined || par === undefined || !isPlausibleSlope(slope)) return undefined;
  return isPlausibleRating(rating, par, maxHoles) ? { rating, slope, par } : undefined;
}

/**
 * What to send if only one half of eighteen holes was played: the card of nine holes. If the nine have no rating, that card
 * brings another warning, so the text says what the card has, and not to send it.
 *
 * @param nine places of the holes that were played, from 0
 */
export function nineHoleRemedy(
  card: ReadableCard,
  tee: RegisteredTee | undefined,
  nine: readonly number[],
): string {
  const handicaps = nineHoleHandicaps(card, tee, nine);
  const [half, others] = nine[0] === 0 ? ["first", "10 to 18"] : ["last", "1 to 9"];
  const only = `If only the ${half} nine holes were played,`;
  const derived = (["TotalPoints", "TotalStrokes", "Points", "NetDoubleBogeyGross"] as const).filter(
    (name) => card.Result[name] !== undefined,
  );
  const left = [...(card.PHCP === undefined ? [] : ["PHCP"]), ...derived];
  const leave = left.length === 0 ? "" : ` Leave ${left.join(", ")} out to have them filled in.`;
  const ruled = handicaps?.ruled[0];
  if (ruled !== undefined)
    return `${only} send HolesPlayed 9, Strokes with -1 for holes ${others}, and CourseHandicap ${ruled}.${leave}`;
  const about = handicaps === undefined ? "" : `, about ${handicaps.estimate}`;
  return `${only} the card is one of nine holes: HolesPlayed is 9, Strokes are -1 for holes ${others}, and CourseHandicap is that of nine holes${about}.${leave}`;
}

/** Strokes by which the Course Handicap of nine unrated holes may differ from half of that of the eighteen. */
const tolerance = 1;

/**
 * Warns of a nine-hole round on an eighteen-hole tee: if those nine have no rating of their own, or if the Course
 * Handicap is that of eighteen holes.
 *
 * @param card filled in, and without a fault
 * @param tee undefined on an unlisted course
 * @see Rules of Handicapping, 2.1, 2.2b, 5.1b and 6.1b
 */
export function warnOfNine(card: Scorecard, tee: RegisteredTee | undefined, findings: Findings): void {
  const { CourseHandicap: received, Result: result, Round: round } = card;
  if (!isNineOfEighteen(result.Strokes, round.HolesPlayed)) return;
  const nine = nineOfEighteen(result.Strokes, round.HolesPlayed);
  const isRated = tee !== undefined && nine !== undefined && isHalf(nine) && teesOfNine(tee, nine).length > 0;
  if (!isRated && result.IsQualifying) {
    const detail =
      nine === undefined || !isHalf(nine)
        ? "HolesPlayed is 9, but the holes played are neither of the first nine only nor of the last nine. Other nine holes have no rating, so no handicap can be calculated (Rules of Handicapping 2.2b). Send IsQualifying false; if those are not the holes that were played, correct Strokes."
        : "Nine of eighteen holes were played, and no rating of those nine is known, so the union may calculate no handicap. If the course has a tee of these nine holes, send that; if it has none, nothing is to be corrected.";
    findings.warn("/Round/HolesPlayed", "nine_holes_unrated", detail, { received: 9 });
  }

  const handicaps = nineHoleHandicaps(card, tee, nine);
  if (handicaps === undefined) return;
  const { ruled, estimate, eighteen } = handicaps;
  const isOfEighteen = eighteen === received;
  const differs =
    ruled.length > 0 ? !ruled.includes(received) : isOfEighteen && Math.abs(received - estimate) > tolerance;
  if (!differs) return;
  const of = isOfEighteen ? "CourseHandicap is that of eighteen holes" : "CourseHandicap is another";
  const expected = ruled[0] ?? `about ${estimate}`;
  const detail = `${of}, but nine were played: it comes from half of HCP and the rating of those nine (Rules of Handicapping 6.1b). It is passed on as sent. Send ${expected}.`;
  findings.warn("/CourseHandicap", "course_handicap_differs", detail, { expected, received });
}
