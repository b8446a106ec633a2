import { isRoundLength } from "../courses/round-length.ts";
import { rankOf, repeatedIndex } from "../courses/stroke-index.ts";
import type { CompleteHoles, TeeNumbers } from "../courses/tee-numbers.ts";
import { placesInRegister } from "./register-mismatch.ts";
import type { CardHole } from "./scorecard.ts";

/**
 * Pars and stroke indexes of the holes that a round was played on: the card's own and, for what it leaves out, the
 * register's. They are in the card's order where it lists its holes, else by number.
 *
 * @param sent the card's own holes; where they disagree with the register, a fault has been collected
 * @param tee undefined on a course that is not the union's
 * @returns undefined where one is missing, a stroke index is on two holes, or there are not 9 or 18 holes
 */
export function holesOfRound(
  sent: readonly CardHole[] | undefined,
  tee: TeeNumbers | undefined,
): CompleteHoles | undefined {
  if (sent === undefined) return tee?.complete;
  // Where the register has more holes or fewer than the card, it is not known which of the card's holes each is.
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
