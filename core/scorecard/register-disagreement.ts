import { isRoundLength } from "../course/round-length.ts";
import type { TeeNumbers } from "../course/tee-numbers.ts";
import type { FaultCode } from "./fault-codes.ts";
import type { CardHole, ReadableCard } from "./schema.ts";

/** A number of a card that is not the register's. */
export interface Disagreement {
  readonly pointer: string;
  readonly code: FaultCode;
  readonly expected: number;
  readonly received: number | string;
}

/** Where the numbers that a card brings of its course are other than the register's; what either leaves out agrees. */
export function disagreements(course: ReadableCard["Course"], tee: TeeNumbers): readonly Disagreement[] {
  const found: Disagreement[] = [];
  const compare = (
    code: FaultCode,
    received: number | string | undefined,
    expected: number | undefined,
    field: string,
    hole?: number,
  ) => {
    if (received === undefined || expected === undefined || Number(received) === expected) return;
    const pointer = hole === undefined ? `/Course/${field}` : `/Course/Holes/${hole}/${field}`;
    found.push({ pointer, code, expected, received });
  };
  compare("total_mismatch", course.TeePar, tee.par, "TeePar");
  compare("tee_rating_mismatch", course.TeeRating, tee.rating, "TeeRating");
  compare("tee_slope_mismatch", course.TeeSlope, tee.slope, "TeeSlope");
  // A register with another number of holes than a round has is wrong itself: the card's own list is not to blame.
  if (course.Holes === undefined || !isRoundLength(tee.holes.length)) return found;
  compare("holes_count", course.Holes.length, tee.holes.length, "Holes");
  if (course.Holes.length !== tee.holes.length) return found;
  const places = placesInRegister(course.Holes, tee);
  let hole = 0;
  for (const { Par, Index } of course.Holes) {
    const place = places?.[hole] ?? hole;
    compare("hole_par_mismatch", Par, tee.pars[place], "Par", hole);
    compare("hole_index_mismatch", Index, tee.indexes[place], "Index", hole);
    hole++;
  }
  return found;
}

/**
 * Where in the register each hole of a card is that lists them in another order, from the tenth on for instance.
 *
 * @returns undefined where the order is the register's, or the numbers are not the same ones
 */
export function placesInRegister(holes: readonly CardHole[], tee: TeeNumbers): readonly number[] | undefined {
  if (holes.every((hole, place) => hole.Number === undefined || hole.Number === tee.numbers[place]))
    return undefined;
  const places = holes.map((hole) => (hole.Number === undefined ? -1 : tee.numbers.indexOf(hole.Number)));
  return !places.includes(-1) && new Set(places).size === tee.holes.length ? places : undefined;
}

/** Whether a card numbers its holes otherwise than the register, and not just in another order. */
export function numbersDiffer(holes: readonly CardHole[], tee: TeeNumbers): boolean {
  return (
    holes.some((hole, place) => hole.Number !== undefined && hole.Number !== tee.numbers[place]) &&
    placesInRegister(holes, tee) === undefined
  );
}
