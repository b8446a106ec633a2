import type { ApiSet } from "../accounts/account.ts";
import { isLongNumber } from "../formats/exact-json.ts";
import { guidKey } from "../formats/identifiers.ts";
import { isAfterToday, timestampOf, wallClock, wallClockAt } from "../formats/union-time.ts";
import { checkHoles, checkHolesPlayed, checkLists } from "./check-round.ts";
import { checkTotalPar, checkTotalPoints, checkTotalStrokes, warnOfTotals } from "./check-totals.ts";
import { contentHash, contentOf, isOversized, isSurelySmall } from "./content.ts";
import { courseOfCard, type FindCourse } from "./course-of-card.ts";
import { externalIdOf } from "./external-ids.ts";
import { fillCard } from "./fill-card.ts";
import { type Finding, type Findings, findingsOf } from "./findings.ts";
import { warnOfHoleNumbers } from "./hole-numbers.ts";
import { warnOfHolesNotPlayed } from "./holes-not-played.ts";
import { warnOfMisspeltFields } from "./misspelt-fields.ts";
import { warnOfNine } from "./nine-of-eighteen.ts";
import { type CardReading, readCard, readFaultyCard, withoutUnset } from "./read-card.ts";
import { earlierPlayers, warnOfRounds } from "./same-round.ts";
import { allocationOf, type RoundToScore, scoreRound } from "./score-round.ts";
import { isScorecard, type ReadableCard, type Scorecard } from "./scorecard.ts";
import { type CompleteHoles, unrankedHoles } from "./tee-numbers.ts";
import { holesOfRound, type RegisteredTee } from "./tee-of-card.ts";
import { warnOfUnlikely } from "./unlikely-figures.ts";
import { checkUnlistedCourse } from "./unlisted-course.ts";
import { type KnownClubs, warnOfGarbledText, warnOfRules, warnOfUncounted } from "./warnings.ts";

/** All that a card is judged by besides itself. Assessing reads no clock and no table, so its result can be repeated. */
export interface AssessmentContext {
  /** The vendor's tenant name: a card without an ID gets one that is derived from it. */
  readonly apiSet: ApiSet;
  readonly now: Date;
  /** The union's time zone, an IANA name. */
  readonly timeZone: string;
  readonly courses: FindCourse;
  /** The country of the union's courses, ISO 3166, filled in if a card leaves Country out. */
  readonly country: string;
  /** The highest Handicap Index that the union gives a player. */
  readonly highestHandicapIndex: number;
  /** Left out, clubs are not checked. */
  readonly clubs?: KnownClubs | undefined;
}

/** The result of assessing one card. */
export type Assessment =
  | {
      readonly good: true;
      readonly index: number;
      readonly externalId: string;
      /** The card with all derived fields filled in. */
      readonly card: Scorecard;
      /** Hash of the card as it was sent; the order of its fields makes no difference. */
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
  const cardOfExternalId = earlierCards();
  const cardOfId = earlierCards();
  // Nearly all players have one round in a submission, so nearly none has rounds to compare.
  const isPlayerSeen = cards.length > 1 ? earlierPlayers() : undefined;
  let isPlayerRepeated = false;
  const found: Findings[] = [];
  const assessments = cards.map((card, index): Assessment => {
    const externalId = externalIdOf(card);
    const findings = findingsOf(index, externalId);
    found.push(findings);
    const earlier = cardOfExternalId(externalId, index);
    if (earlier !== undefined) reportRepeatedExternalId(externalId, earlier, findings);
    const good = assessCard(card, index, context, findings);
    if (good !== undefined) {
      // The filled card has an ID of its own if none was sent.
      const { ID } = card as Scorecard;
      const first = cardOfId(ID ? guidKey(ID) : undefined, index);
      if (first !== undefined) warnOfRepeatedId(ID, first, findings);
      if (isPlayerSeen?.(good.card.Player)) isPlayerRepeated = true;
      return good;
    }
    const { faults, warnings } = findings;
    return { good: false, index, ...(externalId !== undefined && { externalId }), faults, warnings };
  });
  if (isPlayerRepeated)
    warnOfRounds(
      assessments.filter((one) => one.good),
      found,
    );
  return assessments;
}

/**
 * A search for earlier cards by identifier. Nearly all identifiers differ, so each is looked up once only.
 * @returns a function from a card's identifier to the index of the first card that had it, undefined if it is this card
 */
function earlierCards(): (identifier: string | undefined, index: number) => number | undefined {
  const seen = new Set<string>();
  const inOrder: string[] = [];
  return (identifier, index) => {
    if (identifier === undefined) return undefined;
    inOrder[index] = identifier;
    const { size } = seen;
    return seen.add(identifier).size > size ? undefined : inOrder.indexOf(identifier);
  };
}

function reportRepeatedExternalId(externalId: string | undefined, first: number, findings: Findings): void {
  const detail = `The card at index ${first} of this submission has the same ExternalID. Give each card its own.`;
  findings.fault("/ExternalID", "duplicate_external_id", detail, { received: externalId });
}

