import { isSameUnionId } from "../formats/identifiers.ts";
import { pointerStep } from "../formats/json-pointer.ts";
import { oneStroke } from "../formats/ten-thousandths.ts";
import { isGarbled } from "./external-ids.ts";
import type { Findings } from "./findings.ts";
import { countedHandicapIndex } from "./rules/course-handicap.ts";
import { netDoubleBogey } from "./rules/holes.ts";
import { isPlausibleRating } from "./rules/plausible-rating.ts";
import {
  type Allocation,
  courseHandicapsOfCard,
  nineOfEighteen,
  type RoundScore,
  sum,
} from "./score-round.ts";
import type { CardHole, Scorecard } from "./scorecard.ts";
import type { TeeNumbers } from "./tee-numbers.ts";
import { sameName } from "./tee-of-card.ts";

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
 * Warns if a card disagrees with our reading of the handicap rules. None of it is a fault, because vendors read
 * them differently: strokes on nine holes, for instance, are allocated in two ways.
 *
 * @param sent as it came, without a fault
 * @param filled the same card, filled in
 */
export function warnOfRules(
  sent: Scorecard,
  filled: Scorecard,
  { score, allocation }: { readonly score: RoundScore; readonly allocation: Allocation },
  findings: Findings,
): void {
  const { Result: result, Course: course } = sent;
  const { ruled: strokes } = allocation;
  if (course.Holes !== undefined && haveOtherStrokes(course.Holes, strokes)) {
    const received = course.Holes.map(({ SPH }) => SPH);
    const detail =
      "SPH are not the strokes that the Playing Handicap gives by the stroke indexes. They are passed on as sent. Send those that are expected, or leave SPH out; if the format allocates strokes in another way, nothing is to be corrected.";
    const values = { expected: strokes, received };
    findings.warn("/Course/Holes", "strokes_received_differ", detail, values);
  }
  if (result.Points !== undefined && !sameList(result.Points, score.points)) {
    const total = result.TotalPoints === undefined ? "" : `, with TotalPoints ${sum(score.points)}`;
    const detail = `Points are not what Strokes and the Playing Handicap come to. They are passed on as sent. Send those that are expected${total}, or leave Points out; if the format counts points in another way, nothing is to be corrected.`;
    findings.warn("/Result/Points", "points_differ", detail, {
      expected: score.points,
      received: result.Points,
    });
  }
  if (result.NetDoubleBogeyGross !== undefined) warnOfGross(filled, score, findings);
  warnOfHandicap(course, filled, findings);
}

/**
 * Warns of NetDoubleBogeyGross: of another one if all holes of the round were played, else of one that no round gives. Each
 * hole that was not played counts a stroke at least, and net double bogey at most.
 */
function warnOfGross({ Result, Course, Round }: Scorecard, score: RoundScore, findings: Findings): void {
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
  const gross = sum(score.counted.filter((counts) => counts !== -1));
  const [least, most] = [gross + others.length, gross + sum(others)];
  if (Number(received) >= least && Number(received) <= most) return;
  const detail = `NetDoubleBogeyGross is of all holes of the round, but ${others.length} of them were not played: the others count ${gross}, so it is from ${least} to ${most}. It is passed on as sent. Leave it out: the union calculates it.`;
  findings.warn(pointer, "net_double_bogey_differs", detail, { expected: `${least} to ${most}`, received });
}

const tenth = oneStroke / 10;
const nearestTenth = (value: unknown) => Math.round(Number(value) / tenth) * tenth;
const isAbove54 = ({ HCP }: Scorecard) => countedHandicapIndex(Number(HCP)) < Number(HCP);

function warnOfHandicap(sent: Scorecard["Course"], card: Scorecard, findings: Findings): void {
  const ruled = courseHandicapsOfCard(card, card.Course.TeePar);
  const isRuled = ruled.includes(card.CourseHandicap);
  if (Number(card.HCP) % tenth !== 0) {
    const expected = nearestTenth(card.HCP);
    const next = courseHandicapsOfCard({ ...card, HCP: expected }, card.Course.TeePar);
    const other = isRuled && !next.includes(card.CourseHandicap) ? `, with CourseHandicap ${next[0]},` : "";
    const detail = `HCP has more than one decimal. It is the Handicap Index times 10,000: 12.4 is 124000. Send ${expected}${other} if that is meant.`;
    findings.warn("/HCP", "handicap_not_a_tenth", detail, { received: card.HCP });
  }
  const [expected] = ruled;
  if (expected === undefined || isRuled) return;
  const of54 = isAbove54(card) ? " HCP above 54.0 counts as 54.0." : "";
  const isOfRegister = sent.TeeRating === undefined && sent.TeeSlope === undefined;
  const [figures, remedy] = isOfRegister
    ? ["HCP and the register's figures of the tee", "correct HCP or the tee, if one of them is wrong"]
    : ["HCP, TeeRating, TeeSlope and TeePar", "correct the one of them that is wrong"];
  const detail = `CourseHandicap is not what ${figures} come to (Rules of Handicapping 6.1).${of54} It is passed on as sent. Send ${ruled.join(" or ")}, or ${remedy}.`;
  findings.warn("/CourseHandicap", "course_handicap_differs", detail, {
    expected,
    received: card.CourseHandicap,
  });
}

