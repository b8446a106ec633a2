import type { ApiSet } from "../accounts/api-set.ts";
import type { CompleteHoles } from "../courses/tee-numbers.ts";
import { isLongNumber, withPlainNumbers } from "../formats/exact-json.ts";
import { guidKey } from "../formats/guid.ts";
import { timestampOf, wallClock } from "../formats/timestamp.ts";
import { isAfterToday, wallClockAt } from "../formats/zone-time.ts";
import { isOversized, isSurelySmall } from "./card-size.ts";
import {
  checkHoles,
  checkHolesPlayed,
  checkLists,
  checkTotalPar,
  checkTotalPoints,
  checkTotalStrokes,
} from "./check-round.ts";
import { contentHash, contentText } from "./content.ts";
import { type CardCourse, courseOfCard, type FindCourse } from "./course-of-card.ts";
import { fillCard } from "./fill-card.ts";
import type { Finding } from "./findings.ts";
import { type Findings, findingsOf } from "./findings.ts";
import { type CardReading, readCard, readFaultyCard } from "./read-card.ts";
import { externalIdOf } from "./references.ts";
import { holesOfRound } from "./register-match.ts";
import { allocationOf, type PlayedRound, scoreRound } from "./score-round.ts";
import type { Scorecard } from "./scorecard.ts";
import { isScorecard } from "./scorecard.ts";
import { checkCourseElsewhere } from "./unlisted-course.ts";
import { warnOfGarbledText, warnOfRules } from "./warnings.ts";

/** What assessing needs from outside. */
export interface AssessmentContext {
  /** The vendor's tenant name: a card without an ID gets one that is derived from it. */
  readonly apiSet: ApiSet;
  readonly now: Date;
  /** The union's time zone, an IANA name. */
  readonly timeZone: string;
  readonly courses: FindCourse;
  /** The country of the union's courses, filled in where a card leaves Country out; Denmark by default. */
  readonly country?: string | undefined;
}

/** What is to be said of one card. */
export type Assessment =
  | {
      readonly good: true;
      readonly index: number;
      readonly externalId: string;
      /** The card with everything that its sender left out. */
      readonly card: Scorecard;
      /** Of the card as it was sent; the order of its fields makes no difference. */
      readonly contentHash: string;
      readonly warnings: readonly Finding[];
    }
  | {
      readonly good: false;
      readonly index: number;
      readonly externalId?: string;
      readonly faults: readonly Finding[];
      readonly warnings: readonly Finding[];
    };

/**
 * Judges the cards of one submission: a good card is filled in, a bad one gets all of its faults at once.
 *
 * Never throws, whatever JSON it is given.
 *
 * @returns one assessment per card, in the same order
 */
export function assessSubmission(cards: readonly unknown[], context: AssessmentContext): Assessment[] {
  const externalIds: Places = new Map();
  const ids: Places = new Map();
  return cards.map((card, index) => {
    const externalId = externalIdOf(card);
    const findings = findingsOf(index, externalId);
    if (externalId !== undefined) reportRepeated(externalId, index, externalIds, findings);
    const good = assessCard(card, index, context, findings);
    if (good !== undefined) {
      // What is good is a scorecard as the schema has it.
      warnOfRepeatedId(card as Scorecard, index, ids, findings);
      return good;
    }
    const { faults, warnings } = findings;
    return { good: false, index, ...(externalId !== undefined && { externalId }), faults, warnings };
  });
}

/** The place of the first card of a submission by what names it. */
type Places = Map<string, number>;

/** The place of a card before this one that has the same name; this one is noted where there is none. */
function sameBefore(name: string, index: number, places: Places): number | undefined {
  const first = places.get(name);
  if (first === undefined) places.set(name, index);
  return first;
}

function reportRepeated(externalId: string, index: number, places: Places, findings: Findings): void {
  const first = sameBefore(externalId, index, places);
  if (first === undefined) return;
  const detail = `The card at index ${first} of this submission has the same ExternalID. Give each card its own.`;
  findings.fault("/ExternalID", "duplicate_external_id", detail, { received: externalId });
}

