import { netDoubleBogey } from "@scorecard-pipeline/whs";
import type { CardCourse } from "./course-of-card.ts";
import { versionFacts } from "./course-versions.ts";
import type { Findings } from "./findings.ts";
import { unsetHolesRemedy } from "./holes-not-played.ts";
import {
  maxPointsOf,
  playedHoles,
  pointsOfHolesNotPlayed,
  type RoundScore,
  type RoundToScore,
  sum,
  totalStrokes,
} from "./score-round.ts";
import type { CardReading, ReadableCard } from "./scorecard.ts";
import {
  type CompleteHoles,
  isRepeated,
  isRoundLength,
  maxHoles,
  repeatedIndex,
  roundLengths,
  teeNumbers,
  unrankedHoles,
} from "./tee-numbers.ts";
import type { RegisteredTee } from "./tee-of-card.ts";

/**
 * Checks that Strokes and Points have one entry for each hole of the tee.
 *
 * @returns whether Strokes does; if not, other fields are not checked against it, because they may be right
 */
export function checkLists(reading: CardReading, course: CardCourse, findings: Findings): boolean {
  const { card, strokesSent, unreadable } = reading;
  const holes = holesToPlay(reading, course);
  const complete = holes === undefined ? isRoundLength(strokesSent) : strokesSent === holes;
  if (strokesSent !== undefined && !complete && !unreadable.has("/Result/Strokes")) {
    const expected = holes ?? "9 or 18";
    const detail = `${holesInWords(course, holes)}, but Strokes has ${strokesSent} entries. ${countRemedy(course, holes, strokesSent)}`;
    findings.fault("/Result/Strokes", "strokes_count", detail, { expected, received: strokesSent });
  }
  const { Points: points } = card.Result;
  const expected = holes ?? (complete ? strokesSent : undefined);
  if (points !== undefined && expected !== undefined && points.length !== expected) {
    const detail = `${holesInWords(course, expected)}, but Points has ${points.length} entries. Send one for each hole, or leave Points out to have it filled in.`;
    findings.fault("/Result/Points", "points_count", detail, { expected, received: points.length });
  }
  return complete;
}

/** What to send if Strokes has not one entry for each hole. @see Rules of Handicapping, 2.2 */
function countRemedy(course: CardCourse, holes: number | undefined, strokesSent: number): string {
  if (isOfOtherLength(course))
    return "No handicap is calculated from a round on a course of another length (Rules of Handicapping 2.2). If that course was played, do not send the card; nothing is to be corrected in it.";
  if (strokesSent <= (holes ?? maxHoles)) return "Send -1 for a hole that was not played.";
  const rounds = "Two rounds are two cards, each with its own StartTime.";
  if (holes === undefined || holes === maxHoles)
    return `Send one entry for each hole of the round. ${rounds}`;
  const longer = teesOfEighteen(course);
  const named = longer.length === 0 ? "" : `: ${longer.join(", ")}`;
  return `If eighteen holes were played, they are one round on one card: send the course and the tee of eighteen holes${named}. If nine were played, send 9 entries. ${rounds}`;
}

/**
 * Whether the course of a card has more than nine holes but not eighteen, and its register means that: no hole is missing. One of
 * eight holes is most likely one of nine.
 */
function isOfOtherLength(course: CardCourse): boolean {
  if (course.kind !== "union") return false;
  const { version, numbers } = course.tee;
  const { length } = numbers.holes;
  return length > 9 && !isRoundLength(length) && version.NumberOfHoles === length;
}

const maxNamedTees = 3;

/** The tees of eighteen holes that the course of a card has, too. */
function teesOfEighteen(course: CardCourse): string[] {
  const { tees } = course.kind === "union" ? versionFacts(course.tee.version) : { tees: [] };
  const long = tees.filter((tee) => teeNumbers(tee).holes.length === maxHoles);
  return long
    .slice(0, maxNamedTees)
    .map(({ ID, Name }) => (ID === undefined ? Name : `${Name} (TeeID ${ID})`));
}

/** How many holes the tee has, by the register or else by the card; undefined if neither lists 9 or 18. */
function holesToPlay({ card }: CardReading, course: CardCourse): number | undefined {
  const registered = course.kind === "union" ? course.tee.numbers.holes.length : undefined;
  return [registered, card.Course.Holes?.length].find(isRoundLength);
}

function holesInWords(course: CardCourse, holes: number | undefined): string {
  if (course.kind === "union" && isOfOtherLength(course))
    return `The course has ${course.tee.numbers.holes.length} holes, and a round has 9 or 18`;
  if (holes === undefined) return "A round has 9 or 18 holes";
  return course.kind === "union"
    ? `The tee ${course.tee.tee.Name} has ${holes} holes`
    : `The tee has ${holes} holes`;
}

/**
 * Checks HolesPlayed against Strokes that have an entry for each hole.
 *
 * @returns HolesPlayed; undefined if it is missing or at fault, or if no hole was played
 */
