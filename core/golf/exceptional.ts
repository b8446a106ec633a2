import { oneStroke, readTenThousandths } from "../formats/ten-thousandths.ts";
import type { AssessedCard } from "./assessed-card.ts";
import type { Findings } from "./findings.ts";
import { teesOfNine } from "./handicaps.ts";
import { standardSlope } from "./rules/course-handicap.ts";
import { isNineOfEighteen, nineOfEighteen, type RoundToScore, scoreRound } from "./score-round.ts";

/** Strokes below the Handicap Index from which on the union lowers that by two at once. @see Rules of Handicapping, 5.9 */
const exceptional = 10;
/** Beginners, who improve fast, have this Handicap Index or more. */
const beginner = 54 * oneStroke;

/** Rating and slope of the holes of a round; undefined if the nine that were played have none, or the tee. */
function ratingOf({
  filled,
  tee,
  round,
}: AssessedCard): readonly [rating: number, slope: number] | undefined {
  const { strokes, holesPlayed } = round;
  if (isNineOfEighteen(strokes, holesPlayed)) {
    const [rated] = teesOfNine(tee, nineOfEighteen(strokes, holesPlayed));
    return rated && [rated.rating, rated.slope];
  }
  const rating = readTenThousandths(filled.Course.TeeRating);
  const slope = Number(filled.Course.TeeSlope);
  return rating !== undefined && slope > 0 ? [rating, slope] : undefined;
}

/**
 * By how many strokes a round is better than its player's Handicap Index: that less the Score Differential, which is not rounded.
 * Nine holes count twice, as half of the index is compared with them.
 *
 * @param gross Adjusted Gross Score of the round
 * @see Rules of Handicapping, 5.1 and 5.9
 */
function strokesBetter(card: AssessedCard, gross: number | undefined): number | undefined {
  const figures = gross === undefined ? undefined : ratingOf(card);
  if (gross === undefined || figures === undefined) return undefined;
  const [rating, slope] = figures;
  const times = card.round.holesPlayed === 9 ? 2 : 1;
  // Whole numbers, so that ten strokes are ten: the quotient is exact to its last digit.
  return (
    (Number(card.filled.HCP) * slope - times * standardSlope * (gross * oneStroke - rating)) /
    (slope * oneStroke)
  );
}

/** Whether a round that counts is so much better than its player's Handicap Index that it is most likely not the player's. */
function isExceptional(card: AssessedCard, gross = card.score.netDoubleBogeyGross): boolean {
  const { HCP, Result } = card.filled;
  if (!Result.IsQualifying || Number(HCP) >= beginner) return false;
  const better = strokesBetter(card, gross);
  return better !== undefined && better >= exceptional;
}

/** Warns of a score that is exceptional by the rule, of another player or row, or net; not of one whose strokes nobody has taken. */
export function warnOfExceptional(card: AssessedCard, findings: Findings): void {
  if (!isExceptional(card) || findings.warnings.some(({ code }) => code === "strokes_unlikely")) return;
  const better = strokesBetter(card, card.score.netDoubleBogeyGross) ?? 0;
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
function countExceptional(field: ReadonlyMap<number, AssessedCard>, shift: number): number {
  let count = 0;
  for (const [index, card] of field) {
    const strokes = field.get(index + shift)?.round.strokes;
    if (strokes?.length !== card.round.strokes.length) continue;
    const round: RoundToScore = { ...card.round, strokes };
    if (isExceptional(card, scoreRound(round).netDoubleBogeyGross)) count++;
  }
  return count;
}

/** The one shift of rows after which nearly no score of a field is exceptional; undefined if none or several explain them. */
function findShift(field: ReadonlyMap<number, AssessedCard>, exceptional: number): number | undefined {
  const shifts = Array.from({ length: maxShift }, (_, place) => [place + 1, -place - 1]).flat();
  const [best, next] = shifts
    .map((shift) => ({ shift, count: countExceptional(field, shift) }))
    .toSorted((one, other) => one.count - other.count);
  if (best === undefined || next === undefined || field.size <= 2 * maxShift) return undefined;
  return 4 * best.count <= exceptional && best.count < next.count ? best.shift : undefined;
}

/**
 * Says of the exceptional scores of one field, of one course and day, that its rows may be shifted, and by how many if one shift
 * explains them.
 *
 * @param cards of a submission by their index
 */
export function warnOfShiftedRows(cards: ReadonlyMap<number, AssessedCard>, all: readonly Findings[]): void {
  const fields = Map.groupBy(
    cards,
    ([
      ,
      {
        filled: { Course, Round },
      },
    ]) => `${Course.CourseID ?? Course.Name} ${Round.StartTime.slice(0, 8)}`,
  );
  for (const entries of fields.values()) {
    const told = entries.flatMap(([index]) => {
      const { warnings = [] } = all[index] ?? {};
      const place = warnings.findIndex(({ code }) => code === "score_exceptional");
      return place === -1 ? [] : [{ warnings, place }];
    });
    if (told.length < minExceptional || told.length < minShare * entries.length) continue;
    const shift = findShift(new Map(entries), told.length);
    const rows = `${Math.abs(shift ?? 0)} ${Math.abs(shift ?? 0) === 1 ? "row" : "rows"}`;
    const cause =
      shift === undefined
        ? "the rows of names and strokes may be shifted against each other"
        : `with the strokes of the card ${rows} ${shift > 0 ? "further down" : "further up"} in place of each card's own they would not be, so Strokes are most likely shifted by ${rows}`;
    for (const { warnings, place } of told) {
      const [finding] = warnings.slice(place);
      const detail = `${finding?.detail} ${told.length} of the ${entries.length} cards of this course and day are exceptional: ${cause}.`;
      if (finding !== undefined) warnings[place] = { ...finding, detail };
    }
  }
}
