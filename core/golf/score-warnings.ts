import { netDoubleBogey, standardSlope } from "@scorecard-pipeline/whs";
import { oneStroke } from "../formats/ten-thousandths.ts";
import type { AssessedCard, FieldCard } from "./assessed-card.ts";
import type { Finding, Findings } from "./findings.ts";
import { handicapsByRule } from "./handicaps.ts";
import {
  type Allocation,
  nineOfEighteen,
  pointsOfHolesNotPlayed,
  type RoundToScore,
  scoreRound,
  sum,
  totalStrokes,
} from "./score-round.ts";
import type { CardHole, Scorecard } from "./scorecard.ts";
import { maxHoles } from "./tee-numbers.ts";

/** No hole counts more than par + 5 for handicapping, so more strokes make no difference. */
const maxStrokes = 20;
/** The best rounds of professionals are 55 and 16 under par. */
const maxUnderPar = 16;
/** Two holes in one in a round are a record. */
const maxHolesInOne = 2;

/** The most that a form has on every hole by itself. */
const maxDefault = 9;

/** What a list of strokes is that is none: another column of the card, or a form's default. */
function otherListOf(strokes: readonly number[], indexes: readonly number[]): string | undefined {
  if (sameList(strokes, indexes)) return "the stroke indexes of the holes";
  if (strokes.every((taken, hole) => taken === hole + 1)) return "the numbers of the holes";
  const [first = 0] = strokes;
  const isDefault = first > 0 && first <= maxDefault && strokes.length === maxHoles;
  const isOneNumber = isDefault && strokes.every((taken) => taken === first);
  return isOneNumber ? `${first} on every hole` : undefined;
}

/** Warns of strokes that nobody has taken: they are most likely mistyped. */
export function warnOfStrokes({ filled, round }: AssessedCard, findings: Findings): void {
  const { Result, Course } = filled;
  const other = otherListOf(round.strokes, round.holes.indexes);
  if (other !== undefined) {
    const detail = `Strokes are ${other}. Send the strokes that were taken; if these were, nothing is to be corrected.`;
    findings.warn("/Result/Strokes", "strokes_unlikely", detail);
    return;
  }
  const { Strokes: strokes } = Result;
  let total = 0;
  let inOne = 0;
  let received = 0;
  for (const taken of strokes) {
    if (taken > 0) total += taken;
    if (taken === 1) inOne++;
    if (taken > received) received = taken;
  }
  // Nearly all cards end here: no more can be under par than the tee's par less all strokes.
  if (received <= maxStrokes && inOne <= maxHolesInOne && (Course.TeePar ?? 0) - total <= maxUnderPar) return;
  const pars = strokes.map((taken, hole) => (taken > 0 ? (Course.Holes?.[hole]?.Par ?? taken) : 0));
  const underPar = sum(pars) - total;
  if (received > maxStrokes) {
    const most = strokes.indexOf(received);
    const detail =
      "The strokes of a hole are more than 20. Send the strokes that were taken, or 0 if the ball was picked up; if they were taken, nothing is to be corrected.";
    findings.warn(`/Result/Strokes/${most}`, "strokes_unlikely", detail, { received });
  } else if (underPar > maxUnderPar || inOne > maxHolesInOne) {
    const detail = `The round is ${underPar} under par with ${inOne} holes in one; nobody has played so well. Send the strokes that were taken; 0 stands for a ball that was picked up, -1 for a hole that was not played.`;
    findings.warn("/Result/Strokes", "strokes_unlikely", detail);
  }
}