/**
 * Warns if a text of a card was not UTF-8. A player's name with a letter lost is no reason to refuse a round.
 *
 * @param card as it was sent
 * @param content the text of its content: the card is searched only if that is garbled
 */
export function warnOfGarbledText(card: Scorecard, content: string, findings: Findings): void {
  if (!isGarbled(content)) return;
  const detail =
    "The text holds U+FFFD, and others of the card may: it stands for what is not UTF-8. The body was probably written in another encoding. Send it in UTF-8. The text is passed on as it was read.";
  findings.warn(garbledPlace(card) ?? "", "text_garbled", detail);
}

/** JSON pointer of the first value that is garbled, or whose name is. @see RFC 6901 */
function garbledPlace(value: unknown): string | undefined {
  if (typeof value === "string") return isGarbled(value) ? "" : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, entry] of Object.entries(value)) {
    const place = isGarbled(name) ? "" : garbledPlace(entry);
    if (place !== undefined) return `/${pointerStep(name)}${place}`;
  }
  return undefined;
}

/** The union's clubs, as far as the mirror has them. */
export interface KnownClubs {
  /** Official club numbers; empty while the mirror has none. */
  readonly numbers: ReadonlySet<number>;
  /** Those clubs, in upper case, that cards without CourseID name and the union has. */
  readonly ids: ReadonlySet<string>;
}

/**
 * Warns if the union may calculate no handicap from a card. None of the warnings proves that the card is wrong.
 *
 * @param card filled in, and without a fault
 * @param tee undefined on an unlisted course
 * @param country the union's own
 */
export function warnOfUncounted(
  card: Scorecard,
  tee: TeeNumbers | undefined,
  country: string,
  clubs: KnownClubs | undefined,
  findings: Findings,
): void {
  if (tee !== undefined) warnOfTee(card, tee, findings);
  const { StartTime: received } = card.Round;
  if (received < "2000") {
    const detail =
      "The round is from before 2000, as an unset date is. The union may calculate no handicap from it. Send the time at which it was played.";
    findings.warn("/Round/StartTime", "start_long_ago", detail, { received });
  }
  warnOfRating(card, tee, findings);
  warnOfPar(card, findings);
  if (isMarkerThePlayer(card)) {
    const detail =
      "The marker is the player, but a score must be certified by somebody else (Rules of Handicapping 2.1 and 4.4). Send who marked the card.";
    findings.warn("/Marker", "marker_is_player", detail);
  }
  warnOfClubNumbers(card, country, clubs, findings);
}

function warnOfRating({ Course, Result }: Scorecard, tee: TeeNumbers | undefined, findings: Findings): void {
  const { TeeRating: received, TeePar: par } = Course;
  if (received === undefined) return;
  const rating = Number(received);
  if (rating % tenth !== 0) {
    const detail =
      "Course/TeeRating has more than one decimal. It is the Course Rating times 10,000, to a tenth: 71.8 is 718000. Send that of the scorecard.";
    findings.warn("/Course/TeeRating", "rating_not_a_tenth", detail, { received });
  }
  const holes = Result.Strokes.length;
  // A rating of the register that is not plausible has been told of the tee.
  if (tee !== undefined || par === undefined || isPlausibleRating(rating, par, holes)) return;
  const detail = `Course/TeeRating is ${rating / oneStroke}, but the par of the ${holes} holes is ${par}: it is probably the rating of another number of holes. It is passed on as sent. Send the Course Rating of the tee for ${holes} holes, times 10,000.`;
  findings.warn("/Course/TeeRating", "rating_unlikely", detail, { received });
}