function warnOfRepeatedId(ID: string | undefined, first: number, findings: Findings): void {
  const detail = `The card at index ${first} of this submission has the same ID. It is passed on as sent, and the two may be taken for one. Give each card its own, or leave ID out.`;
  findings.warn("/ID", "duplicate_id", detail, { received: ID });
}

function assessCard(
  sent: unknown,
  index: number,
  context: AssessmentContext,
  findings: Findings,
): (Assessment & { readonly good: true }) | undefined {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent) || isLongNumber(sent)) {
    findings.fault("", "not_an_object", "A scorecard must be a JSON object.");
    return undefined;
  }
  // Nearly all cards have nothing unset.
  const set = isScorecard(sent) ? sent : withoutUnset(sent);
  const wellFormed = isScorecard(set) ? set : undefined;
  const content = wellFormed && contentOf(wellFormed);
  if (!isSurelySmall(content) && isOversized(sent, content, findings)) return undefined;

  const reading = wellFormed === undefined ? readFaultyCard(set, findings) : readCard(wellFormed);
  const { card } = reading;
  const startTime = card.Round.StartTime === undefined ? undefined : wallClock(card.Round.StartTime);
  const course = courseOfCard(reading, startTime, context.courses, context.timeZone, findings);
  // An unlisted course may be in any time zone, so its rounds are checked against the one whose days begin first.
  const zone = course.kind === "unlisted" ? earliestTimeZone : context.timeZone;
  checkStart(card.Round.StartTime, startTime, zone, context.now, findings);
  const { country } = context;
  if (course.kind === "unlisted") checkUnlistedCourse(reading, country, context.clubs?.ids, findings);
  const complete = checkLists(reading, course, findings);
  const holesPlayed = complete ? checkHolesPlayed(reading, course, findings) : undefined;

  const tee = course.kind === "union" ? course.tee : undefined;
  const holes = course.kind === "unknown" ? undefined : holesOf(card, tee);
  checkHoles(reading, course, holes, findings);
  const round = holes && holesPlayed !== undefined ? roundOf(reading, holes, holesPlayed) : undefined;
  const score = round && scoreRound(round);
  const allocation = round && score && allocationOf(card, round, score);
  const scored = round && score && { round, score };
  if (complete) checkTotalStrokes(card, scored, findings);
  checkTotalPoints(reading, scored, findings);
  if (tee?.numbers.par === undefined && holes) checkTotalPar(card, holes.pars, findings);
  if (content === undefined || !wellFormed || !holes || !score || !allocation || findings.faults.length > 0)
    return undefined;

  const whole = fillCard(wellFormed, { apiSet: context.apiSet, country, tee, holes, score, allocation });
  warnOfGarbledText(wellFormed, content.text, findings);
  warnOfMisspeltFields(content.unknown, findings);
  if (card.Course.Holes) warnOfHoleNumbers(card.Course.Holes, tee?.numbers.numbers, findings);
  warnOfUncounted(whole, tee?.numbers, country, context.clubs, findings);
  warnOfUnlikely(whole, context.now, zone, context.highestHandicapIndex, findings);
  warnOfNine(whole, tee, findings);
  warnOfHolesNotPlayed(wellFormed, tee, findings);
  warnOfTotals(wellFormed, score, allocation, findings);
  warnOfRules(wellFormed, whole, { score, allocation }, findings);
  return {
    good: true,
    index,
    externalId: whole.ExternalID,
    card: whole,
    contentHash: contentHash(content.text),
    warnings: findings.warnings,
  };
}

/**
 * The holes of a round. On a tee without any stroke index strokes are received in the order of the holes, if the round does not
 * count for handicapping anyway.
 */
function holesOf(card: ReadableCard, tee: RegisteredTee | undefined): CompleteHoles | undefined {
  const { Holes } = card.Course;
  const holes = holesOfRound(Holes, tee?.numbers);
  if (holes !== undefined || tee === undefined || card.Result.IsQualifying !== false) return holes;
  const { numbers } = tee.numbers;
  const isInOrder = Holes?.every(
    ({ Number: number, Index }, place) =>
      Index === undefined && (number === undefined || number === numbers[place]),
  );
  return Holes === undefined || (isInOrder && Holes.length === numbers.length)
    ? unrankedHoles(tee.numbers)
    : undefined;
}

const earliestTimeZone = "Pacific/Kiritimati";

function checkStart(
  sent: string | undefined,
  startTime: number | undefined,
  zone: string,
  now: Date,
  findings: Findings,
): void {
  if (startTime === undefined || !isAfterToday(startTime, now.getTime(), zone)) return;
  const today = timestampOf(wallClockAt(now.getTime(), zone)).slice(0, 8);
  const detail = "The round starts after today. Send its scorecard when it has been played.";
  findings.fault("/Round/StartTime", "start_in_future", detail, {
    expected: `not after ${today}`,
    received: sent,
  });
}

/** The round of a card; undefined if the card lacks something that scoring needs. */
function roundOf(
  { card, unreadable }: CardReading,
  holes: CompleteHoles,
  holesPlayed: number,
): RoundToScore | undefined {
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