/** Warns of totals that a round may have, but that the holes do not come to as they are counted here. */
export function warnOfTotals({ sent, score, allocation }: AssessedCard, findings: Findings): void {
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

function sameList(one: readonly number[], other: readonly number[]): boolean {
  let place = 0;
  for (const entry of one) if (entry !== other[place++]) return false;
  return place === other.length;
}

/** Whether a card's holes have other strokes received; a hole without SPH has none to compare. */
function haveOtherStrokes(holes: readonly CardHole[], strokes: readonly number[]): boolean {
  let hole = 0;
  for (const { SPH = strokes[hole] } of holes) if (SPH !== strokes[hole++]) return true;
  return false;
}

/**
 * Warns of strokes received that the Playing Handicap does not give by our reading of the rules. It is no fault, because vendors
 * read them differently: strokes on nine holes, for instance, are allocated in two ways.
 */
export function warnOfStrokesReceived({ sent, allocation }: AssessedCard, findings: Findings): void {
  const { Holes } = sent.Course;
  const { ruled: expected } = allocation;
  if (Holes === undefined || !haveOtherStrokes(Holes, expected)) return;
  const received = Holes.map(({ SPH }) => SPH);
  const detail =
    "SPH are not the strokes that the Playing Handicap gives by the stroke indexes. They are passed on as sent. Send those that are expected, or leave SPH out; if the format allocates strokes in another way, nothing is to be corrected.";
  findings.warn("/Course/Holes", "strokes_received_differ", detail, { expected, received });
}

/** Warns of points that Strokes and the Playing Handicap do not come to. */
export function warnOfPoints({ sent, score }: AssessedCard, findings: Findings): void {
  const { Points: received, TotalPoints } = sent.Result;
  const { points: expected } = score;
  if (received === undefined || sameList(received, expected)) return;
  const total = TotalPoints === undefined ? "" : `, with TotalPoints ${sum(expected)}`;
  const detail = `Points are not what Strokes and the Playing Handicap come to. They are passed on as sent. Send those that are expected${total}, or leave Points out; if the format counts points in another way, nothing is to be corrected.`;
  findings.warn("/Result/Points", "points_differ", detail, { expected, received });
}

/**
 * Warns of NetDoubleBogeyGross: of another one if all holes of the round were played, else of one that no round gives. Each
 * hole that was not played counts a stroke at least, and net double bogey at most.
 */
export function warnOfGross({ sent, filled, score }: AssessedCard, findings: Findings): void {
  if (sent.Result.NetDoubleBogeyGross === undefined) return;
  const { Result, Course, Round } = filled;
  const { NetDoubleBogeyGross: received, Strokes: strokes } = Result;
  const pointer = "/Result/NetDoubleBogeyGross";
  const { netDoubleBogeyGross: expected } = score;
  if (expected === received) return;
  if (expected !== undefined) {
    const detail = `NetDoubleBogeyGross is not what Strokes and the Course Handicap come to. It is passed on as sent. Send ${expected}, or leave it out to have it filled in.`;
    findings.warn(pointer, "net_double_bogey_differs", detail, { expected, received });
    return;
  }
  const nine = nineOfEighteen(strokes, Round.HolesPlayed);
  const others = strokes.flatMap((taken, hole) => {
    const par = Course.Holes?.[hole]?.Par;
    const isLeftOut = taken === -1 && nine?.includes(hole) !== false && par !== undefined;
    return isLeftOut ? [netDoubleBogey(par, score.courseStrokes[hole])] : [];
  });
  const { gross } = score;
  const [least, most] = [gross + others.length, gross + sum(others)];
  if (Number(received) >= least && Number(received) <= most) return;
  const detail = `NetDoubleBogeyGross is of all holes of the round, but ${others.length} of them were not played: the others count ${gross}, so it is from ${least} to ${most}. It is passed on as sent. Leave it out: the union calculates it.`;
  findings.warn(pointer, "net_double_bogey_differs", detail, { expected: `${least} to ${most}`, received });
}

/** Strokes below the Handicap Index from which on the union lowers that by two at once. @see Rules of Handicapping, 5.9 */
const exceptional = 10;
/** Beginners, who improve fast, have this Handicap Index or more. */
const beginner = 54 * oneStroke;

/**
 * By how many strokes a round is better than its player's Handicap Index: that less the Score Differential, which is not rounded.
 * Nine holes count twice, as half of the index is compared with them.
 *
 * @param gross Adjusted Gross Score of the round
 * @returns 0 if a figure is not known
 * @see Rules of Handicapping, 5.1 and 5.9
 */
function strokesBetter(
  { handicaps: { figures }, round }: Pick<AssessedCard, "handicaps" | "round">,
  gross: number | undefined,
): number {
  if (gross === undefined || figures === undefined) return 0;
  const { handicapIndex, rating, slope } = figures;
  const times = round.holesPlayed === 9 ? 2 : 1;
  // Whole numbers, so that ten strokes are ten: the quotient is exact to its last digit.
  const better = handicapIndex * slope - times * standardSlope * (gross * oneStroke - rating);
  return better / (slope * oneStroke);
}

/** Whether a round that counts is so much better than its player's Handicap Index that it is most likely not the player's. */
function isExceptional(
  card: Pick<AssessedCard, "filled" | "handicaps" | "round">,
  gross: number | undefined,
): boolean {
  const { HCP, Result } = card.filled;
  return Result.IsQualifying && Number(HCP) < beginner && strokesBetter(card, gross) >= exceptional;
}

/** Warns of a score that is exceptional by the rule, of another player or row, or net; not of one whose strokes nobody has taken. */
export function warnOfExceptional(card: AssessedCard, findings: Findings): void {
  const { netDoubleBogeyGross: gross } = card.score;
  if (!isExceptional(card, gross) || findings.warnings.some(({ code }) => code === "strokes_unlikely"))
    return;
  const better = strokesBetter(card, gross);
  const nine = card.round.holesPlayed === 9 ? ", counted for eighteen holes" : "";
  const detail = `The round is ${better.toFixed(1)} strokes better than the player's Handicap Index${nine}. The union lowers that by 2.0 at once, besides what the score does to it (Rules of Handicapping 5.9). Compare the card with the scorecard: is it this player's, are Strokes gross, without strokes received taken off, and do they stand in the right row? If they are right, nothing is to be corrected.`;
  findings.warn("/Result/Strokes", "score_exceptional", detail);
}

/** Rows by which a column of a table is shifted, at most. */
const maxShift = 5;
/** So many exceptional scores of a field, and such a share of it, are hardly all right. */
const minExceptional = 3;
const minShare = 0.05;

/** How many cards of a field are exceptional if each has the strokes of the card so many rows further down. */
function countExceptional(field: readonly FieldCard[], shift: number): number {
  const strokesOf = new Map(field.map(({ index, round }) => [index, round.strokes]));
  return field.filter(({ index, card, tee, round }) => {
    const strokes = strokesOf.get(index + shift);
    if (strokes?.length !== round.strokes.length) return false;
    const shifted: RoundToScore = { ...round, strokes };
    const handicaps = handicapsByRule(card, tee);
    return isExceptional({ filled: card, handicaps, round }, scoreRound(shifted).netDoubleBogeyGross);
  }).length;
}

/** The one shift of rows after which nearly no score of a field is exceptional; undefined if none or several explain them. */
function findShift(field: readonly FieldCard[], exceptional: number): number | undefined {
  const shifts = Array.from({ length: maxShift }, (_, place) => [place + 1, -place - 1]).flat();
  const [best, next] = shifts
    .map((shift) => ({ shift, count: countExceptional(field, shift) }))
    .toSorted((one, other) => one.count - other.count);
  if (best === undefined || next === undefined || field.length <= 2 * maxShift) return undefined;
  return 4 * best.count <= exceptional && best.count < next.count ? best.shift : undefined;
}

/** Whether a warning says that a score is exceptional. */
export const isExceptionalScore = ({ code }: Finding): boolean => code === "score_exceptional";

/**
 * Says of the exceptional scores of one field, of one course and day, that its rows may be shifted, and by how many if one shift
 * explains them.
 */
export function warnOfShiftedRows(cards: readonly FieldCard[]): void {
  const fields = Map.groupBy(
    cards,
    ({ card: { Course, Round } }) => `${Course.CourseID ?? Course.Name} ${Round.StartTime.slice(0, 8)}`,
  );
  for (const field of fields.values()) {
    const told = field.filter(({ findings }) => findings.warnings.some(isExceptionalScore));
    if (told.length < minExceptional || told.length < minShare * field.length) continue;
    const shift = shiftInWords(findShift(field, told.length));
    const cause = `${told.length} of the ${field.length} cards of this course and day are exceptional: ${shift}.`;
    for (const { findings } of told)
      for (const [place, finding] of findings.warnings.entries())
        if (isExceptionalScore(finding))
          findings.warnings[place] = { ...finding, detail: `${finding.detail} ${cause}` };
  }
}

function shiftInWords(shift: number | undefined): string {
  if (shift === undefined) return "the rows of names and strokes may be shifted against each other";
  const rows = `${Math.abs(shift)} ${Math.abs(shift) === 1 ? "row" : "rows"}`;
  return `with the strokes of the card ${rows} ${shift > 0 ? "further down" : "further up"} in place of each card's own they would not be, so Strokes are most likely shifted by ${rows}`;
}
