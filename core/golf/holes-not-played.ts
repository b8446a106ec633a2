import type { AssessedCard } from "./assessed-card.ts";
import type { Findings } from "./findings.ts";
import { isHalf, nineHoleHandicaps, teesOfNine } from "./handicaps.ts";
import { isNineOfEighteen, nineOfEighteen, playedHoles } from "./score-round.ts";
import type { ReadableCard, Scorecard } from "./scorecard.ts";
import { maxHoles } from "./tee-numbers.ts";
import type { RegisteredTee } from "./tee-of-card.ts";

/**
 * The places of the first or the last nine of eighteen holes, if the other nine have no score: neither picked up nor not played
 * says that they were played.
 */
function halfWithScores(strokes: readonly number[]): readonly number[] | undefined {
  if (strokes.length !== maxHoles) return undefined;
  const [front, back] = [strokes.slice(0, 9), strokes.slice(9)];
  const hasScore = (half: readonly number[]) => half.some((taken) => taken > 0);
  if (hasScore(front) === hasScore(back)) return undefined;
  const [half, first] = hasScore(front) ? [front, 0] : [back, 9];
  return half.includes(-1) ? undefined : half.map((_, place) => first + place);
}

/**
 * What to send if only one half of eighteen holes was played: the card of nine holes. If the nine have no rating, that card
 * brings another warning, so the text says what the card has, and not to send it.
 *
 * @param nine places of the holes that were played, from 0
 */
function nineHoleRemedy(card: ReadableCard, tee: RegisteredTee | undefined, nine: readonly number[]): string {
  const handicaps = nineHoleHandicaps(card, tee, nine);
  const [half, others] = nine[0] === 0 ? ["first", "10 to 18"] : ["last", "1 to 9"];
  const only = `If only the ${half} nine holes were played,`;
  const derived = (["TotalPoints", "TotalStrokes", "Points", "NetDoubleBogeyGross"] as const).filter(
    (name) => card.Result[name] !== undefined,
  );
  const left = [...(card.PHCP === undefined ? [] : ["PHCP"]), ...derived];
  const leave = left.length === 0 ? "" : ` Leave ${left.join(", ")} out to have them filled in.`;
  const [ruled] = handicaps.ruled;
  if (ruled !== undefined)
    return `${only} send HolesPlayed 9, Strokes with -1 for holes ${others}, and CourseHandicap ${ruled}.${leave}`;
  const about = handicaps.ofEighteen === undefined ? "" : `, about ${handicaps.ofEighteen.estimate}`;
  return `${only} the card is one of nine holes: HolesPlayed is 9, Strokes are -1 for holes ${others}, and CourseHandicap is that of nine holes${about}.${leave}`;
}

/** How many holes at the end of a round are hardly all picked up: apps write 0 for holes that were not played. */
const minPickedUpAtEnd = 5;

const isPickedUp = (taken: number) => taken === 0;

/** The places of the last holes that were begun, if all of them are 0. */
function pickedUpAtEnd(strokes: readonly number[]): number[] {
  const last = strokes.findLastIndex((taken) => taken !== -1);
  const before = strokes.findLastIndex((taken, place) => place <= last && taken !== 0);
  return Array.from({ length: last - before }, (_, place) => before + 1 + place);
}

/** Whether so many holes are 0 that they were hardly all picked up: half of the round, the last five, or all. */
function arePickedUpMany(strokes: readonly number[], holesPlayed: number): boolean {
  const pickedUp = strokes.filter(isPickedUp).length;
  const isHalfOfRound = pickedUp > 0 && (2 * pickedUp >= holesPlayed || pickedUp === playedHoles(strokes));
  return isHalfOfRound || pickedUpAtEnd(strokes).length >= minPickedUpAtEnd;
}

/**
 * The places of holes that are -1 between holes that were played. A round of fewer holes may begin at any hole, so one gap
 * is none if HolesPlayed leaves it out, too. In a round of nine of eighteen holes only a half has an order.
 */
