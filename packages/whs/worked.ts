/** What a rule comes to. */
export interface Worked {
  readonly value: number;
  /** Writes out how: "16.4 x 124 / 113 - 2.2 = 15.80, so 16". Nothing is written before it is asked for. */
  readonly working: () => string;
  /** The book does not publish the formula: the figure is near the union's, not equal to it. */
  readonly estimated?: true;
}

/** One whole stroke: Handicap Indexes, ratings and Score Differentials are whole numbers here, times 10,000. */
export const oneStroke = 10_000;

/** A tenth of a stroke. */
export const tenth = 1_000;

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

/** A fraction of a number times 10,000, to a tenth of a stroke. @see Rules of Handicapping, 5.1c */
export const roundToTenth = (numerator: number, denominator: number): number =>
  roundHalfUp(numerator, denominator * tenth) * tenth;

/** A number times 10,000 as golfers write it, with as many decimals as it has: 164000 is 16.4. */
export const formatStrokes = (value: number): string => {
  const strokes = value / oneStroke;
  return Number.isInteger(strokes * 10) ? strokes.toFixed(1) : `${strokes}`;
};

/** The same with its sign, as a term that is added: "- 2.2". */
export const formatTerm = (value: number): string =>
  `${value < 0 ? "-" : "+"} ${formatStrokes(Math.abs(value))}`;
