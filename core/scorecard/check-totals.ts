import type { Findings } from "./findings.ts";
import type { CardReading } from "./read-card.ts";
import type { ReadableCard } from "./scorecard.ts";
import { sum, totalStrokes } from "./totals.ts";

/** Checks TotalStrokes against Strokes that have an entry for each hole. */
export function checkTotalStrokes({ Result }: ReadableCard, findings: Findings): void {
  const { Strokes: strokes, TotalStrokes: received } = Result;
  if (strokes === undefined) return;
  const of = strokes.includes(0) ? "Strokes with a hole picked up come" : "the Strokes come";
  checkTotal("/Result/TotalStrokes", of, totalStrokes(strokes), received, findings);
}

/**
 * Checks TotalPoints against the points of the holes.
 *
 * @param points of each hole; undefined where they are not known
 */
export function checkTotalPoints(
  { card: { Result }, unreadable }: CardReading,
  points: readonly number[] | undefined,
  findings: Findings,
): void {
  if (points === undefined || hasUnreadablePoints(unreadable)) return;
  const of = Result.Points ? "the Points come" : "the points of the holes come";
  checkTotal("/Result/TotalPoints", of, sum(points), Result.TotalPoints, findings);
}

function hasUnreadablePoints(unreadable: ReadonlySet<string>): boolean {
  for (const pointer of unreadable) if (pointer.startsWith("/Result/Points")) return true;
  return false;
}

/** Checks TeePar against the sum of the pars, where the register does not have the par of the tee. */
export function checkTotalPar({ Course }: ReadableCard, pars: readonly number[], findings: Findings): void {
  checkTotal("/Course/TeePar", "the pars of the holes come", sum(pars), Course.TeePar, findings);
}

function checkTotal(
  pointer: string,
  of: string,
  expected: number,
  received: number | undefined,
  findings: Findings,
): void {
  if (received === undefined || received === expected) return;
  const detail = `${pointer.slice(1)} is ${received}, but ${of} to ${expected}. Send ${expected}, or leave it out to have it filled in.`;
  findings.fault(pointer, "total_mismatch", detail, { expected, received });
}
