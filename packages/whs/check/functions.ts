import * as whs from "../index.ts";

interface Hole {
  readonly par: number;
  /** Null if the player has no Handicap Index. */
  readonly strokesReceived: number | null;
  readonly strokes: number;
}

interface Indexes {
  readonly indexes: readonly whs.DatedHandicapIndex[];
  readonly day: number;
}

/** What a rule gives: a figure with its working or without, one for each hole, or nothing. */
type Result = whs.Worked | number | readonly number[] | undefined;

/** The functions that vectors name: each takes one object, so that a program in any language can be asked the same. */
export const checkedFunctions = {
  netDoubleBogey: ({ par, strokesReceived }: Hole) => whs.netDoubleBogey(par, strokesReceived ?? undefined),
  countedStrokes: ({ par, strokesReceived, strokes }: Hole) =>
    whs.countedStrokes(par, strokesReceived ?? undefined, strokes),
  adjustedGrossScore: whs.adjustedGrossScore,
  scoreDifferential: whs.scoreDifferential,
  expectedScoreDifferential: whs.expectedScoreDifferential,
  shortRoundScoreDifferential: whs.shortRoundScoreDifferential,
  roundHalfUp: ({ numerator, denominator }: Pick<whs.ScoreDifferential, "numerator" | "denominator">) =>
    whs.roundHalfUp(numerator, denominator),
  handicapIndex: whs.handicapIndex,
  lowHandicapIndex: ({ indexes, day }: Indexes) => whs.lowHandicapIndex(indexes, day),
  capRise: whs.capRise,
  exceptionalScoreReduction: (input: whs.ScoreDifferentialFigures & { readonly handicapIndex: number }) =>
    whs.exceptionalScoreReduction(whs.scoreDifferential(input), input.handicapIndex),
  courseHandicap: whs.courseHandicap,
  nineHoleCourseHandicap: whs.nineHoleCourseHandicap,
  playingHandicap: whs.playingHandicap,
  strokesReceived: (input: { readonly handicap: number; readonly strokeIndexes: readonly number[] }) =>
    whs.strokesReceived(input.handicap, input.strokeIndexes),
  stablefordPoints: ({ par, strokesReceived, strokes }: Hole) =>
    whs.stablefordPoints(par, strokesReceived ?? 0, strokes),
} as const satisfies Readonly<Record<string, (input: never) => Result>>;

/** What the package makes of an input: the plain value, null if there is none, and its working if the rule has one. */
export function evaluate(
  name: string,
  input: unknown,
): { readonly value: unknown; readonly working?: string } {
  const rule = (checkedFunctions as Readonly<Record<string, (input: never) => Result>>)[name];
  if (rule === undefined) throw new Error(`No rule is called ${name}.`);
  const result = rule(input as never) ?? null;
  if (typeof result !== "object" || result === null || !("working" in result)) return { value: result };
  return { value: result.value, working: result.working() };
}
