import { oneStroke } from "../formats/ten-thousandths.ts";
import { timestampOf, wallClock, wallClockAt } from "../formats/union-time.ts";
import type { Findings } from "./findings.ts";
import { playingHandicapBounds } from "./rules/playing-handicap.ts";
import { courseHandicapsOfCard, playedHoles, sum } from "./score-round.ts";
import type { Scorecard } from "./scorecard.ts";

const minute = 60_000;
const hour = 60 * minute;

/** How far a clock may be ahead of UTC: in the time zone whose days begin first, and a day fast at most. */
const furthestAhead = 38 * hour;

/**
 * Warns of figures that a card may have by the rules, but that nobody has reached: they are most likely mistyped.
 *
 * @param now when the card arrived
 * @param timeZone of the course, or the one whose days begin first if that is not known
 * @param highestHandicapIndex that the union gives a player
 */
export function warnOfUnlikely(
  card: Scorecard,
  now: Date,
  timeZone: string,
  highestHandicapIndex: number,
  findings: Findings,
): void {
  warnOfArrival(card, now.getTime(), timeZone, findings);
  warnOfCreation(card, now, findings);
  warnOfStrokes(card, findings);
  warnOfHandicapIndex(card, highestHandicapIndex, findings);
  warnOfPlayingHandicap(card, findings);
}

/** Nobody plays a hole faster: eighteen in an hour and a half. */
const minMinutesOfHole = 5;
const minHoursOfRound = 2;
/** No two time zones are further apart. */
const maxOffset = 26;

/** Warns of a card that arrived before its holes can have been played: its start is most likely written in another time zone. */
function warnOfArrival(
  { Round, Result }: Scorecard,
  now: number,
  timeZone: string,
  findings: Findings,
): void {
  const start = wallClock(Round.StartTime);
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

const inWords = (index: number) => (index > 0 ? `${index}` : `+${-index}`);

function warnOfHandicapIndex(card: Scorecard, highest: number, findings: Findings): void {
  const { HCP } = card;
  const index = Number(HCP) / oneStroke;
  if (index <= highest && index >= maxOfPlusPlayers) return;
  const likely = Number(HCP) / 10;
  const isHandicapIndex = likely % (oneStroke / 10) === 0 && likely / oneStroke <= highest;
  const ruled = courseHandicapsOfCard({ ...card, HCP: likely }, card.Course.TeePar);
  const other =
    ruled.length === 0 || ruled.includes(card.CourseHandicap) ? "" : `, with CourseHandicap ${ruled[0]}`;
  const remedy = isHandicapIndex
    ? `Send ${likely} for ${inWords(likely / oneStroke)}${other}.`
    : "Send the player's Handicap Index to a tenth, times 10,000.";
  const detail = `HCP is the Handicap Index times 10,000, and no player has one of ${inWords(index)}. ${remedy}`;
  findings.warn("/HCP", "handicap_unlikely", detail, { received: HCP });
}

function warnOfPlayingHandicap({ PHCP, CourseHandicap, Result }: Scorecard, findings: Findings): void {
  if (PHCP === undefined) return;
  const [least, most] = playingHandicapBounds(CourseHandicap, Result.Strokes.length);
  if (PHCP <= most && PHCP >= least) return;
  const detail = `PHCP is the Playing Handicap: the Course Handicap after the format's allowance, the difference of tees, or with a partner's share (Rules of Handicapping 6.2 and appendix C). From a Course Handicap of ${CourseHandicap} no format gives ${PHCP}. Send the Playing Handicap, or leave PHCP out if it is ${CourseHandicap}. It is passed on as sent.`;
  findings.warn("/PHCP", "playing_handicap_unlikely", detail, {
    expected: `${least} to ${most}`,
    received: PHCP,
  });
}
