import type { CompleteHoles } from "../course/tee-numbers.ts";
import { stablefordPoints } from "./rules/stableford.ts";
import type { ReadableCard } from "./schema.ts";
import { sum } from "./totals.ts";
import type { WorkedOut } from "./work-out.ts";

/**
 * The points of each hole: the card's own or, where it has none, those off the Playing Handicap.
 *
 * A vendor may allocate strokes in another way and send SPH and TotalPoints, but no Points. Then the points are those
 * by SPH, if they come to TotalPoints.
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
