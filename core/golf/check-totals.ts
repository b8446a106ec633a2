import type { Findings } from "./findings.ts";
import type { CardReading } from "./read-card.ts";
import { netDoubleBogey } from "./rules/holes.ts";
import {
  type Allocation,
  maxPointsOf,
  pointsOfHolesNotPlayed,
  type RoundScore,
  type RoundToScore,
  sum,
  totalStrokes,
} from "./score-round.ts";
import type { ReadableCard, Scorecard } from "./scorecard.ts";

/** A round with its score, where a card has all that scoring needs. */
interface ScoredRound {
  readonly round: RoundToScore;
  readonly score: RoundScore;
}

/** The most that a hole counts if its par is not known. */
const maxStrokesOfHole = 10;

/**
 * The sums that TotalStrokes may be if holes have no strokes: of the other holes, and of all with net double bogey. Some vendors
 * count such holes with net par or net double bogey.
 *
 * @returns undefined if every hole has strokes
 */
function strokesBounds(
  strokes: readonly number[],
  scored: ScoredRound | undefined,
): readonly [least: number, most: number] | undefined {
  let least = 0;
  let unset = 0;
  let hole = 0;
  for (const taken of strokes) {
    const par = scored?.round.holes.pars[hole];
    if (taken > 0) least += taken;
    else
      unset += par === undefined ? maxStrokesOfHole : netDoubleBogey(par, scored?.score.courseStrokes[hole]);
    hole++;
  }
  return unset === 0 ? undefined : [least, least + unset];
}

/**
 * Checks TotalStrokes against Strokes that have an entry for each hole. It is a fault if no round has that total: if every hole
 * has strokes, there is one only.
 */
export function checkTotalStrokes(
  { Result }: ReadableCard,
  scored: ScoredRound | undefined,
  findings: Findings,
): void {
  const { Strokes: strokes, TotalStrokes: received } = Result;
  if (strokes === undefined || received === undefined) return;
  const expected = totalStrokes(strokes);
  if (received === expected) return;
  const bounds = strokesBounds(strokes, scored);
  if (bounds === undefined) {
    reportTotal("/Result/TotalStrokes", "the Strokes come", expected, received, findings);
    return;
  }
  const [least, most] = bounds;
  if (received === 0 || (received >= least && received <= most)) return;
  const of = `the holes with strokes come to ${least}, with the others to ${most} at most; after a hole picked up it is 0, so Strokes come`;
  reportTotal("/Result/TotalStrokes", of, expected, received, findings);
}

/**
 * Checks TotalPoints. It is a fault if no round has that total: if holes were not played, others may count up to net par for them, and
 * without Points there may be another Playing Handicap.
 */
export function checkTotalPoints(
  { card: { Result }, unreadable }: CardReading,
  scored: ScoredRound | undefined,
  findings: Findings,
): void {
  const { Points: points, TotalPoints: received, Strokes: strokes = [] } = Result;
  if (received === undefined || hasUnreadablePoints(unreadable)) return;
  const others = pointsOfHolesNotPlayed(strokes);
  if (points !== undefined) {
    const expected = sum(points);
    if (received >= expected && received <= expected + others) return;
    reportTotal("/Result/TotalPoints", "the Points come", expected, received, findings);
  } else if (scored !== undefined && received > sum(scored.score.points)) {
    const most = maxPointsOf(scored.round) + others;
    const of = `no Playing Handicap gives more than ${most} for these Strokes, and with the card's they come`;
    if (received > most) reportTotal("/Result/TotalPoints", of, sum(scored.score.points), received, findings);
  }
}

function hasUnreadablePoints(unreadable: ReadonlySet<string>): boolean {
  for (const pointer of unreadable) if (pointer.startsWith("/Result/Points")) return true;
  return false;
}

/** Checks TeePar against the sum of the pars. If the register has the tee's par, TeePar is compared with that instead. */
export function checkTotalPar({ Course }: ReadableCard, pars: readonly number[], findings: Findings): void {
  const [expected, received] = [sum(pars), Course.TeePar];
  if (received !== undefined && received !== expected)
    reportTotal("/Course/TeePar", "the pars of the holes come", expected, received, findings);
}

function reportTotal(
  pointer: string,
  of: string,
  expected: number,
  received: number,
  findings: Findings,
): void {
  const detail = `${pointer.slice(1)} is ${received}, but ${of} to ${expected}. Send ${expected}, or leave it out to have it filled in.`;
  findings.fault(pointer, "total_mismatch", detail, { expected, received });
}

/**
 * Warns of totals that a round may have, but that the holes do not come to as they are counted here.
 *
 * @param sent as it came, without a fault
 */
export function warnOfTotals(
  sent: Scorecard,
  score: RoundScore,
  allocation: Allocation,
  findings: Findings,
): void {
  const { Strokes: strokes, TotalStrokes, TotalPoints: received, Points = score.points } = sent.Result;
  const counted = totalStrokes(strokes);
  if (TotalStrokes !== undefined && TotalStrokes !== counted) {
    const detail = `TotalStrokes is the sum over the holes that were played, here ${counted}; after a hole picked up it is 0. It is passed on as sent. Send ${counted}, or leave it out; if the format counts holes without strokes in another way, nothing is to be corrected.`;
    const values = { expected: counted, received: TotalStrokes };
    findings.warn("/Result/TotalStrokes", "total_strokes_differ", detail, values);
  }
  const expected = sum(Points);
  if (received === undefined || received === expected) return;
  const detail = `TotalPoints is ${received}, but ${pointsInWords(sent, expected, received, allocation)}`;
  findings.warn("/Result/TotalPoints", "points_differ", detail, { expected, received });
}

function pointsInWords(
  { PHCP, CourseHandicap, Result }: Scorecard,
  expected: number,
  received: number,
  { handicap }: Allocation,
): string {
  const remedy = `Send ${expected}, or leave TotalPoints out`;
  if (Result.Points !== undefined || received === expected + pointsOfHolesNotPlayed(Result.Strokes))
    return `the holes that were played have ${expected} points. It is passed on as sent. ${remedy}; if the format gives points for holes that were not played, nothing is to be corrected.`;
  if (PHCP !== undefined)
    return `Strokes and PHCP come to ${expected}. Both are passed on as sent; SPH, if left out, are filled in by PHCP, and Points to add up to TotalPoints. If the format has another Playing Handicap, correct PHCP; if not, ${remedy.toLowerCase().replace("totalpoints", "TotalPoints")}.`;
  if (handicap !== CourseHandicap)
    return `Strokes and the Course Handicap come to ${expected}. A Playing Handicap of ${handicap} gives ${received}: PHCP, Points and SPH are filled in by that. If that is the format's, send it as PHCP. If not, send the format's; if it has no Stableford points, leave TotalPoints out.`;
  return `Strokes and the Course Handicap come to ${expected}. It is passed on as sent; Points are filled in to add up to it. If the format has another Playing Handicap, send it as PHCP; if it has no Stableford points, leave TotalPoints out. Otherwise send ${expected}.`;
}
