import type { CompleteHoles } from "../course/tee-numbers.ts";
import type { Findings } from "./findings.ts";
import { stablefordPoints } from "./rules/stableford.ts";
import type { ReadableCard } from "./schema.ts";
import type { WorkedOut } from "./work-out.ts";

/** The sum of a list. */
export function sum(list: readonly number[]): number {
  let total = 0;
  for (const entry of list) total += entry;
  return total;
}

/** What Strokes come to: holes not played do not count. @see union-api, Scorecard.Result: 0 after any pick-up */
export function totalStrokes(strokes: readonly number[]): number {
  return strokes.includes(0) ? 0 : sum(strokes.filter((taken) => taken > 0));
}

/**
 * The points of each hole: the card's own or, where it has none, those off the Playing Handicap.
 *
 * A card may allocate the strokes in another way and send SPH and TotalPoints, but no Points. Then they are what
 * makes the card agree with itself.
 */
export function pointsOf(
  { Course, Result }: ReadableCard,
  holes: CompleteHoles,
  worked: WorkedOut,
): readonly number[] {
  const { Points, TotalPoints, Strokes: strokes = [] } = Result;
  if (Points !== undefined) return Points;
  if (TotalPoints === undefined || TotalPoints === sum(worked.points)) return worked.points;
  const points = holes.pars.map((par, hole) => {
    const received = Course.Holes?.[hole]?.SPH ?? worked.playingStrokes[hole] ?? 0;
    return stablefordPoints(par, received, strokes[hole] ?? -1);
  });
  return sum(points) === TotalPoints ? points : worked.points;
}

/**
 * Checks the totals that a card brings against what it is to be the total of.
 *
 * @param points of each hole; undefined where they are not known
 * @param pars of each hole on a course whose total par the register does not say
 */
export function checkTotals(
  { Course, Result }: ReadableCard,
  points: readonly number[] | undefined,
  pars: readonly number[] | undefined,
  findings: Findings,
): void {
  const check = (pointer: string, of: string, expected: number | undefined, received: number | undefined) => {
    if (received === undefined || expected === undefined || received === expected) return;
    const detail = `${pointer.slice(1)} is ${received}, but ${of} come to ${expected}. Send ${expected}, or leave it out to have it filled in.`;
    findings.fault(pointer, "total_mismatch", detail, { expected, received });
  };
  check(
    "/Result/TotalStrokes",
    strokesInWords(Result.Strokes),
    Result.Strokes && totalStrokes(Result.Strokes),
    Result.TotalStrokes,
  );
  check(
    "/Result/TotalPoints",
    Result.Points ? "the Points" : "the points of the holes",
    points && sum(points),
    Result.TotalPoints,
  );
  check("/Course/TeePar", "the pars of the holes", pars && sum(pars), Course.TeePar);
}

const strokesInWords = (strokes: readonly number[] | undefined) =>
  strokes?.includes(0) ? "Strokes with a hole picked up" : "the Strokes";