function warnOfPar({ Course }: Scorecard, findings: Findings): void {
  let hole = 0;
  // A loop costs half of what `findIndex` does, on each card.
  for (const { Par: received = 3 } of Course.Holes ?? []) {
    if (received < 3 || received > 6) {
      const detail =
        "The par of a hole is from 3 to 6; the union may calculate no handicap from another one. Send the par of the scorecard; if that is it, nothing is to be corrected.";
      findings.warn(`/Course/Holes/${hole}/Par`, "par_unusual", detail, { expected: "3 to 6", received });
      return;
    }
    hole++;
  }
}

function warnOfTee(card: Scorecard, numbers: TeeNumbers, findings: Findings): void {
  const { rating, slope, fault, ratingFault } = numbers;
  const pointer = card.Course.TeeID === undefined ? "/Course/TeeName" : "/Course/TeeID";
  if (rating === undefined || slope === undefined) {
    const lacks = [rating === undefined && "Course Rating", slope === undefined && "Slope Rating"];
    const [state, remedy] =
      ratingFault === undefined
        ? [`has no ${lacks.filter(Boolean).join(" and no ")} of this tee`, "complete it"]
        : [`is wrong for this tee: ${ratingFault}`, "correct it"];
    const detail = `The union's register ${state}, so no handicap can be calculated from the round. Its club has to ${remedy}. If the tee is the one that was played, nothing is to be corrected.`;
    findings.warn(pointer, "tee_unrated", detail);
  }
  if (fault !== undefined) {
    const isUnranked = card.Course.Holes?.every(({ Index }) => Index === undefined);
    const used = isUnranked
      ? "Strokes received are in the order of the holes here, since the card does not count for handicapping."
      : "The card's own holes are used here, but the union may calculate no handicap until the club has completed it.";
    const detail = `The union's register is incomplete for this tee: ${fault}. ${used} If the tee is the one that was played, nothing is to be corrected.`;
    findings.warn(pointer, "tee_incomplete", detail);
  }
}

/** Whether the marker has the player's identifier or, where no identifier of theirs can be compared, the player's name. */
function isMarkerThePlayer({ Player, Marker }: Scorecard): boolean {
  if (Marker.UnionID !== undefined && isSameUnionId(Marker.UnionID, Player.UnionID)) return true;
  const { LifeTimeID } = Player;
  const isComparable = LifeTimeID !== undefined && Marker.LifeTimeID !== undefined;
  if (isComparable && LifeTimeID === Marker.LifeTimeID) return true;
  if (isComparable || Marker.UnionID !== undefined) return false;
  return Boolean(Player.FullName) && sameName(Player.FullName, Marker.FullName);
}

/** Warns of UnionIDs whose club the union does not have. Players and markers of other unions may have such a number. */
function warnOfClubNumbers(
  { Player, Marker }: Scorecard,
  country: string,
  clubs: KnownClubs | undefined,
  findings: Findings,
): void {
  if (clubs === undefined || clubs.numbers.size === 0) return;
  const isUnknown = (unionId: string) => !clubs.numbers.has(Number.parseInt(unionId, 10));
  if (isUnknown(Player.UnionID)) {
    const isGuest = Player.HomeClubCountry !== undefined && !isCountry(Player.HomeClubCountry, country);
    const remedy = isGuest
      ? "The player's home club is in another country by the card: then nothing is to be corrected, and the player's own union has to get the score."
      : "Send the club's number and the member's number with a hyphen between. If the player is a member of another union, nothing is to be corrected.";
    const detail = `Player/UnionID begins with a club number that no club of the union has, so the union calculates no handicap from the card. ${remedy}`;
    findings.warn("/Player/UnionID", "club_number_unknown", detail);
  }
  if (Marker.UnionID !== undefined && isUnknown(Marker.UnionID)) {
    const detail =
      "Marker/UnionID begins with a club number that no club of the union has. Send the club's number and the member's number with a hyphen between. If the marker is a member of another union, nothing is to be corrected.";
    findings.warn("/Marker/UnionID", "club_number_unknown", detail);
  }
}

/** Whether a card's free text for a country means this one: its code, or its name in English or in its own language. */
function isCountry(text: string, code: string): boolean {
  const { language } = new Intl.Locale(`und-${code}`).maximize();
  const nameIn = (locale: string) => new Intl.DisplayNames(locale, { type: "region" }).of(code.toUpperCase());
  return [code, nameIn("en"), nameIn(language)].some((name) => sameName(text, name)) || text.trim() === "";
}
