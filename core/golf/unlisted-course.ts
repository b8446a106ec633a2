import { slopeBounds } from "@scorecard-pipeline/whs";
import { guidKey } from "../formats/identifiers.ts";
import { oneStroke } from "../formats/ten-thousandths.ts";
import { reportRepeatedIndex } from "./check-round.ts";
import type { Findings } from "./findings.ts";
import { documentedNames, misspellingsIn } from "./misspelt-fields.ts";
import { type CardReading, fields, formInWords } from "./scorecard.ts";
import { isRoundLength } from "./tee-numbers.ts";

/** Least and greatest Course Rating times 10,000: no course of 9 or 18 holes is easier or harder. */
const ratings = [10 * oneStroke, 120 * oneStroke] as const;

/** Stroke indexes may have gaps: eighteen of 27 holes are indexed among all of them. */
const strokeIndexes = [1, 27] as const;

const needed = ["Name", "Country", "TeeName", "TeeRating", "TeeSlope", "Holes"] as const;
const namesOfCourse = documentedNames(Object.keys(fields.course));
const neededOfHole = ["Number", "Par", "Index"] as const;

/**
 * Checks that a card without CourseID describes its course: with all that is needed, and with possible figures. Warns if
 * it is the union's all the same.
 *
 * @param country the union's own
 * @param clubs the union's clubs, in upper case, among those that cards name
 */
export function checkUnlistedCourse(
  { card, unreadable }: CardReading,
  country: string,
  clubs: ReadonlySet<string> | undefined,
  findings: Findings,
): void {
  const { Course: course } = card;
  const missing = needed.filter((name) => !course[name] && !unreadable.has(`/Course/${name}`));
  const instead = missing.length > 0 ? courseIdInstead(course, clubs) : undefined;
  if (instead !== undefined) {
    findings.fault("/Course/CourseID", "required", `Course/CourseID is missing. ${instead}`);
    return;
  }
  if (missing.length > 0 && course.TeeID !== undefined) {
    const detail = `No course of the union has a tee with this TeeID. Send one of the register; with CourseID the fault lists the tees of that course. For a course that is not the union's leave TeeID out, and send ${needed.join(", ")}.`;
    findings.fault("/Course/TeeID", "tee_unknown", detail, { received: course.TeeID });
    return;
  }
  if (isUnionsClub(course, clubs) || course.Country?.toUpperCase() === country.toUpperCase()) {
    const detail =
      "The club or the country is the union's, but the card names no course of it: it is taken for one of a course outside the union, and not compared with the register. Send CourseID and TeeID.";
    findings.warn("/Course/CourseID", "course_id_missing", detail);
  }
  for (const name of missing) {
    const pointer = `/Course/${name}`;
    const detail = `Course/${name} is missing, and the card names no course of the union. Send CourseID and TeeID or, for any other course, ${needed.join(", ")}. It must be ${formInWords(pointer.slice(1))}.`;
    findings.fault(pointer, "required", detail);
  }
  checkRange("/Course/TeeRating", course.TeeRating, ratings, findings);
  checkRange("/Course/TeeSlope", course.TeeSlope, slopeBounds, findings);
  checkUnlistedHoles({ card, unreadable }, findings);
}

/** The remedy if an incomplete course lacks only CourseID; undefined if it may be a course outside the union. */
function courseIdInstead(
  course: CardReading["card"]["Course"],
  clubs: ReadonlySet<string> | undefined,
): string | undefined {
  const misspelt = misspellingsIn(course, namesOfCourse).get("CourseID");
  if (misspelt !== undefined) return `The card has ${misspelt} instead: send it as CourseID.`;
  if (!isUnionsClub(course, clubs)) return undefined;
  return "The club is the union's, but the card has no TeeID of its register: send CourseID and TeeID.";
}

const isUnionsClub = ({ ClubID }: CardReading["card"]["Course"], clubs: ReadonlySet<string> | undefined) =>
  ClubID !== undefined && clubs?.has(guidKey(ClubID)) === true;

function checkRange(
  pointer: string,
  received: string | number | undefined,
  [least, most]: readonly [number, number],
  findings: Findings,
): void {
  if (received === undefined || (Number(received) >= least && Number(received) <= most)) return;
  const field = pointer.slice(1);
  const detail = `${field} must be ${formInWords(field)}, from ${least} to ${most}.`;
  findings.fault(pointer, "out_of_range", detail, { expected: `${least} to ${most}`, received });
}

function checkUnlistedHoles(
  { card, unreadable }: Pick<CardReading, "card" | "unreadable">,
  findings: Findings,
): void {
  const { Holes: holes } = card.Course;
  if (holes === undefined) return;
  if (!isRoundLength(holes.length)) {
    const detail =
      "Course/Holes must have one object for each hole of the course, 9 or 18. Send all of them.";
    findings.fault("/Course/Holes", "holes_count", detail, { expected: "9 or 18", received: holes.length });
  }
  for (const [place, hole] of holes.entries()) {
    for (const name of neededOfHole) {
      const pointer = `/Course/Holes/${place}/${name}`;
      if (hole[name] !== undefined || unreadable.has(pointer) || unreadable.has(`/Course/Holes/${place}`))
        continue;
      const detail = `${pointer.slice(1)} is missing. On a course that is not the union's, send ${neededOfHole.join(", ")} of every hole.`;
      findings.fault(pointer, "required", detail);
    }
    checkRange(`/Course/Holes/${place}/Index`, hole.Index, strokeIndexes, findings);
  }
  reportRepeatedIndex(
    holes.map(({ Index }) => Index),
    findings,
  );
}