export function checkHolesPlayed(
  { card }: CardReading,
  course: CardCourse,
  findings: Findings,
): number | undefined {
  const { Strokes: strokes } = card.Result;
  const { HolesPlayed: length } = card.Round;
  if (strokes === undefined) return undefined;
  const played = playedHoles(strokes);
  if (played === 0) {
    const detail =
      "No hole was played: every entry of Strokes is -1. Send the strokes of the holes that were played; if there are none, send no card of the round.";
    findings.fault("/Result/Strokes", "no_hole_played", detail);
    return undefined;
  }
  if (length === undefined || (length >= played && length <= strokes.length)) return length;
  const tee = course.kind === "union" ? course.tee : undefined;
  reportLength(card, strokes, length, tee, findings);
  return undefined;
}

/** Reports HolesPlayed that Strokes contradict. Holes with 0 may not have been played, so they are named first, and not counted. */
function reportLength(
  card: ReadableCard,
  strokes: readonly number[],
  received: number,
  tee: RegisteredTee | undefined,
  findings: Findings,
): void {
  const pickedUp = strokes.filter((taken) => taken === 0).length;
  const played = playedHoles(strokes) - pickedUp;
  const isLength = received >= played && received <= strokes.length;
  const lengths = roundLengths.filter((holes) => holes >= played && holes <= strokes.length);
  const zeros = pickedUp === 1 ? "1 hole is 0: it counts" : `${pickedUp} holes are 0: they count`;
  const unset =
    pickedUp === 0
      ? ""
      : `${zeros} as picked up. ${unsetHolesRemedy(card, strokes, isLength ? received : (lengths[0] ?? 0), tee)} `;
  const remedy =
    pickedUp === 0
      ? `Send ${lengths.join(" or ")}.`
      : "If the ball was picked up, the hole belongs to the length of the round: correct HolesPlayed.";
  const without = pickedUp === 0 ? "are not -1" : "have strokes";
  const detail = `${unset}HolesPlayed is the length of the round: at least the ${played} holes that ${without}, at most the ${strokes.length} of the tee. ${remedy}`;
  const expected = played === strokes.length ? played : `${played} to ${strokes.length}`;
  const values = isLength ? { received } : { expected, received };
  findings.fault("/Round/HolesPlayed", "holes_played_mismatch", detail, values);
}

/**
 * Reports a stroke index that the card repeats, and a tee that is incomplete in the register.
 *
 * Holes of an unlisted course are left to `checkUnlistedCourse`.
 *
 * @param holes pars and stroke indexes of the round; undefined if they are incomplete
 */
export function checkHoles(
  { card }: CardReading,
  course: CardCourse,
  holes: CompleteHoles | undefined,
  findings: Findings,
): void {
  if (
    course.kind === "unlisted" ||
    (holes !== undefined && course.kind === "union" && course.tee.mismatches.length === 0)
  )
    return;
  const indexes = card.Course.Holes?.map(({ Index }) => Index) ?? [];
  if (course.kind === "unknown") {
    reportRepeatedIndex(indexes, findings);
    return;
  }
  const { mismatches, numbers } = course.tee;
  const { fault, indexes: registered } = numbers;
  const repeated = repeatedIndex(indexes);
  if (repeated !== undefined && !isRepeated(indexes[repeated], registered)) {
    // Consequential faults are not repeated: an index that differs from the register's has been reported.
    if (!mismatches.some(({ code }) => code === "hole_index_mismatch"))
      reportRepeatedIndex(indexes, findings);
  } else if (holes === undefined && isOfOtherLength(course)) {
    if (!findings.faults.some(({ code }) => code === "strokes_count")) {
      const detail = `${holesInWords(course, undefined)}. ${countRemedy(course, undefined, numbers.holes.length)}`;
      findings.fault("/Course", "course_register_incomplete", detail);
    }
  } else if (holes === undefined && fault !== undefined) {
    const uncounted =
      unrankedHoles(numbers) === undefined || card.Result.IsQualifying === false
        ? ""
        : " If the round does not count for handicapping, send IsQualifying false.";
    const detail = `The union's register is incomplete for the tee ${course.tee.tee.Name}: ${fault}. Its club has to complete it; nothing that was sent is to be corrected. Until then, send Course/Holes with ${isRoundLength(numbers.holes.length) ? "" : "9 or 18 holes, "}every Par and Index.${uncounted}`;
    const pointer = typeof card.Course.TeeID === "string" ? "/Course/TeeID" : "/Course/TeeName";
    findings.fault(pointer, "course_register_incomplete", detail);
  }
}

/** Reports the first stroke index that is on more than one hole of a card. */
export function reportRepeatedIndex(indexes: readonly (number | undefined)[], findings: Findings): void {
  const place = repeatedIndex(indexes);
  if (place === undefined) return;
  const detail = "A stroke index is on more than one hole. Give each hole its own.";
  findings.fault(`/Course/Holes/${place}/Index`, "stroke_index_repeated", detail, {
    received: indexes[place],
  });
}

/** A round with its score, where a card has all that scoring needs. */
export interface ScoredRound {
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
