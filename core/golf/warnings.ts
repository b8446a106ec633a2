import { isGarbled } from "../formats/external-ids.ts";
import { clubOfUnionId, isSameUnionId } from "../formats/identifiers.ts";
import { pointerStep } from "../formats/json-pointer.ts";
import { isSameFullName } from "../formats/same-person.ts";
import { oneStroke, tenth } from "../formats/ten-thousandths.ts";
import { timestampOf, wallClock, wallClockAt } from "../formats/union-time.ts";
import type { AssessedCard, AssessmentContext } from "./assessed-card.ts";
import { sameName } from "./course.ts";
import type { Findings } from "./findings.ts";
import { playedHoles } from "./score-round.ts";
import type { Scorecard } from "./scorecard.ts";
import { isPlausibleRating, repeatedIndex } from "./tee-numbers.ts";

/** Warns if a text of a card was not UTF-8. A player's name with a letter lost is no reason to refuse a round. */
export function warnOfGarbledText({ sent, content }: AssessedCard, findings: Findings): void {
  if (!isGarbled(content.text)) return;
  const detail =
    "The text holds U+FFFD, and others of the card may: it stands for what is not UTF-8. The body was probably written in another encoding. Send it in UTF-8. The text is passed on as it was read.";
  findings.warn(garbledPlace(sent) ?? "", "text_garbled", detail);
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

/** Warns if a card numbers its holes otherwise than from the first to the last. */
export function warnOfHoleNumbers({ sent: { Course }, tee }: AssessedCard, findings: Findings): void {
  const { Holes: holes } = Course;
  if (holes === undefined) return;
  const registered = tee?.numbers.numbers;
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

const minute = 60_000;
const hour = 60 * minute;

/** How far a clock may be ahead of UTC: in the time zone whose days begin first, and a day fast at most. */
const furthestAhead = 38 * hour;

/** Nobody plays a hole faster: eighteen in an hour and a half. */
const minMinutesOfHole = 5;
const minHoursOfRound = 2;
/** No two time zones are further apart. */
const maxOffset = 26;

/** Warns of a card that arrived before its holes can have been played: its start is most likely written in another time zone. */
export function warnOfArrival(
  { sent: { Round, Result }, start, timeZone }: AssessedCard,
  findings: Findings,
  context: AssessmentContext,
): void {
  const now = context.now.getTime();
  // Nearly all cards end here: the time zone is looked up for those only that it can decide about.
  if (start <= now - (maxOffset + minHoursOfRound) * hour) return;
  const holes = playedHoles(Result.Strokes);
  const over = start + holes * minMinutesOfHole * minute;
  const arrived = wallClockAt(now, timeZone);
  if (over <= arrived) return;
  const hours = Math.ceil((over - arrived) / hour);
  const zone = `StartTime is ${hours} ${hours === 1 ? "hour" : "hours"} too late at least, as if written in another time zone`;
  const detail = `The card arrived at ${timestampOf(arrived).slice(9, 13)} by the clocks of ${timeZone}, and ${holes} holes take ${holes * minMinutesOfHole} minutes or more: the round cannot be over. ${hours <= maxOffset ? zone : "StartTime is of another day"}. Send the time that clocks at the course showed.`;
  findings.warn("/Round/StartTime", "round_not_over", detail, { received: Round.StartTime });
}

/** Some apps write UTC, and some make the card when the round begins. */
const earlierCreation = 3 * hour;

/** Warns of a card that was made long before its round, or later than now. */
export function warnOfCreation(
  { sent, start }: AssessedCard,
  findings: Findings,
  { now }: AssessmentContext,
): void {
  const { CreateDateTime, Round } = sent;
  const { StartTime } = Round;
  // Timestamps are in the order of their texts. Nearly all cards are made later on the day of the round, and that day is not in the future.
  if (CreateDateTime >= StartTime && CreateDateTime.startsWith(StartTime.slice(0, 8))) return;
  const created = wallClock(CreateDateTime);
  const isEarly = created < start - earlierCreation;
  if (!isEarly && created <= now.getTime() + furthestAhead) return;
  const detail = isEarly
    ? "The card was created more than three hours before the round. Send the time at which it was created; if that was before the round, nothing is to be corrected."
    : "The card was created in the future. Send the time at which it was created.";
  findings.warn("/CreateDateTime", "create_time_unlikely", detail, { received: CreateDateTime });
}

/** Warns of a round from before 2000, as an unset date is. */
export function warnOfStart({ sent: { Round } }: AssessedCard, findings: Findings): void {
  const { StartTime: received } = Round;
  if (received >= "2000") return;
  const detail =
    "The round is from before 2000, as an unset date is. The union may calculate no handicap from it. Send the time at which it was played.";
  findings.warn("/Round/StartTime", "start_long_ago", detail, { received });
}

/** Warns of a Course Rating with more than one decimal, or of another number of holes. */
export function warnOfRating({ filled, tee }: AssessedCard, findings: Findings): void {
  const { Course, Result } = filled;
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

/** Warns of the first hole with a par that the union may not calculate with. */
export function warnOfPar({ filled: { Course } }: AssessedCard, findings: Findings): void {
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

/** Warns of a tee from which the union may calculate no handicap, by its register. */
export function warnOfTee({ filled: card, tee }: AssessedCard, findings: Findings): void {
  if (tee === undefined) return;
  const { rating, slope, fault, ratingFault } = tee.numbers;
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

/** Warns if a card names its player as its marker. */
export function warnOfMarker({ sent }: AssessedCard, findings: Findings): void {
  if (!isMarkerThePlayer(sent)) return;
  const detail =
    "The marker is the player, but a score must be certified by somebody else (Rules of Handicapping 2.1 and 4.4). Send who marked the card.";
  findings.warn("/Marker", "marker_is_player", detail);
}

/**
 * Whether the marker has an identifier of the player or, unless their LifeTimeIDs differ, the player's name: with a UnionID of another
 * club, since a player has one a club.
 */
function isMarkerThePlayer({ Player, Marker }: Scorecard): boolean {
  if (Marker.UnionID !== undefined && isSameUnionId(Marker.UnionID, Player.UnionID)) return true;
  const { LifeTimeID } = Player;
  if (LifeTimeID !== undefined && Marker.LifeTimeID !== undefined) return LifeTimeID === Marker.LifeTimeID;
  if (Player.FullName === undefined) return false;
  const isOfSameClub = clubOfUnionId(Player.UnionID) === clubOfUnionId(Marker.UnionID ?? "");
  return !isOfSameClub && isSameFullName(Player.FullName, Marker.FullName);
}

/** Warns of UnionIDs whose club the union does not have. Players and markers of other unions may have such a number. */
export function warnOfClubNumbers(
  { sent: { Player, Marker } }: AssessedCard,
  findings: Findings,
  { country, clubs }: AssessmentContext,
): void {
  if (clubs === undefined || clubs.numbers.size === 0) return;
  for (const [who, unionId] of [
    ["Player", Player.UnionID],
    ["Marker", Marker.UnionID],
  ] as const) {
    if (unionId === undefined || clubs.numbers.has(clubOfUnionId(unionId))) continue;
    const isGuest = who === "Player" && !isCountry(Player.HomeClubCountry ?? "", country);
    const remedy = isGuest
      ? "The player's home club is in another country by the card: then nothing is to be corrected, and the player's own union has to get the score."
      : `Send the club's number and the member's number with a hyphen between. If the ${who.toLowerCase()} is a member of another union, nothing is to be corrected.`;
    const effect = who === "Player" ? ", so the union calculates no handicap from the card" : "";
    const detail = `${who}/UnionID begins with a club number that no club of the union has${effect}. ${remedy}`;
    findings.warn(`/${who}/UnionID`, "club_number_unknown", detail);
  }
}

/** Whether a card's free text for a country is empty or means this one: its code, or its name in English or in its own language. */
function isCountry(text: string, code: string): boolean {
  const { language } = new Intl.Locale(`und-${code}`).maximize();
  const nameIn = (locale: string) => new Intl.DisplayNames(locale, { type: "region" }).of(code.toUpperCase());
  return [code, nameIn("en"), nameIn(language)].some((name) => sameName(text, name)) || text.trim() === "";
}
