import { readTenThousandths } from "../formats/ten-thousandths.ts";
import { versionFacts } from "./course-versions.ts";
import type { Findings } from "./findings.ts";
import { countedHandicapIndex, courseHandicap, nineHoleCourseHandicaps } from "./rules/course-handicap.ts";
import type { Scorecard } from "./scorecard.ts";
import { teeNumbers } from "./tee-numbers.ts";
import type { RegisteredTee } from "./tee-of-card.ts";

/** Whether a round was over nine holes of a course that has eighteen, however many of the nine were played. */
export function isNineOfEighteen(strokes: readonly number[], holesPlayed: number): boolean {
  return holesPlayed === 9 && strokes.length === 18;
}

/**
 * The places, from 0, of the holes of a nine-hole round on an eighteen-hole course: the first nine, the last nine, or those
 * that were played. If fewer than nine were played and some are of each half, the holes that follow the last of them are
 * taken for the others.
 *
 * @returns undefined for any other round, and if more than nine holes were played
 */
export function nineOfEighteen(
  strokes: readonly number[],
  holesPlayed: number,
): readonly number[] | undefined {
  if (!isNineOfEighteen(strokes, holesPlayed)) return undefined;
  const isPlayed = (taken: number) => taken !== -1;
  const [front, back] = [strokes.slice(0, 9).some(isPlayed), strokes.slice(9).some(isPlayed)];
  if (!front || !back) return Array.from({ length: 9 }, (_, hole) => (front ? hole : 9 + hole));
  const played = strokes.flatMap((taken, place) => (isPlayed(taken) ? [place] : []));
  const last = played.at(-1) ?? 0;
  const following = strokes.map((_, hole) => (last + hole) % strokes.length);
  const nine = new Set(played);
  for (const place of following) if (nine.size < 9) nine.add(place);
  return nine.size === 9 ? [...nine].sort((one, other) => one - other) : undefined;
}

/** Whether nine holes are the first or the last of eighteen. Only those have a rating (Rules of Handicapping 2.2b). */
const isHalf = ({ 0: first = -1, 8: last }: readonly number[]) =>
  (first === 0 || first === 9) && last === first + 8;

/**
 * The rated tees that the register has for just these nine holes, in the same version of the course: with the same numbers,
 * pars and lengths, since another tee on the same holes has another rating. A tee of men and women has two ratings, so if
 * there are several, those of the same Gender count.
 */
function teesOfNine({ version, tee: { Gender }, numbers: whole }: RegisteredTee, nine: readonly number[]) {
  const rated = versionFacts(version).tees.flatMap((tee) => {
    const { numbers, pars, lengths, par, rating, slope } = teeNumbers(tee);
    const same =
      numbers.length === nine.length &&
      nine.every(
        (place, hole) =>
          numbers[hole] === whole.numbers[place] &&
          pars[hole] === whole.pars[place] &&
          lengths[hole] === whole.lengths[place],
      );
    if (!same || par === undefined || rating === undefined || slope === undefined) return [];
    return { gender: tee.Gender, par, rating, slope };
  });
  const sameGender = rated.filter(({ gender }) => gender === Gender);
  return sameGender.length > 0 ? sameGender : rated;
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
  const { Course: course, CourseHandicap: received, Result: result, Round: round } = card;
  if (!isNineOfEighteen(result.Strokes, round.HolesPlayed)) return;
  const nine = nineOfEighteen(result.Strokes, round.HolesPlayed);
  const rated = tee === undefined || nine === undefined || !isHalf(nine) ? [] : teesOfNine(tee, nine);
  if (rated.length === 0 && result.IsQualifying) {
    const detail =
      nine === undefined || !isHalf(nine)
        ? "HolesPlayed is 9, but the holes played are neither of the first nine only nor of the last nine. Other nine holes have no rating, so no handicap can be calculated (Rules of Handicapping 2.2b). Send IsQualifying false; if those are not the holes that were played, correct Strokes."
        : "Nine of eighteen holes were played, and no rating of those nine is known, so the union may calculate no handicap. If the course has a tee of these nine holes, send that; if it has none, nothing is to be corrected.";
    findings.warn("/Round/HolesPlayed", "nine_holes_unrated", detail, { received: 9 });
  }

  const sent = readTenThousandths(card.HCP);
  const rating = readTenThousandths(course.TeeRating);
  const [slope, par] = [Number(course.TeeSlope), course.TeePar];
  if (sent === undefined || rating === undefined || par === undefined || !(slope > 0)) return;
  const handicapIndex = countedHandicapIndex(sent);
  const ruled = rated.flatMap((figures) => nineHoleCourseHandicaps({ handicapIndex, ...figures }));
  const [estimate] = nineHoleCourseHandicaps({ handicapIndex, slope, rating: rating / 2, par: par / 2 });
  const isOfEighteen = courseHandicap({ handicapIndex, slope, rating, par }) === received;
  const differs =
    ruled.length > 0 ? !ruled.includes(received) : isOfEighteen && Math.abs(received - estimate) > tolerance;
  if (!differs) return;
  const of = isOfEighteen ? "CourseHandicap is that of eighteen holes" : "CourseHandicap is another";
  const expected = ruled[0] ?? `about ${estimate}`;
  const detail = `${of}, but nine were played: it comes from half of HCP and the rating of those nine (Rules of Handicapping 6.1b). It is passed on as sent. Send ${expected}.`;
  findings.warn("/CourseHandicap", "course_handicap_differs", detail, { expected, received });
}