/** Warns of an ID that a good card before this one was sent with too; a card that is sent without gets one of its own. */
function warnOfRepeatedId({ ID }: Scorecard, index: number, places: Places, findings: Findings): void {
  const first = ID === undefined ? undefined : sameBefore(guidKey(ID), index, places);
  if (first === undefined) return;
  const detail = `The card at index ${first} of this submission has the same ID. It is passed on as sent, and the two may be taken for one. Give each card its own, or leave ID out.`;
  findings.warn("/ID", "duplicate_id", detail, { received: ID });
}

/** @returns undefined where the card has a fault */
function assessCard(
  sent: unknown,
  index: number,
  context: AssessmentContext,
  findings: Findings,
): Assessment | undefined {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent) || isLongNumber(sent)) {
    findings.fault("", "not_an_object", "A scorecard must be a JSON object.");
    return undefined;
  }
  const wellFormed = isScorecard(sent) ? sent : undefined;
  const content = wellFormed && contentText(wellFormed);
  if (!isSurelySmall(content) && isOversized(sent, findings)) return undefined;

  const reading =
    wellFormed === undefined ? readFaultyCard({ ...withPlainNumbers(sent) }, findings) : readCard(wellFormed);
  const { card } = reading;
  const startTime = card.Round.StartTime === undefined ? undefined : wallClock(card.Round.StartTime);
  const course = courseOfCard(reading, startTime, context.courses, context.timeZone, findings);
  checkStart(card.Round.StartTime, startTime, course, context, findings);
  if (course.kind === "elsewhere") checkCourseElsewhere(reading, findings);
  const complete = checkLists(reading, course, findings);
  const holesPlayed = complete ? checkHolesPlayed(reading, findings) : undefined;

  const tee = course.kind === "union" ? course.tee : undefined;
  const holes = course.kind === "unknown" ? undefined : holesOfRound(card.Course.Holes, tee?.numbers);
  checkHoles(reading, course, holes, findings);
  const round = holes && holesPlayed !== undefined ? roundOf(reading, holes, holesPlayed) : undefined;
  const worked = round && scoreRound(round);
  const allocation = round && worked && allocationOf(card, round, worked);
  if (complete) checkTotalStrokes(card, findings);
  checkTotalPoints(reading, allocation?.points ?? card.Result.Points, findings);
  if (tee?.numbers.par === undefined && holes) checkTotalPar(card, holes.pars, findings);
  if (content === undefined || !wellFormed || !holes || !worked || !allocation || findings.faults.length > 0)
    return undefined;

  const country = context.country ?? "DK";
  const whole = fillCard(wellFormed, { apiSet: context.apiSet, country, tee, holes, worked, allocation });
  warnOfGarbledText(wellFormed, content, findings);
  warnOfRules(whole, worked, findings);
  return {
    good: true,
    index,
    externalId: whole.ExternalID,
    card: whole,
    contentHash: contentHash(content),
    warnings: findings.warnings,
  };
}

/** Where each day begins first: a course elsewhere may be in any time zone, so its rounds are given this one. */
const earliestTimeZone = "Pacific/Kiritimati";

function checkStart(
  sent: string | undefined,
  startTime: number | undefined,
  course: CardCourse,
  { now, timeZone }: AssessmentContext,
  findings: Findings,
): void {
  const zone = course.kind === "elsewhere" ? earliestTimeZone : timeZone;
  if (startTime === undefined || !isAfterToday(startTime, now.getTime(), zone)) return;
  const today = timestampOf(wallClockAt(now.getTime(), zone)).slice(0, 8);
  const detail = "The round starts after today. Send its scorecard when it has been played.";
  findings.fault("/Round/StartTime", "start_in_future", detail, {
    expected: `not after ${today}`,
    received: sent,
  });
}

/** The round of a card; undefined where the card lacks something that it takes to work it out. */
function roundOf(
  { card, unreadable }: CardReading,
  holes: CompleteHoles,
  holesPlayed: number,
): PlayedRound | undefined {
  const { CourseHandicap, PHCP, Result } = card;
  const { Strokes: strokes } = Result;
  if (strokes?.length !== holes.pars.length || CourseHandicap === undefined || unreadable.has("/PHCP")) {
    return undefined;
  }
  return {
    holes,
    strokes,
    holesPlayed,
    courseHandicap: CourseHandicap,
    playingHandicap: PHCP ?? CourseHandicap,
  };
}
