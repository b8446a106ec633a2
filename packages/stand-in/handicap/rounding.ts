/**
 * A fraction rounded to a whole number, halves towards plus infinity: -1.25 to a tenth is -1.2.
 *
 * @param numerator an integer, as is the denominator, so that no tie is missed
 * @param denominator more than 0
 * @see Rules of Handicapping 2024, 5.1a and 5.1c
 */
export function roundHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator));
}
