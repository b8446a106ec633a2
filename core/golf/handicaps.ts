import { oneStroke, readTenThousandths } from "../formats/ten-thousandths.ts";
import type { AssessedCard, AssessmentContext, HandicapsByRule } from "./assessed-card.ts";
import { versionFacts } from "./course-versions.ts";
import type { Findings } from "./findings.ts";
import {
  type CourseHandicapFigures,
  countedHandicapIndex,
  courseHandicap,
  courseHandicapsByRule,
  nineHoleCourseHandicaps,
} from "./rules/course-handicap.ts";
import { maxHoles } from "./rules/holes.ts";
import { isPlausibleRating, isPlausibleSlope } from "./rules/plausible-rating.ts";
import { playingHandicapBounds } from "./rules/playing-handicap.ts";
import { isNineOfEighteen, nineOfEighteen } from "./score-round.ts";
import type { ReadableCard, Scorecard } from "./scorecard.ts";
import { teeNumbers } from "./tee-numbers.ts";
import type { RegisteredTee } from "./tee-of-card.ts";

/** The figures of a tee that a Course Handicap depends on. */
type TeeFigures = Omit<CourseHandicapFigures, "handicapIndex">;

/**
 * The Course Handicaps that the rule gives a card.
 *
 * @param card filled in
 * @param tee undefined on an unlisted course
 */
export function handicapsByRule(card: Scorecard, tee: RegisteredTee | undefined): HandicapsByRule {
  const { Result, Round } = card;
  if (!isNineOfEighteen(Result.Strokes, Round.HolesPlayed)) return { ruled: courseHandicapsOfCard(card) };
  return nineHoleHandicaps(card, tee, nineOfEighteen(Result.Strokes, Round.HolesPlayed)) ?? { ruled: [] };
}

/**
 * The Course Handicaps that the rule allows for a card, by its own HCP, TeeRating, TeeSlope and TeePar.
 *
 * @returns none if a figure is missing or not plausible, or for nine holes of eighteen: the card has no rating of those nine
 */
export function courseHandicapsOfCard({ HCP, Course, Result, Round }: Scorecard): readonly number[] {
  const handicapIndex = readTenThousandths(HCP);
  const rating = readTenThousandths(Course.TeeRating);
  const slope = Number(Course.TeeSlope);
  const { TeePar: par } = Course;
  if (handicapIndex === undefined || rating === undefined || par === undefined) return [];
  if (isNineOfEighteen(Result.Strokes, Round.HolesPlayed)) return [];
  const { length: holes } = Result.Strokes;
  if (!isPlausibleSlope(slope) || !isPlausibleRating(rating, par, holes)) return [];
  return courseHandicapsByRule({ handicapIndex, rating, slope, par }, holes);
}

/** Whether nine holes are the first or the last of eighteen. Only those have a rating (Rules of Handicapping 2.2b). */
export const isHalf = ({ 0: first = -1, 8: last }: readonly number[]): boolean =>
  (first === 0 || first === 9) && last === first + 8;

/**
 * The Course Handicaps of nine holes of eighteen.
 *
 * @param nine places of the holes, from 0; undefined if they are not known
 * @returns undefined if the card has no Handicap Index, or if the tee has no rating
 * @see Rules of Handicapping, 6.1b
 */
export function nineHoleHandicaps(
  { HCP, Course }: ReadableCard,
  tee: RegisteredTee | undefined,
  nine: readonly number[] | undefined,
): HandicapsByRule | undefined {
  const sent = readTenThousandths(HCP);
  const figures = figuresOfTee(Course, tee);
  if (sent === undefined || figures === undefined) return undefined;
  const { rating, slope, par } = figures;
  const handicapIndex = countedHandicapIndex(sent);
  const [estimate] = nineHoleCourseHandicaps({ handicapIndex, slope, rating: rating / 2, par: par / 2 });
  const eighteen = courseHandicap({ handicapIndex, slope, rating, par });
  return {
    ruled: teesOfNine(tee, nine).flatMap((ofNine) => nineHoleCourseHandicaps({ handicapIndex, ...ofNine })),
    ofEighteen: { estimate, eighteen },
  };
}

