/**
 * The whole number nearest to a fraction; a half goes up, towards plus infinity: 1.5 is 2, -1.5 is -1.
 *
 * All rounding of the rules is done here, on whole numbers, because a product of floats misses ties: 11.3 x 57 / 113 +
 * 68.8 - 72 is exactly 2.5, but 2.4999999999999996 in floats.
 *
 * @param numerator a whole number; twice it and the denominator together below 2^53
 * @param denominator a whole number above 0
 * @see Rules of Handicapping, 5.1c
 */
export function roundHalfUp(numerator: number, denominator: number): number {
  // The quotient of two whole numbers below 2^53 is never rounded up to the next whole number by the division.
  const rounded = Math.floor((2 * numerator + denominator) / (2 * denominator));
  return rounded === 0 ? 0 : rounded;
}
