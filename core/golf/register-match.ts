import type { FaultCode } from "./findings.ts";
import type { CardHole, ReadableCard } from "./scorecard.ts";
import {
  type CompleteHoles,
  isRepeated,
  isRoundLength,
  rankOf,
  repeatedIndex,
  type TeeNumbers,
} from "./tee-numbers.ts";

/** A number of a card that differs from the register's. */
export interface RegisterMismatch {
  readonly pointer: string;
  readonly code: FaultCode;
  readonly expected: number;
  readonly received: number | string;
}

/** The numbers of a card that differ from the register's; a number that either leaves out does not differ. */
export function findMismatches(course: ReadableCard["Course"], tee: TeeNumbers): readonly RegisterMismatch[] {
  const found: RegisterMismatch[] = [];
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
  // A tee with neither 9 nor 18 holes is the register's mistake, so the card's list may differ.
  if (course.Holes === undefined || !isRoundLength(tee.holes.length)) return found;
  compare("holes_count", course.Holes.length, tee.holes.length, "Holes");
  if (course.Holes.length !== tee.holes.length) return found;
  const places = placesInRegister(course.Holes, tee);
  const indexes =
    tee.complete?.indexes ?? tee.indexes.map((index) => (isRepeated(index, tee.indexes) ? undefined : index));
  let hole = 0;
  for (const { Par, Index } of course.Holes) {
    const place = places?.[hole] ?? hole;
    compare("hole_par_mismatch", Par, tee.pars[place], "Par", hole);
    compare("hole_index_mismatch", Index, indexes[place], "Index", hole);
    hole++;
  }
  return found;
}

/** Whether a card's holes have these numbers, in this order; a hole without a number has any. */
function haveNumbers(holes: readonly CardHole[], numbers: TeeNumbers["numbers"]): boolean {
  let place = 0;
  for (const { Number: number } of holes) {
    if (number !== undefined && number !== numbers[place]) return false;
    place++;
  }
  return true;
}

/**
 * The place in the register of each hole of a card that lists them in another order, from the tenth on for instance.
 *
 * @returns undefined if the order is the same, or if the two have different hole numbers
 */
export function placesInRegister(holes: readonly CardHole[], tee: TeeNumbers): readonly number[] | undefined {
  if (haveNumbers(holes, tee.numbers)) return undefined;
  const places = holes.map((hole) => (hole.Number === undefined ? -1 : tee.numbers.indexOf(hole.Number)));
  return !places.includes(-1) && new Set(places).size === tee.holes.length ? places : undefined;
}

/**
 * Pars and stroke indexes of the holes that a round was played on: the card's own and, for what it leaves out, the
 * register's. They are in the card's order where it lists its holes, else by number.
 *
 * @param sent the card's own holes; where they disagree with the register, a fault has been collected
 * @param tee undefined on a course that is not the union's
 * @returns undefined if one is missing, a stroke index is on two holes, or there are not 9 or 18 holes
 */
export function holesOfRound(
  sent: readonly CardHole[] | undefined,
  tee: TeeNumbers | undefined,
): CompleteHoles | undefined {
  if (sent === undefined) return tee?.complete;
  // If the register has more holes or fewer than the card, it is not known which of the card's holes each is.
  const registered = tee?.holes.length === sent.length ? tee : undefined;
  const places = registered && placesInRegister(sent, registered);
  if (registered?.complete !== undefined && places === undefined) return registered.complete;
  const pars: number[] = [];
  const indexes: number[] = [];
  for (const [hole, { Par, Index }] of sent.entries()) {
    const place = places?.[hole] ?? hole;
    const par = Par ?? registered?.pars[place];
    const index = Index ?? registered?.indexes[place];
    if (par === undefined || index === undefined) return undefined;
    pars.push(par);
    indexes.push(index);
  }
  const countable = isRoundLength(pars.length) && repeatedIndex(indexes) === undefined;
  return countable ? { pars, indexes, ranks: rankOf(indexes) } : undefined;
}
