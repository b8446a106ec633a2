import { isRoundLength, mostHoles } from "../courses/holes.ts";
import { oneStroke } from "../formats/ten-thousandths.ts";
import { reportRepeatedIndex } from "./check-round.ts";
import type { Findings } from "./findings.ts";
import type { CardReading } from "./read-card.ts";
import { formInWords } from "./scorecard.ts";

/** Least and greatest Course Rating times 10,000: no course of 9 or 18 holes is easier or harder. */
const ratings = [10 * oneStroke, 120 * oneStroke] as const;
/** Least and greatest Slope Rating. @see Rules of Handicapping, Definitions: Slope Rating */
const slopes = [55, 155] as const;

const needed = ["Name", "Country", "TeeName", "TeeRating", "TeeSlope", "Holes"] as const;
const neededOfHole = ["Number", "Par", "Index"] as const;

/** Checks that a card without CourseID describes its course: with all that is needed, and with possible figures. */
export function checkUnlistedCourse({ card, unreadable }: CardReading, findings: Findings): void {
  const { Course: course } = card;
  for (const name of needed) {
    const pointer = `/Course/${name}`;
    if ((course[name] === undefined || course[name] === "") && !unreadable.has(pointer)) {
      const detail = `Course/${name} is missing, and the card names no course of the union. Send CourseID and TeeID or, for any other course, ${needed.join(", ")}. It must be ${formInWords(pointer.slice(1))}.`;
      findings.fault(pointer, "required", detail);
    }
  }
  checkRange("/Course/TeeRating", course.TeeRating, ratings, findings);
  checkRange("/Course/TeeSlope", course.TeeSlope, slopes, findings);
  checkUnlistedHoles({ card, unreadable }, findings);
}

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
    const detail = "Course/Holes must have one object for each hole of the course, 9 or 18.";
    findings.fault("/Course/Holes", "holes_count", detail, { expected: "9 or 18", received: holes.length });
  }
  for (const [place, hole] of holes.entries()) {
    for (const name of neededOfHole) {
      const pointer = `/Course/Holes/${place}/${name}`;
      if (hole[name] !== undefined || unreadable.has(pointer) || unreadable.has(`/Course/Holes/${place}`))
        continue;
      const detail = `${pointer.slice(1)} is missing. On a course that is not the union's, every hole needs ${neededOfHole.join(", ")}.`;
      findings.fault(pointer, "required", detail);
    }
    checkRange(`/Course/Holes/${place}/Index`, hole.Index, [1, mostHoles], findings);
  }
  reportRepeatedIndex(
    holes.map(({ Index }) => Index),
    findings,
  );
}
