/** A whole number of any size over another above 0: nothing is rounded but where a rule says so. */
interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** To the nearest whole number, a half towards plus infinity. @see Rules of Handicapping, 5.1c */
function rounded({ over, under }: Fraction): number {
  const doubled = 2n * over + under;
  const down = doubled / (2n * under);
  return Number(doubled < 0n && down * 2n * under !== doubled ? down - 1n : down);
}

/** What the Course Handicap of a round is worked out from; ratings times 10,000. */
interface Rated {
  readonly index: number;
  readonly slope: number;
  readonly rating: number;
  readonly par: number;
  readonly holes: number;
}

/** Index x slope / 113 + rating - par; on nine holes with half the Index, to a tenth. @see Rules of Handicapping, 6.1 */
export function courseHandicapOf({ index, slope, rating, par, holes }: Rated): number {
  // Above 54.0, beginners play with the strokes of 54.0.
  const tenths = index > 540_000 ? 540n : BigInt(index) / 1_000n;
  const counted = holes === 9 ? BigInt(rounded({ over: tenths, under: 2n })) : tenths;
  const overPar = BigInt(rating) - BigInt(par) * 10_000n;
  return rounded({ over: counted * 1_000n * BigInt(slope) + overPar * 113n, under: 1_130_000n });
}

/** Deals strokes out one by one: the hardest hole first or, for a plus handicap, from the easiest back. */
function dealtStrokes(handicap: number, indexes: readonly number[]): number[] {
  const hardestFirst = [...indexes.keys()].sort((one, other) => (indexes[one] ?? 0) - (indexes[other] ?? 0));
  const order = handicap < 0 ? hardestFirst.toReversed() : hardestFirst;
  const received = indexes.map(() => 0);
  for (let stroke = 0; stroke < Math.abs(handicap); stroke++) {
    const hole = order[stroke % order.length] ?? 0;
    received[hole] = (received[hole] ?? 0) + Math.sign(handicap);
  }
  return received;
}

/** What a card of these holes must be filled in with. Strokes are dealt out on `dealtTo` only, places from 0. */
export function scoreOf(
  pars: readonly number[],
  indexes: readonly number[],
  strokes: readonly number[],
  dealtTo: readonly number[],
  handicaps: { readonly course: number; readonly playing: number },
) {
  const spread = (handicap: number) => {
    const dealt = dealtStrokes(
      handicap,
      dealtTo.map((place) => indexes[place] ?? 0),
    );
    return pars.map((_, place) => dealt[dealtTo.indexOf(place)] ?? 0);
  };
  const SPH = spread(handicaps.playing);
  const ofCourse = spread(handicaps.course);
  const Points = strokes.map((taken, place) => {
    if (taken < 1) return 0;
    const overNet = taken - (pars[place] ?? 0) - (SPH[place] ?? 0);
    return overNet > 1 ? 0 : 2 - overNet;
  });
  const counted = strokes.map((taken, place) => {
    const par = pars[place] ?? 0;
    const most = Math.min(par + 5, par + 2 + (ofCourse[place] ?? 0));
    if (taken === -1) return 0;
    return taken === 0 || taken > most ? most : taken;
  });
  const total = (list: readonly number[]) => list.reduce((sum, entry) => sum + entry, 0);
  return {
    SPH,
    Points,
    TotalPoints: total(Points),
    TotalStrokes: strokes.includes(0) ? 0 : total(strokes.filter((taken) => taken > 0)),
    adjustedGross: total(counted),
  };
}
