/** A hole with everything that a score is calculated from. */
export interface PlayableHole {
  readonly number: number;
  readonly par: number;
  readonly index: number;
  /** Metres. */
  readonly length: number;
}

/** A tee over 18 holes with everything that a score is calculated from. */
export interface PlayableTee {
  readonly id: string;
  readonly name: string;
  readonly gender: number;
  /** Course Rating times 10,000. */
  readonly rating: number;
  readonly slope: number;
  readonly par: number;
  /** In playing order. */
  readonly holes: readonly PlayableHole[];
}

/** A tee as the union lists it. @see union-api, Tee */
interface ListedTee {
  readonly ID?: string | undefined;
  readonly Name: string;
  readonly Gender: number;
  readonly CourseRating: number | string;
  readonly SlopeRating: number;
  readonly Holes: readonly {
    readonly Number: number;
    readonly Par: number | null;
    readonly Index: number | null;
    readonly Length: number;
  }[];
}

/** Reads a tee; undefined if it does not have 18 holes or the register is incomplete. */
export function playableTee(tee: ListedTee): PlayableTee | undefined {
  const holes = tee.Holes.flatMap(({ Number: number, Par: par, Index: index, Length: length }) =>
    par !== null && par > 0 && index !== null ? [{ number, par, index, length }] : [],
  ).sort((one, other) => one.number - other.number);
  const rating = Number(tee.CourseRating);
  const isComplete =
    tee.Holes.length === 18 &&
    new Set(holes.map(({ index }) => index)).size === 18 &&
    Number.isInteger(rating) &&
    rating > 0 &&
    tee.SlopeRating > 0;
  if (tee.ID === undefined || !isComplete) return undefined;
  const par = holes.reduce((sum, hole) => sum + hole.par, 0);
  return { id: tee.ID, name: tee.Name, gender: tee.Gender, rating, slope: tee.SlopeRating, par, holes };
}

/** The tees of a version that can be played over 18 holes. */
export function playableTees({ Tees }: { readonly Tees: readonly ListedTee[] }): PlayableTee[] {
  return Tees.flatMap((tee) => playableTee(tee) ?? []);
}
