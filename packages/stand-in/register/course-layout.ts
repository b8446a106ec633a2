import type { SeededRandom } from "../base/seeded-random.ts";

/** A hole before tees and ratings. */
export interface LaidOutHole {
  /** Official number, from 1. */
  readonly number: number;
  readonly par: number;
  /** Stroke index; null if there is none. */
  readonly index: number | null;
  /** Metres from the men's standard tee. */
  readonly length: number;
}

const ninesByPar = {
  34: [3, 3, 3, 4, 4, 4, 4, 4, 5],
  35: [3, 3, 4, 4, 4, 4, 4, 4, 5],
  36: [3, 3, 4, 4, 4, 4, 4, 5, 5],
  37: [3, 3, 4, 4, 4, 4, 5, 5, 5],
} as const;

type NinePar = keyof typeof ninesByPar;

/** Pars of the two nines of a course, and how usual they are: 69 to 73 together. */
const parsOfNines: readonly (readonly [value: readonly [NinePar, NinePar], weight: number])[] = [
  [[34, 35], 2],
  [[35, 35], 6],
  [[36, 34], 3],
  [[35, 36], 7],
  [[36, 35], 7],
  [[36, 36], 16],
  [[36, 37], 3],
  [[37, 36], 2],
];

/** Metres from the men's standard tee, by par. */
const lengths: Readonly<Record<number, { mean: number; deviation: number; least: number; most: number }>> = {
  3: { mean: 150, deviation: 18, least: 115, most: 188 },
  4: { mean: 350, deviation: 28, least: 285, most: 405 },
  5: { mean: 470, deviation: 20, least: 430, most: 512 },
};

function drawLength(par: number, random: SeededRandom): number {
  const { mean = 0, deviation = 0, least = 0, most = 0 } = lengths[par] ?? {};
  return Math.round(Math.min(most, Math.max(least, random.around(mean, deviation))));
}

/** Difficulty compared with other holes: a hole that is long for its par is hard, a par 3 seldom is. */
function difficulty(par: number, length: number, random: SeededRandom): number {
  const { mean = 0, deviation = 1 } = lengths[par] ?? {};
  const byPar = par === 3 ? -1.2 : par === 4 ? 0.4 : 0;
  return (length - mean) / deviation + byPar + random.around(0, 0.6);
}

/** No course begins with a par 3, or has two par 3s or two par 5s in a row. */
function isPlayable(pars: readonly number[]): boolean {
  return pars[0] !== 3 && pars.every((par, hole) => par === 4 || par !== pars[hole + 1]);
}

function parsInOrder(parOfNine: NinePar, random: SeededRandom): number[] {
  let pars: number[];
  do pars = random.shuffled<number>(ninesByPar[parOfNine]);
  while (!isPlayable(pars));
  return pars;
}

/**
 * Nine holes with their stroke indexes.
 *
 * @param from number of the first hole
 * @param indexOf stroke index by rank within the nine, 0 the hardest
 */
function layOutNine(
  parOfNine: NinePar,
  from: number,
  indexOf: (rank: number) => number,
  random: SeededRandom,
): LaidOutHole[] {
  const holes = parsInOrder(parOfNine, random).map((par) => {
    const length = drawLength(par, random);
    return { par, length, difficulty: difficulty(par, length, random) };
  });
  return holes.map(({ par, length, difficulty: own }, hole) => ({
    number: from + hole,
    par,
    index: indexOf(holes.filter((other) => other.difficulty > own).length),
    length,
  }));
}

const odd = (rank: number) => 2 * rank + 1;
const even = (rank: number) => 2 * rank + 2;

/** Lays out 18 holes: par 69 to 73, odd stroke indexes on one nine and even ones on the other. */
export function layOutEighteen(random: SeededRandom): LaidOutHole[] {
  const [out, home] = random.weighted(parsOfNines);
  const [first, second] = random.chance(0.6) ? [odd, even] : [even, odd];
  return [...layOutNine(out, 1, first, random), ...layOutNine(home, 10, second, random)];
}

/** Lays out nine holes of par 34 to 37, with the stroke indexes 1 to 9 or the odd ones to 17. */
export function layOutNineHoles(random: SeededRandom): LaidOutHole[] {
  const par = random.weighted<NinePar>([
    [34, 2],
    [35, 3],
    [36, 4],
    [37, 1],
  ]);
  return layOutNine(par, 1, random.chance(0.5) ? odd : (rank) => rank + 1, random);
}

/** Lays out a practice loop of nine short holes without stroke indexes. */
export function layOutPracticeLoop(random: SeededRandom): LaidOutHole[] {
  return Array.from({ length: 9 }, (_, hole) => ({
    number: hole + 1,
    par: 3,
    index: null,
    length: random.whole(62, 128),
  }));
}
