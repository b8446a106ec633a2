import { isSameUnionId } from "../formats/identifiers.ts";
import { pointerStep } from "../formats/json-pointer.ts";
import { oneStroke, readTenThousandths } from "../formats/ten-thousandths.ts";
import { wallClock } from "../formats/union-time.ts";
import { versionFacts } from "./course-versions.ts";
import { isGarbled } from "./external-ids.ts";
import type { Findings } from "./findings.ts";
import { countedHandicapIndex, courseHandicap, nineHoleCourseHandicaps } from "./rules/course-handicap.ts";
import {
  courseHandicapsOfCard,
  isNineOfEighteen,
  nineOfEighteen,
  playedHoles,
  type RoundScore,
  sum,
} from "./score-round.ts";
import type { CardHole, Scorecard } from "./scorecard.ts";
import { repeatedIndex, type TeeNumbers, teeNumbers } from "./tee-numbers.ts";
import { type RegisteredTee, sameName } from "./tee-of-card.ts";

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
export function warnOfRules(sent: Scorecard, filled: Scorecard, score: RoundScore, findings: Findings): void {
  const { Result: result, Course: course } = sent;
  if (course.Holes !== undefined && haveOtherStrokes(course.Holes, score.playingStrokes)) {
    const received = course.Holes.map(({ SPH }) => SPH);
    const detail =
      "SPH are not the strokes that the Playing Handicap gives by the stroke indexes. They are passed on as sent. Send those that are expected, or leave SPH out; if the format allocates strokes in another way, nothing is to be corrected.";
    const values = { expected: score.playingStrokes, received };
    findings.warn("/Course/Holes", "strokes_received_differ", detail, values);
  }
  if (result.Points !== undefined && !sameList(result.Points, score.points)) {
    const detail =
      "Points are not what Strokes and the Playing Handicap come to. They are passed on as sent. Send those that are expected, or leave Points out; if the format counts points in another way, nothing is to be corrected.";
    findings.warn("/Result/Points", "points_differ", detail, {
      expected: score.points,
      received: result.Points,
    });
  }
  if (result.Points === undefined && result.TotalPoints !== undefined) {
    const expected = sum(score.points);
    const detail =
      "TotalPoints is not what Strokes and the Playing Handicap come to. It is passed on as sent; Points, and SPH if left out, are filled in to add up to it. If the format has another Playing Handicap, send it as PHCP; if it has no Stableford points, leave TotalPoints out. Otherwise send what is expected.";
    if (result.TotalPoints !== expected)
      findings.warn("/Result/TotalPoints", "points_differ", detail, {
        expected,
        received: result.TotalPoints,
      });
  }
  const { netDoubleBogeyGross: expected } = score;
  const { NetDoubleBogeyGross: sentGross } = result;
  if (expected !== undefined && sentGross !== undefined && sentGross !== expected) {
    const detail = `NetDoubleBogeyGross is not what Strokes and the Course Handicap come to. It is passed on as sent. Send ${expected}, or leave it out to have it filled in.`;
    const values = { expected, received: sentGross };
    findings.warn("/Result/NetDoubleBogeyGross", "net_double_bogey_differs", detail, values);
  }
  warnOfHandicap(filled, findings);
  warnOfLength(filled, findings);
}

const tenth = oneStroke / 10;
const nearestTenth = (value: unknown) => Math.round(Number(value) / tenth) * tenth;
const isAbove54 = ({ HCP }: Scorecard) => countedHandicapIndex(Number(HCP)) < Number(HCP);

function warnOfHandicap(card: Scorecard, findings: Findings): void {
  if (Number(card.HCP) % (oneStroke / 10) !== 0) {
    const expected = nearestTenth(card.HCP);
    const detail = `HCP has more than one decimal. It is the Handicap Index times 10,000: 12.4 is 124000. Send ${expected} if that is meant.`;
    findings.warn("/HCP", "handicap_not_a_tenth", detail, { received: card.HCP });
  }
  const ruled = courseHandicapsOfCard(card, card.Course.TeePar);
  const [expected] = ruled;
  if (expected === undefined || ruled.includes(card.CourseHandicap)) return;
  const of54 = isAbove54(card) ? " HCP above 54.0 counts as 54.0." : "";
  const detail = `CourseHandicap is not what HCP, TeeRating, TeeSlope and TeePar come to (Rules of Handicapping 6.1).${of54} It is passed on as sent. Send ${ruled.join(" or ")}, or correct the one of them that is wrong.`;
  findings.warn("/CourseHandicap", "course_handicap_differs", detail, {
    expected,
    received: card.CourseHandicap,
  });
}