/** The figures of the tee of a card: its own or, if it leaves them out, the register's. */
function figuresOfTee(
  course: ReadableCard["Course"],
  tee: RegisteredTee | undefined,
): TeeFigures | undefined {
  const rating = readTenThousandths(course.TeeRating) ?? tee?.numbers.rating;
  const slope = Number(course.TeeSlope ?? tee?.numbers.slope);
  const par = course.TeePar ?? tee?.numbers.par;
  if (rating === undefined || par === undefined || !isPlausibleSlope(slope)) return undefined;
  return isPlausibleRating(rating, par, maxHoles) ? { rating, slope, par } : undefined;
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

const tenth = oneStroke / 10;
const nearestTenth = (value: unknown) => Math.round(Number(value) / tenth) * tenth;
const isAbove54 = ({ HCP }: Scorecard) => countedHandicapIndex(Number(HCP)) < Number(HCP);
/** Strokes by which the Course Handicap of nine unrated holes may differ from half of that of the eighteen. */
const tolerance = 1;

/** Warns of a Handicap Index that is not one to a tenth, and of a Course Handicap that does not follow from it. */
export function warnOfHandicap(
  { sent: { Course: sent }, filled: card, handicaps }: AssessedCard,
  findings: Findings,
): void {
  const { ruled, ofEighteen } = handicaps;
  const { HCP, CourseHandicap: received } = card;
  const isRuled = ruled.includes(received);
  if (Number(HCP) % tenth !== 0) {
    const expected = nearestTenth(HCP);
    const next = courseHandicapsOfCard({ ...card, HCP: expected });
    const other =
      isRuled && next.length > 0 && !next.includes(received) ? `, with CourseHandicap ${next[0]},` : "";
    const detail = `HCP has more than one decimal. It is the Handicap Index times 10,000: 12.4 is 124000. Send ${expected}${other} if that is meant.`;
    findings.warn("/HCP", "handicap_not_a_tenth", detail, { received: HCP });
  }
  if (ofEighteen !== undefined) {
    const { estimate, eighteen } = ofEighteen;
    const isOfEighteen = eighteen === received;
    const isNear = ruled.length === 0 && (!isOfEighteen || Math.abs(received - estimate) <= tolerance);
    if (isRuled || isNear) return;
    const of = isOfEighteen ? "CourseHandicap is that of eighteen holes" : "CourseHandicap is another";
    const expected = ruled[0] ?? `about ${estimate}`;
    const detail = `${of}, but nine were played: it comes from half of HCP and the rating of those nine (Rules of Handicapping 6.1b). It is passed on as sent. Send ${expected}.`;
    findings.warn("/CourseHandicap", "course_handicap_differs", detail, { expected, received });
    return;
  }
  const [expected] = ruled;
  if (expected === undefined || isRuled) return;
  const of54 = isAbove54(card) ? " HCP above 54.0 counts as 54.0." : "";
  const isOfRegister = sent.TeeRating === undefined && sent.TeeSlope === undefined;
  const [figures, remedy] = isOfRegister
    ? ["HCP and the register's figures of the tee", "correct HCP or the tee, if one of them is wrong"]
    : ["HCP, TeeRating, TeeSlope and TeePar", "correct the one of them that is wrong"];
  const detail = `CourseHandicap is not what ${figures} come to (Rules of Handicapping 6.1).${of54} It is passed on as sent. Send ${ruled.join(" or ")}, or ${remedy}.`;
  findings.warn("/CourseHandicap", "course_handicap_differs", detail, { expected, received });
}

/** The best plus players are at about +9. */
const maxOfPlusPlayers = -12;

const inWords = (index: number) => (index > 0 ? `${index}` : `+${-index}`);

/** Warns of a Handicap Index that no player has: it is most likely mistyped. */
export function warnOfHandicapIndex(
  { filled: card }: AssessedCard,
  findings: Findings,
  { highestHandicapIndex: highest }: AssessmentContext,
): void {
  const { HCP } = card;
  const index = Number(HCP) / oneStroke;
  if (index <= highest && index >= maxOfPlusPlayers) return;
  const likely = Number(HCP) / 10;
  const isHandicapIndex = likely % tenth === 0 && likely / oneStroke <= highest;
  const ruled = courseHandicapsOfCard({ ...card, HCP: likely });
  const other =
    ruled.length === 0 || ruled.includes(card.CourseHandicap) ? "" : `, with CourseHandicap ${ruled[0]}`;
  const remedy = isHandicapIndex
    ? `Send ${likely} for ${inWords(likely / oneStroke)}${other}.`
    : "Send the player's Handicap Index to a tenth, times 10,000.";
  const detail = `HCP is the Handicap Index times 10,000, and no player has one of ${inWords(index)}. ${remedy}`;
  findings.warn("/HCP", "handicap_unlikely", detail, { received: HCP });
}

/** Warns of a Playing Handicap that no format gives. @see Rules of Handicapping, 6.2 and appendix C */
export function warnOfPlayingHandicap({ filled }: AssessedCard, findings: Findings): void {
  const { PHCP, CourseHandicap, Result } = filled;
  if (PHCP === undefined) return;
  const [least, most] = playingHandicapBounds(CourseHandicap, Result.Strokes.length);
  if (PHCP <= most && PHCP >= least) return;
  const detail = `PHCP is the Playing Handicap: the Course Handicap after the format's allowance, the difference of tees, or with a partner's share (Rules of Handicapping 6.2 and appendix C). From a Course Handicap of ${CourseHandicap} no format gives ${PHCP}. Send the Playing Handicap, or leave PHCP out if it is ${CourseHandicap}. It is passed on as sent.`;
  findings.warn("/PHCP", "playing_handicap_unlikely", detail, {
    expected: `${least} to ${most}`,
    received: PHCP,
  });
}