function skippedHoles(strokes: readonly number[], holesPlayed: number): number[] {
  if (!strokes.includes(-1)) return [];
  const nine = nineOfEighteen(strokes, holesPlayed);
  if (isNineOfEighteen(strokes, holesPlayed) && (nine === undefined || !isHalf(nine))) return [];
  const places = nine ?? [...strokes.keys()];
  const played = places.filter((place) => strokes[place] !== -1);
  const [first = 0, last = 0] = [played[0], played.at(-1)];
  const skipped = places.filter((place) => place > first && place < last && strokes[place] === -1);
  const isOneGap =
    skipped.length + played.length === places.length &&
    (skipped.at(-1) ?? 0) - (skipped[0] ?? 0) < skipped.length;
  return isOneGap && played.length === holesPlayed ? [] : skipped;
}

/** How many holes a round must have to count: ten of eighteen, or all of nine. @see Rules of Handicapping, 2.2 */
const holesToQualify = (holesPlayed: number) => (holesPlayed > 9 ? 10 : 9);

/** Whether a round with these strokes would be accepted without a word about its holes. */
function isWhole(strokes: readonly number[], holesPlayed: number, isQualifying: boolean): boolean {
  return (
    (!isQualifying || playedHoles(strokes) >= holesToQualify(holesPlayed)) &&
    (!isQualifying || !isNineOfEighteen(strokes, holesPlayed)) &&
    skippedHoles(strokes, holesPlayed).length === 0 &&
    !arePickedUpMany(strokes, holesPlayed)
  );
}

const named = (places: readonly number[]): string => {
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  if (places.length > 2 && last - first === places.length - 1) return `holes ${first + 1} to ${last + 1}`;
  const numbers = places.map((place) => place + 1);
  return `${places.length === 1 ? "hole" : "holes"} ${numbers.join(", ")}`;
};

/**
 * What to do if holes are 0 that may not have been played. A length of the round that counts them is never proposed, and
 * nothing is that would bring another warning.
 *
 * @param holesPlayed HolesPlayed, or the length that the round would have without them
 */
export function unsetHolesRemedy(
  card: ReadableCard,
  strokes: readonly number[],
  holesPlayed: number,
  tee: RegisteredTee | undefined,
): string {
  const nine = halfWithScores(strokes);
  if (nine !== undefined) return nineHoleRemedy(card, tee, nine);
  if (strokes.every((taken) => taken <= 0))
    return "If the round has no score (NR, DQ, WD) or was not played, send no card of it. Withdraw one that was sent, or once it is delivered, ask the player's club to take it off.";
  const atEnd = pickedUpAtEnd(strokes);
  const unset =
    atEnd.length >= minPickedUpAtEnd
      ? atEnd
      : strokes.flatMap((taken, place) => (isPickedUp(taken) ? [place] : []));
  const changed = strokes.map((taken, place) => (unset.includes(place) ? -1 : taken));
  const isAdvised = isWhole(changed, holesPlayed, card.Result.IsQualifying === true);
  return isAdvised
    ? `If ${named(unset)} were not played, send -1 for them.`
    : "A hole that was not played is -1, not 0.";
}

/**
 * Warns of holes that were hardly played as the card says: picked up in great numbers, left out between others, or too few
 * for a round that is to count.
 *
 * @see Rules of Handicapping, 2.2 and 3.3
 */
export function warnOfHolesNotPlayed({ sent, tee }: AssessedCard, findings: Findings): void {
  const { Result, Round } = sent;
  const { Strokes: strokes } = Result;
  // Nearly all cards end here. A loop costs half of what `every` does.
  let isComplete = true;
  for (const taken of strokes) if (taken < 1) isComplete = false;
  if (isComplete) return;
  if (arePickedUpMany(strokes, Round.HolesPlayed)) {
    const pickedUp = strokes.filter(isPickedUp).length;
    const of = strokes.every((taken) => taken <= 0) ? "Every hole of the round is" : `${pickedUp} holes are`;
    const remedy = unsetHolesRemedy(sent, strokes, Round.HolesPlayed, tee);
    const detail = `${of} 0, so each counts as picked up, with net double bogey (Rules of Handicapping 3.3). ${remedy} If the balls were picked up, nothing is to be corrected.`;
    findings.warn("/Result/Strokes", "picked_up_many", detail, { received: pickedUp });
  }
  warnOfSkipped(sent, findings);
  warnOfLength(sent, tee, findings);
}

