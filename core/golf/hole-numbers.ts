import type { Findings } from "./findings.ts";
import { repeatedIndex } from "./rules/holes.ts";
import type { CardHole } from "./scorecard.ts";

/** The holes that a round abroad may begin with: of 9, 18 or 27. */
const firstHoles = [1, 10, 19];

const odd = {
  hole_numbers_repeated:
    "Hole numbers are on more than one hole. The holes are taken in the order of the list. Give each hole its own number.",
  holes_rotated:
    "The holes are listed in another order than from the first to the last; the union may take them in the order of the list. Send them by number, and Strokes likewise.",
  hole_numbers_differ:
    "The holes have other numbers than the register's or, on a course outside the union, than from 1 on. They are taken in the order of the list. If they are in the order in which Strokes has them, nothing is to be corrected; otherwise send the numbers that are expected.",
} as const;

/**
 * Warns if a card numbers its holes otherwise than from the first to the last.
 *
 * @param registered numbers of the register's holes; undefined on an unlisted course
 */
export function warnOfHoleNumbers(
  holes: readonly CardHole[],
  registered: readonly (number | undefined)[] | undefined,
  findings: Findings,
): void {
  // With more holes or fewer in the register, it is not known which of the card's holes each is.
  if (registered !== undefined && registered.length !== holes.length) return;
  const sent = holes[0]?.Number;
  const first = sent !== undefined && firstHoles.includes(sent) ? sent : 1;
  const numberAt = (place: number) => (registered === undefined ? first + place : registered[place]);
  let place = 0;
  while (place < holes.length) {
    const number = holes[place]?.Number;
    if (number !== undefined && number !== (numberAt(place) ?? number)) break;
    place++;
  }
  if (place === holes.length) return;
  const expected = holes.map((_, place) => numberAt(place));
  const received = holes.map(({ Number: number }, place) => number ?? expected[place]);
  const isRotated = received.every((number) => expected.includes(number));
  const code =
    repeatedIndex(received) !== undefined
      ? "hole_numbers_repeated"
      : isRotated
        ? "holes_rotated"
        : "hole_numbers_differ";
  findings.warn("/Course/Holes", code, odd[code], { expected, received });
}
