import { readTenThousandths } from "../formats/ten-thousandths.ts";
import { versionFacts } from "./course-versions.ts";
import type { Findings } from "./findings.ts";
import { courseHandicap, nineHoleCourseHandicaps } from "./rules/course-handicap.ts";
import type { Scorecard } from "./scorecard.ts";
import { teeNumbers } from "./tee-numbers.ts";
import type { RegisteredTee } from "./tee-of-card.ts";

/** Whether a round was over nine holes of a course that has eighteen, however many of the nine were played. */
export function isNineOfEighteen(strokes: readonly number[], holesPlayed: number): boolean {
  return holesPlayed === 9 && strokes.length === 18;
}

/**
 * The places, from 0, of the holes of a nine-hole round on an eighteen-hole course: the first nine or the last, since
 * only those are rated (Rules of Handicapping 2.2b).
 *
 * @returns undefined for any other round, and if holes of both halves were played
 */
export function nineOfEighteen(
  strokes: readonly number[],
  holesPlayed: number,
): readonly number[] | undefined {
  if (!isNineOfEighteen(strokes, holesPlayed)) return undefined;
  const isPlayed = (taken: number) => taken !== -1;
  const [front, back] = [strokes.slice(0, 9).some(isPlayed), strokes.slice(9).some(isPlayed)];
  if (front && back) return undefined;
  return Array.from({ length: 9 }, (_, hole) => (front ? hole : 9 + hole));
}

/** The rated tees that the register has for just these nine holes, in the same version of the course. */
function teesOfNine({ version, numbers: whole }: RegisteredTee, nine: readonly number[]) {
  return versionFacts(version).tees.flatMap((tee) => {
    const { numbers, pars, par, rating, slope } = teeNumbers(tee);
    const same =
      numbers.length === nine.length &&
      nine.every((place, hole) => numbers[hole] === whole.numbers[place] && pars[hole] === whole.pars[place]);
    if (!same || par === undefined || rating === undefined || slope === undefined) return [];
    return { name: tee.Name, par, rating, slope };
  });
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
  const rated = tee === undefined || nine === undefined ? [] : teesOfNine(tee, nine);
  if (rated.length === 0 && result.IsQualifying) {
    const detail =
      nine === undefined
        ? "HolesPlayed is 9, but the holes played are neither of the first nine only nor of the last nine. Other nine holes have no rating, so no handicap can be calculated."
        : "Nine of eighteen holes were played, and no rating of those nine is known, so the union may calculate no handicap. If the course has a tee of nine holes, send that.";
    findings.warn("/Round/HolesPlayed", "nine_holes_unrated", detail, { received: 9 });
  }

  const handicapIndex = readTenThousandths(card.HCP);
  const rating = readTenThousandths(course.TeeRating);
  const [slope, par] = [Number(course.TeeSlope), course.TeePar];
  if (handicapIndex === undefined || rating === undefined || par === undefined || !(slope > 0)) return;
  const ruled = rated.flatMap((figures) => nineHoleCourseHandicaps({ handicapIndex, ...figures }));
  const [estimate] = nineHoleCourseHandicaps({ handicapIndex, slope, rating: rating / 2, par: par / 2 });
  const isOfEighteen = courseHandicap({ handicapIndex, slope, rating, par }) === received;
  const differs =
    ruled.length > 0 ? !ruled.includes(received) : isOfEighteen && Math.abs(received - estimate) > tolerance;
  if (!differs) return;
  const of = isOfEighteen ? "CourseHandicap is that of eighteen holes" : "CourseHandicap is another";
  const detail = `${of}, but nine were played: it comes from half of HCP and the rating of those nine (Rules of Handicapping 6.1b). It is passed on as sent.`;
  const expected = ruled[0] ?? `about ${estimate}`;
  findings.warn("/CourseHandicap", "course_handicap_differs", detail, { expected, received });
}
