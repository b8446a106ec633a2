import { createInterface } from "node:readline";

// The Rules of Handicapping once more, written from the book and sharing nothing with the package: `whs-check` compares the two.
// Figures are fractions of whole numbers of any size, and nothing is rounded before a rule says so.

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

const fraction = (over: number | bigint, under: number | bigint = 1): Fraction => ({
  over: BigInt(over),
  under: BigInt(under),
});
const plus = (one: Fraction, other: Fraction): Fraction => ({
  over: one.over * other.under + other.over * one.under,
  under: one.under * other.under,
});
const multiply = (one: Fraction, other: Fraction): Fraction => ({
  over: one.over * other.over,
  under: one.under * other.under,
});
const isBelow = (one: Fraction, other: Fraction) => one.over * other.under < other.over * one.under;

/** 5.1c: to the nearest whole number, a half towards plus infinity. */
function round({ over, under }: Fraction): bigint {
  const doubled = 2n * over + under;
  const whole = doubled / (2n * under);
  return doubled < 0n && whole * 2n * under !== doubled ? whole - 1n : whole;
}

/** Figures come times 10,000. */
const strokes = (wire: number) => fraction(wire, 10_000);
const toTenths = (value: Fraction) => round(multiply(value, fraction(10)));
/** Tenths as they are written in an answer. */
const wire = (tenths: bigint) => Number(tenths) * 1_000;

// biome-ignore lint/suspicious/noExplicitAny: the inputs are JSON of another program.
type Input = any;

/** 6.1: Handicap Index x Slope Rating / 113 + (Course Rating - par). */
const unroundedHandicap = (index: Fraction, { slope, rating, par }: Input) =>
  plus(multiply(index, fraction(slope, 113)), plus(strokes(rating), fraction(-par)));

/** 5.1a: 113 / Slope Rating x (Adjusted Gross Score - Course Rating). */
const differential = ({ adjustedGross, rating, slope }: Input) =>
  multiply(fraction(113, slope), plus(fraction(adjustedGross), strokes(-rating)));

/** 0.52 x Handicap Index + 1.197 over nine holes. */
const expected = (index: number) => plus(multiply(fraction(52, 100), strokes(index)), fraction(1_197, 1_000));

/** Deals strokes out one by one, the hardest hole first; a plus handicap gives them back from the easiest. */
function deal(handicap: number, indexes: readonly number[]): number[] {
  const order = [...indexes].sort((one, other) => (handicap < 0 ? other - one : one - other));
  const received = new Map(indexes.map((index) => [index, 0]));
  for (let left = Math.abs(handicap), place = 0; left > 0; left--, place = (place + 1) % order.length) {
    const index = order[place] ?? 0;
    received.set(index, (received.get(index) ?? 0) + Math.sign(handicap));
  }
  return indexes.map((index) => received.get(index) ?? 0);
}

/** 3.1 and 3.3. */
function holeCounts(par: number, received: number | null, taken: number): number {
  const limit = received === null || received > 3 ? par + 5 : par + 2 + received;
  return taken === 0 || taken > limit ? limit : taken;
}

/** 5.2a: so many scores, so many of the lowest, and the adjustment in tenths. */
function lineOfTable(scores: number): [lowest: number, adjustment: number] {
  if (scores === 3) return [1, -20];
  if (scores === 4) return [1, -10];
  if (scores === 5) return [1, 0];
  if (scores === 6) return [2, -10];
  if (scores <= 8) return [2, 0];
  if (scores <= 11) return [3, 0];
  if (scores <= 14) return [4, 0];
  if (scores <= 16) return [5, 0];
  if (scores <= 18) return [6, 0];
  return scores === 19 ? [7, 0] : [8, 0];
}

/** 5.8, in tenths: half of what is above 3.0 counts, and 5.0 is the most. */
function cap(index: bigint, low: bigint): bigint {
  if (index - low <= 30n) return index;
  const soft = round(plus(fraction(low + 30n), fraction(index - low - 30n, 2)));
  return soft > low + 50n ? low + 50n : soft;
}

function handicapIndex({ differentials, lowHandicapIndex: low }: Input): number | null {
  if (differentials.length < 3) return null;
  const tenths = differentials.map((one: number) => BigInt(one / 1_000));
  const [lowest, adjustment] = lineOfTable(tenths.length);
  tenths.sort((one: bigint, other: bigint) => Number(one - other));
  const sum = tenths.slice(0, lowest).reduce((total: bigint, one: bigint) => total + one, 0n);
  const average = round(fraction(sum, lowest)) + BigInt(adjustment);
  const capped = low === undefined ? average : cap(average, BigInt(low / 1_000));
  return wire(capped > 540n ? 540n : capped);
}

const rules: Record<string, (input: Input) => unknown> = {
  netDoubleBogey: ({ par, strokesReceived }) => holeCounts(par, strokesReceived, 0),
  countedStrokes: ({ par, strokesReceived, strokes: taken }) => holeCounts(par, strokesReceived, taken),
  adjustedGrossScore: ({ pars, strokeIndexes, strokes: taken, courseHandicap }) => {
    const received = courseHandicap === null ? [] : deal(courseHandicap, strokeIndexes);
    return pars.reduce(
      (sum: number, par: number, hole: number) =>
        taken[hole] === -1 ? sum : sum + holeCounts(par, received[hole] ?? null, taken[hole]),
      0,
    );
  },
  scoreDifferential: (input) => wire(toTenths(differential(input))),
  expectedScoreDifferential: ({ handicapIndex: index }) =>
    Number(round(multiply(expected(index), fraction(10_000)))),
  shortRoundScoreDifferential: (input) => {
    const share = multiply(expected(input.handicapIndex), fraction(input.holesNotPlayed, 9));
    return wire(toTenths(plus(differential(input), share)));
  },
  roundHalfUp: ({ numerator, denominator }) => Number(round(fraction(numerator, denominator))),
  handicapIndex,
  lowHandicapIndex: ({ indexes, day }) => {
    const held = indexes.filter((_: Input, place: number) => (indexes[place + 1]?.day ?? day) > day - 365);
    return Math.min(...held.map(({ index }: Input) => index));
  },
  capRise: ({ handicapIndex: index, lowHandicapIndex: low }) =>
    wire(cap(BigInt(index / 1_000), BigInt(low / 1_000))),
  exceptionalScoreReduction: (input) => {
    const below = plus(strokes(input.handicapIndex), multiply(differential(input), fraction(-1)));
    if (isBelow(below, fraction(7))) return 0;
    return isBelow(below, fraction(10)) ? 10_000 : 20_000;
  },
  courseHandicap: (input) => Number(round(unroundedHandicap(strokes(input.handicapIndex), input))),
  nineHoleCourseHandicap: (input) => {
    const half = toTenths(multiply(strokes(input.handicapIndex), fraction(1, 2)));
    return Number(round(unroundedHandicap(fraction(half, 10), input)));
  },
  playingHandicap: (input) => {
    const exact = unroundedHandicap(strokes(input.handicapIndex), input);
    return Number(round(multiply(exact, fraction(input.allowance, 100))));
  },
  strokesReceived: ({ handicap, strokeIndexes }) => deal(handicap, strokeIndexes),
  stablefordPoints: ({ par, strokesReceived, strokes: taken }) => {
    const overNet = taken - par - strokesReceived;
    return taken < 1 || overNet > 1 ? 0 : 2 - overNet;
  },
};

for await (const line of createInterface(process.stdin)) {
  const { id, function: name, input } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ id, value: rules[name]?.(input) })}\n`);
}
