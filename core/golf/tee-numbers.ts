import { readTenThousandths, type TenThousandths } from "../formats/ten-thousandths.ts";
import type { Hole, Tee } from "./course.ts";
import { figureWithin, holeBounds, isRoundLength, rankOf, repeatedIndex } from "./holes.ts";

/** The numbers of a tee in the register. The register is dirty: a value that is not a valid number is undefined. */
export interface TeeNumbers {
  /**
   * In order of their numbers, or as they are listed if one has none or two have the same: a loop of nine played
   * twice.
   */
  readonly holes: readonly Hole[];
  readonly numbers: readonly (number | undefined)[];
  readonly pars: readonly (number | undefined)[];
  readonly indexes: readonly (number | undefined)[];
  /** Sum of the pars; undefined if one is missing, or a hole. */
  readonly par: number | undefined;
  /** Course Rating times 10,000. */
  readonly rating: TenThousandths | undefined;
  readonly slope: number | undefined;
  /** Enough to score a round; undefined if the register is incomplete. */
  readonly complete: CompleteHoles | undefined;
  /** Why a round cannot be scored, in words; undefined if it can. */
  readonly fault: string | undefined;
}

/** Pars and stroke indexes of 9 or 18 holes. */
export interface CompleteHoles {
  readonly pars: readonly number[];
  readonly indexes: readonly number[];
  /** Rank of each hole by its stroke index, 0 the hardest. */
  readonly ranks: readonly number[];
}

const known = new WeakMap<Tee, TeeNumbers>();

/** Reads the numbers of a tee, once per tee. */
export function teeNumbers(tee: Tee): TeeNumbers {
  let numbers = known.get(tee);
  if (numbers === undefined) {
    numbers = readNumbers(tee);
    known.set(tee, numbers);
  }
  return numbers;
}

const positive = (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
const isKnown = (value: number | undefined) => value !== undefined;

function readNumbers(tee: Tee): TeeNumbers {
  const listed: unknown[] = Array.isArray(tee.Holes) ? tee.Holes : [];
  const holes = inOrder(listed.filter((hole): hole is Hole => typeof hole === "object" && hole !== null));
  const pars = holes.map((hole) => figureWithin(holeBounds.par, hole.Par));
  const indexes = holes.map((hole) => figureWithin(holeBounds.strokeIndex, hole.Index));
  const fault = faultOf(holes.length, pars, indexes);
  const complete =
    fault === undefined
      ? {
          pars: pars.filter(isKnown),
          indexes: indexes.filter(isKnown),
          ranks: rankOf(indexes.filter(isKnown)),
        }
      : undefined;
  return {
    holes,
    numbers: holes.map(numberOf),
    pars,
    indexes,
    par:
      isRoundLength(pars.length) && pars.every(isKnown) ? pars.reduce((sum, par) => sum + par, 0) : undefined,
    rating: positive(readTenThousandths(tee.CourseRating)) as TenThousandths | undefined,
    slope: positive(Number(tee.SlopeRating)),
    complete,
    fault,
  };
}

const numberOf = (hole: Hole) => figureWithin(holeBounds.number, hole.Number);

function inOrder(holes: readonly Hole[]): readonly Hole[] {
  const numbers = holes.map(numberOf).filter(isKnown);
  if (new Set(numbers).size < holes.length) return holes;
  return holes.toSorted((one, other) => one.Number - other.Number);
}

function faultOf(
  holes: number,
  pars: readonly (number | undefined)[],
  indexes: readonly (number | undefined)[],
): string | undefined {
  if (!isRoundLength(holes)) return `it has ${holes} holes, not 9 or 18`;
  const parless = pars.indexOf(undefined);
  if (parless !== -1) return `its ${ordinal(parless)} hole has no par`;
  const indexless = indexes.indexOf(undefined);
  if (indexless !== -1) return `its ${ordinal(indexless)} hole has no stroke index`;
  const repeated = repeatedIndex(indexes);
  if (repeated !== undefined) return `stroke index ${indexes[repeated]} is on more than one hole`;
  return undefined;
}

function ordinal(place: number): string {
  const suffix = { 1: "st", 2: "nd", 3: "rd" }[place + 1] ?? "th";
  return `${place + 1}${suffix}`;
}