/**
 * Warns of a round that is too short to qualify: ten holes of eighteen must be played, and all of nine.
 *
 * @see Rules of Handicapping, 2.2
 */
function warnOfLength({ Result, Round }: Scorecard, findings: Findings): void {
  const needed = Round.HolesPlayed > 9 ? 10 : 9;
  const played = playedHoles(Result.Strokes);
  if (!Result.IsQualifying || played >= needed) return;
  const detail = `IsQualifying is true, but only ${played} holes were played of the ${needed} that a round of this length needs. Send IsQualifying false; if more holes were played, send their strokes.`;
  findings.warn("/Result/IsQualifying", "round_too_short", detail, { expected: false, received: true });
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

/** The holes that a round abroad may begin with: of 9, 18 or 27. */
const firstHoles = [1, 10, 19];

const odd = {
  hole_numbers_repeated:
    "Hole numbers are on more than one hole. The holes are taken in the order of the list. Give each hole its own number.",
  holes_rotated:
    "The holes are listed in another order than from the first to the last; the union may take them in the order of the list. Send them by number, and Strokes likewise.",
  hole_numbers_differ:
    "The holes have other numbers than the register's or, on a course outside the union, than from 1 on. They are taken in the order of the list. If they are in the order in which Strokes has them, nothing is to be corrected; otherwise send the numbers that are expected.",
} as const;

/**
 * Warns if a card numbers its holes otherwise than from the first to the last.
 *
 * @param registered numbers of the register's holes; undefined on an unlisted course
 */
export function warnOfHoleNumbers(
  holes: readonly CardHole[],
  registered: readonly (number | undefined)[] | undefined,
  findings: Findings,
): void {
  // With more holes or fewer in the register, it is not known which of the card's holes each is.
  if (registered !== undefined && registered.length !== holes.length) return;
  const sent = holes[0]?.Number;
  const first = sent !== undefined && firstHoles.includes(sent) ? sent : 1;
  const numberAt = (place: number) => (registered === undefined ? first + place : registered[place]);
  let place = 0;
  while (place < holes.length) {
    const number = holes[place]?.Number;
    if (number !== undefined && number !== (numberAt(place) ?? number)) break;
    place++;
  }
  if (place === holes.length) return;
  const expected = holes.map((_, place) => numberAt(place));
  const received = holes.map(({ Number: number }, place) => number ?? expected[place]);
  const isRotated = received.every((number) => expected.includes(number));
  const code =
    repeatedIndex(received) !== undefined
      ? "hole_numbers_repeated"
      : isRotated
        ? "holes_rotated"
        : "hole_numbers_differ";
  findings.warn("/Course/Holes", code, odd[code], { expected, received });
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
  if (Number(card.Course.TeeRating) % tenth !== 0 && card.Course.TeeRating !== undefined) {
    const detail = `Course/TeeRating has more than one decimal. It is the Course Rating times 10,000: 71.8 is 718000. Send ${nearestTenth(card.Course.TeeRating)} if that is meant.`;
    findings.warn("/Course/TeeRating", "rating_not_a_tenth", detail, { received: card.Course.TeeRating });
  }
  warnOfPar(card, findings);
  if (isMarkerThePlayer(card)) {
    const detail =
      "The marker is the player, but a score must be certified by somebody else (Rules of Handicapping 2.1 and 4.4). Send who marked the card.";
    findings.warn("/Marker", "marker_is_player", detail);
  }
  warnOfClubNumbers(card, country, clubs, findings);
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

function warnOfTee(card: Scorecard, { rating, slope, fault }: TeeNumbers, findings: Findings): void {
  const pointer = card.Course.TeeID === undefined ? "/Course/TeeName" : "/Course/TeeID";
  if (rating === undefined || slope === undefined) {
    const lacks = [rating === undefined && "Course Rating", slope === undefined && "Slope Rating"];
    const detail = `The union's register has no ${lacks.filter(Boolean).join(" and no ")} of this tee, so no handicap can be calculated from the round. Its club has to complete it. If the tee is the one that was played, nothing is to be corrected.`;
    findings.warn(pointer, "tee_unrated", detail);
  }
  if (fault !== undefined) {
    const detail = `The union's register is incomplete for this tee: ${fault}. The card's own holes are used here, but the union may calculate no handicap until the club has completed it. If the tee is the one that was played, nothing is to be corrected.`;
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

/** Whether nine holes are the first or the last of eighteen. Only those have a rating (Rules of Handicapping 2.2b). */
const isHalf = ({ 0: first = -1, 8: last }: readonly number[]) =>
  (first === 0 || first === 9) && last === first + 8;

/**
 * The rated tees that the register has for just these nine holes, in the same version of the course: with the same numbers,
 * pars and lengths, since another tee on the same holes has another rating. A tee of men and women has two ratings, so if
 * there are several, those of the same Gender count.
 */
function teesOfNine({ version, tee: { Gender }, numbers: whole }: RegisteredTee, nine: readonly number[]) {
  const rated = versionFacts(version).tees.flatMap((tee) => {
    const { numbers, pars, lengths, par, rating, slope } = teeNumbers(tee);
    const same =
      numbers.length === nine.length &&
      nine.every(
        (place, hole) =>
          numbers[hole] === whole.numbers[place] &&
          pars[hole] === whole.pars[place] &&
          lengths[hole] === whole.lengths[place],
      );
    if (!same || par === undefined || rating === undefined || slope === undefined) return [];
    return { gender: tee.Gender, par, rating, slope };
  });
  const sameGender = rated.filter(({ gender }) => gender === Gender);
  return sameGender.length > 0 ? sameGender : rated;
}

/** Strokes by which the Course Handicap of nine unrated holes may differ from half of that of the eighteen. */
const tolerance = 1;

/**
 * Warns of a nine-hole round on an eighteen-hole tee: if those nine have no rating of their own, or if the Course
 * Handicap is that of eighteen holes.
 *
 * @param card filled in, and without a fault
 * @param tee undefined on an unlisted course
 * @see Rules of Handicapping, 2.1, 2.2b, 5.1b and 6.1b
 */
export function warnOfNine(card: Scorecard, tee: RegisteredTee | undefined, findings: Findings): void {
  const { Course: course, CourseHandicap: received, Result: result, Round: round } = card;
  if (!isNineOfEighteen(result.Strokes, round.HolesPlayed)) return;
  const nine = nineOfEighteen(result.Strokes, round.HolesPlayed);
  const rated = tee === undefined || nine === undefined || !isHalf(nine) ? [] : teesOfNine(tee, nine);
  if (rated.length === 0 && result.IsQualifying) {
    const detail =
      nine === undefined || !isHalf(nine)
        ? "HolesPlayed is 9, but the holes played are neither of the first nine only nor of the last nine. Other nine holes have no rating, so no handicap can be calculated (Rules of Handicapping 2.2b). Send IsQualifying false; if those are not the holes that were played, correct Strokes."
        : "Nine of eighteen holes were played, and no rating of those nine is known, so the union may calculate no handicap. If the course has a tee of these nine holes, send that; if it has none, nothing is to be corrected.";
    findings.warn("/Round/HolesPlayed", "nine_holes_unrated", detail, { received: 9 });
  }

  const sent = readTenThousandths(card.HCP);
  const rating = readTenThousandths(course.TeeRating);
  const [slope, par] = [Number(course.TeeSlope), course.TeePar];
  if (sent === undefined || rating === undefined || par === undefined || !(slope > 0)) return;
  const handicapIndex = countedHandicapIndex(sent);
  const ruled = rated.flatMap((figures) => nineHoleCourseHandicaps({ handicapIndex, ...figures }));
  const [estimate] = nineHoleCourseHandicaps({ handicapIndex, slope, rating: rating / 2, par: par / 2 });
  const isOfEighteen = courseHandicap({ handicapIndex, slope, rating, par }) === received;
  const differs =
    ruled.length > 0 ? !ruled.includes(received) : isOfEighteen && Math.abs(received - estimate) > tolerance;
  if (!differs) return;
  const of = isOfEighteen ? "CourseHandicap is that of eighteen holes" : "CourseHandicap is another";
  const expected = ruled[0] ?? `about ${estimate}`;
  const detail = `${of}, but nine were played: it comes from half of HCP and the rating of those nine (Rules of Handicapping 6.1b). It is passed on as sent. Send ${expected}.`;
  findings.warn("/CourseHandicap", "course_handicap_differs", detail, { expected, received });
}

const hour = 3_600_000;

/** How far a clock may be ahead of UTC: in the time zone whose days begin first, and a day fast at most. */
const furthestAhead = 38 * hour;

/**
 * Warns of figures that a card may have by the rules, but that nobody has reached: they are most likely mistyped.
 *
 * @param highestHandicapIndex that the union gives a player
 */
export function warnOfUnlikely(
  card: Scorecard,
  now: Date,
  highestHandicapIndex: number,
  findings: Findings,
): void {
  warnOfCreation(card, now, findings);
  warnOfStrokes(card, findings);
  warnOfHandicapIndex(card, highestHandicapIndex, findings);
  warnOfPlayingHandicap(card, findings);
}

/** Some apps write UTC, and some make the card when the round begins. */
const earlierCreation = 3 * hour;

function warnOfCreation({ CreateDateTime, Round }: Scorecard, now: Date, findings: Findings): void {
  const { StartTime } = Round;
  // Timestamps are in the order of their texts. Nearly all cards are made later on the day of the round, and that day is not in the future.
  if (CreateDateTime >= StartTime && CreateDateTime.startsWith(StartTime.slice(0, 8))) return;
  const created = wallClock(CreateDateTime);
  const isEarly = created < wallClock(StartTime) - earlierCreation;
  if (!isEarly && created <= now.getTime() + furthestAhead) return;
  const detail = isEarly
    ? "The card was created more than three hours before the round. Send the time at which it was created; if that was before the round, nothing is to be corrected."
    : "The card was created in the future. Send the time at which it was created.";
  findings.warn("/CreateDateTime", "create_time_unlikely", detail, { received: CreateDateTime });
}

/** No hole counts more than par + 5 for handicapping, so more strokes make no difference. */
const maxStrokes = 20;
/** The best rounds of professionals are 55 and 16 under par. */
const maxUnderPar = 16;
/** Two holes in one in a round are a record. */
const maxHolesInOne = 2;

function warnOfStrokes({ Result, Course }: Scorecard, findings: Findings): void {
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

/** The best plus players are at about +9. */
const maxOfPlusPlayers = -12;

function warnOfHandicapIndex({ HCP }: Scorecard, highest: number, findings: Findings): void {
  const index = Number(HCP) / oneStroke;
  if (index <= highest && index >= maxOfPlusPlayers) return;
  const tenth = Number(HCP) / 10;
  const likely = index > 0 ? `${tenth / oneStroke}` : `+${-tenth / oneStroke}`;
  const detail = `HCP is the Handicap Index times 10,000, and no player has one of ${index > 0 ? index : `+${-index}`}. Send ${tenth} for ${likely}.`;
  findings.warn("/HCP", "handicap_unlikely", detail, { received: HCP });
}

/** Strokes for playing from other tees than the others, or by a committee, are fewer. @see Rules of Handicapping, 6.2b */
const maxAdjustment = 10;

function warnOfPlayingHandicap({ PHCP, CourseHandicap }: Scorecard, findings: Findings): void {
  if (PHCP === undefined) return;
  const most = Math.max(0, CourseHandicap) + maxAdjustment;
  const least = Math.min(0, CourseHandicap) - maxAdjustment;
  if (PHCP <= most && PHCP >= least) return;
  const detail = `PHCP is the Playing Handicap, the Course Handicap after the format's allowance, which is 100 % at most (Rules of Handicapping 6.2). From a Course Handicap of ${CourseHandicap} no allowance gives ${PHCP}. Send the Playing Handicap, or leave PHCP out if it is ${CourseHandicap}. It is passed on as sent.`;
  findings.warn("/PHCP", "playing_handicap_unlikely", detail, {
    expected: `${least} to ${most}`,
    received: PHCP,
  });
}