/** So many holes in a row are hardly all picked up: they were closed, or are the last ones of a round from another hole on. */
const minHolesOfGap = 3;

function warnOfSkipped({ Result, Round }: Scorecard, findings: Findings): void {
  const { Strokes: strokes } = Result;
  const skipped = skippedHoles(strokes, Round.HolesPlayed);
  if (skipped.length === 0) return;
  const changed = strokes.map((taken, place) => (skipped.includes(place) ? 0 : taken));
  const isAdvised = playedHoles(changed) <= Round.HolesPlayed && !arePickedUpMany(changed, Round.HolesPlayed);
  const [first = 0, last = 0] = [skipped[0], skipped.at(-1)];
  const isOneGap = skipped.length >= minHolesOfGap && last - first < skipped.length;
  const remedy = isOneGap
    ? "If they were closed, or the round began after them and was cut short"
    : `If ${isAdvised ? "the ball was picked up there, send 0" : "they were played, send their strokes"}; if no ball was played there`;
  const detail = `Between holes that were played, ${named(skipped)} ${skipped.length === 1 ? "is" : "are"} -1, not played. ${remedy}, nothing is to be corrected.${isOneGap ? " If they were played, send their strokes." : ""}`;
  findings.warn("/Result/Strokes", "not_played_between", detail, {
    received: skipped.map((place) => place + 1),
  });
}

function warnOfLength(card: Scorecard, tee: RegisteredTee | undefined, findings: Findings): void {
  const { Result, Round } = card;
  const needed = holesToQualify(Round.HolesPlayed);
  const played = playedHoles(Result.Strokes);
  if (!Result.IsQualifying || played >= needed) return;
  const nine = halfWithScores(Result.Strokes);
  const remedy =
    nine === undefined || Round.HolesPlayed === 9
      ? "Send IsQualifying false; if more holes were played, send their strokes."
      : `${nineHoleRemedy(card, tee, nine)} If more were played, send their strokes.`;
  const detail = `IsQualifying is true, but only ${played} holes were played of the ${needed} that a round of this length needs. ${remedy}`;
  const values = nine === undefined ? { expected: false, received: true } : { received: true };
  findings.warn("/Result/IsQualifying", "round_too_short", detail, values);
}

/**
 * Warns of a nine-hole round on an eighteen-hole tee if those nine have no rating of their own.
 *
 * @see Rules of Handicapping, 2.1, 2.2b, 5.1b and 6.1b
 */
export function warnOfNine({ sent, tee }: AssessedCard, findings: Findings): void {
  const { Result: result, Round: round } = sent;
  if (!isNineOfEighteen(result.Strokes, round.HolesPlayed)) return;
  const nine = nineOfEighteen(result.Strokes, round.HolesPlayed);
  if (!result.IsQualifying || teesOfNine(tee, nine).length > 0) return;
  const detail =
    nine === undefined || !isHalf(nine)
      ? "HolesPlayed is 9, but the holes played are neither of the first nine only nor of the last nine. Other nine holes have no rating, so no handicap can be calculated (Rules of Handicapping 2.2b). Send IsQualifying false; if those are not the holes that were played, correct Strokes."
      : "Nine of eighteen holes were played, and no rating of those nine is known, so the union may calculate no handicap. If the course has a tee of these nine holes, send that; if it has none, nothing is to be corrected.";
  findings.warn("/Round/HolesPlayed", "nine_holes_unrated", detail, { received: 9 });
}
