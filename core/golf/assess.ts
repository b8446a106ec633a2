import { isLongNumber } from "../formats/exact-json.ts";
import { externalIdOf, refuseSandboxId } from "../formats/external-ids.ts";
import { guidKey } from "../formats/identifiers.ts";
import { isAfterToday, timestampOf, wallClock, wallClockAt } from "../formats/union-time.ts";
import type { AssessedCard, AssessmentContext, FieldCard } from "./assessed-card.ts";
import {
  checkHoles,
  checkHolesPlayed,
  checkLists,
  checkTotalPar,
  checkTotalPoints,
  checkTotalStrokes,
  type ScoredRound,
} from "./check-round.ts";
import { contentHash, contentOf, type HashedContent, isOversized, isSurelySmall } from "./content.ts";
import { type CardCourse, courseOfCard } from "./course-of-card.ts";
import { checkBoundClub } from "./course-of-round.ts";
import { fillCard } from "./fill-card.ts";
import type { Finding, Findings } from "./findings.ts";
import { handicapsByRule, isHandicapRight, warnOfPlayingHandicap } from "./handicaps.ts";
import { warnOfHolesNotPlayed, warnOfNine } from "./holes-not-played.ts";
import { dropCaseDuplicates, reportCaseDuplicates, warnOfMisspeltFields } from "./misspelt-fields.ts";
import { readFaultyCard, withoutUnset } from "./read-card.ts";
import { explainHandicap, warnOfHandicap } from "./repair-handicap.ts";
import { earlierPlayers, warnOfRounds } from "./same-round.ts";
import { allocationOf, type RoundToScore, scoreRound } from "./score-round.ts";
import {
  isExceptionalScore,
  warnOfExceptional,
  warnOfGross,
  warnOfPoints,
  warnOfShiftedRows,
  warnOfStrokes,
  warnOfStrokesReceived,
  warnOfTotals,
} from "./score-warnings.ts";
import { type CardReading, isScorecard, type ReadableCard, type Scorecard } from "./scorecard.ts";
import { type CompleteHoles, unrankedHoles } from "./tee-numbers.ts";
import { holesOfRound, type RegisteredTee } from "./tee-of-card.ts";
import { checkUnlistedCourse } from "./unlisted-course.ts";
import {
  warnOfArrival,
  warnOfClubNumbers,
  warnOfCreation,
  warnOfGarbledText,
  warnOfHoleNumbers,
  warnOfMarker,
  warnOfPar,
  warnOfRating,
  warnOfStart,
  warnOfTee,
} from "./warnings.ts";

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
  const cardOfExternalId = earlierCards(cards.length);
  const cardOfId = earlierCards(cards.length);
  const isPlayerSeen = cards.length === 1 ? () => false : earlierPlayers();
  // Nearly all submissions end without a second look at their cards, which by then are far away in memory.
  let isPlayerRepeated = false;
  let hasExceptional = false;
  const valid: FieldCard[] = [];
  const assessments = cards.map((sent, index): Assessment => {
    const externalId = externalIdOf(sent);
    const findings = collectFindings(index, externalId);
    const earlier = cardOfExternalId(externalId, index);
    if (earlier !== undefined) reportRepeatedExternalId(externalId, earlier, findings);
    const refusal = refuseSandboxId(externalId ?? "", context.hasSandbox ?? false);
    if (refusal !== undefined) findings.fault("/ExternalID", "sandbox_id", refusal, { received: externalId });
    const assessed = assessCard(sent, context, findings);
    const { faults, warnings } = findings;
    if (assessed === undefined)
      return { good: false, index, ...(externalId !== undefined && { externalId }), faults, warnings };
    const { ID } = assessed.sent;
    // The filled card has an ID of its own if none was sent.
    const first = cardOfId(ID ? guidKey(ID) : undefined, index);
    if (first !== undefined) warnOfRepeatedId(ID, first, findings);
    const { start, tee, round, filled: card, content } = assessed;
    isPlayerRepeated ||= isPlayerSeen(card);
    hasExceptional ||= warnings.some(isExceptionalScore);
    valid.push({ index, findings, start, tee, round, card });
    const hash = contentHash(content.text);
    return { good: true, index, externalId: card.ExternalID, card, contentHash: hash, warnings };
  });
  if (cards.length > 1 && hasExceptional) warnOfShiftedRows(valid);
  if (isPlayerRepeated) warnOfRounds(valid);
  return assessments;
}

/**
 * A search for earlier cards by identifier. Nearly all identifiers differ, so each is looked up once only.
 * @returns a function from a card's identifier to the index of the first card that had it, undefined if it is this card
 */
function earlierCards(count: number): (identifier: string | undefined, index: number) => number | undefined {
  if (count === 1) return () => undefined;
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

/** Warns of what is doubtful about a card without a fault, in this order. Calls that stand by themselves are quicker than a list of rules. */
function warnOfDoubts(card: AssessedCard, findings: Findings, context: AssessmentContext): void {
  warnOfGarbledText(card, findings);
  warnOfMisspeltFields(card.content.misspelt, findings);
  if (context.hasToken)
    findings.warn(
      "",
      "token_not_used",
      "The header Token is not passed on to the exchange, which gets the cards with your account. Leave it out.",
    );
  warnOfHoleNumbers(card, findings);
  warnOfTee(card, findings);
  warnOfStart(card, findings);
  warnOfRating(card, findings);
  warnOfPar(card, findings);
  warnOfMarker(card, findings);
  warnOfClubNumbers(card, findings, context);
  warnOfArrival(card, findings, context);
  warnOfCreation(card, findings, context);
  warnOfStrokes(card, findings);
  warnOfPlayingHandicap(card, findings);
  warnOfNine(card, findings);
  warnOfHolesNotPlayed(card, findings);
  warnOfTotals(card, findings);
  warnOfStrokesReceived(card, findings);
  warnOfPoints(card, findings);
  warnOfGross(card, findings);
  // One slip of the handicap makes both.
  if (isHandicapRight(card, context)) warnOfExceptional(card, findings);
  else warnOfHandicap(card, findings, context);
}

/** Judges a card from the top down, and then warns of what is doubtful. @returns undefined if it has a fault */
function assessCard(sent: unknown, context: AssessmentContext, findings: Findings): AssessedCard | undefined {
  const received = readSent(sent, context.timeZone, findings);
  if (received === undefined) return undefined;
  const { reading, content, card } = received;
  const start = startOf(reading);
  const course = courseOfCard(reading, start, context.courses, context.timeZone, findings);
  // An unlisted course may be in any time zone, so its rounds are checked against the one whose days begin first.
  const timeZone = course.kind === "unlisted" ? earliestTimeZone : context.timeZone;
  checkStart(reading, start, timeZone, context.now, findings);
  if (course.kind === "unlisted") checkUnlistedCourse(reading, context.country, context.clubs?.ids, findings);
  const version = course.kind === "union" ? course.version : undefined;
  if (context.club && course.kind !== "unknown") checkBoundClub(reading, version, context.club.id, findings);
  const scored = checkRound(reading, course, findings);
  const tee = course.kind === "union" ? course.tee : undefined;
  if (!card || !content || !scored || start === undefined || findings.faults.length > 0) {
    if (course.kind !== "unknown") explainHandicap(reading, tee, findings, context);
    return undefined;
  }
  const { round, score } = scored;
  const allocation = allocationOf(card, round, score);
  const { apiSet, country, club } = context;
  const { holes } = round;
  const filled = fillCard(card, { apiSet, country, club, tee, version, holes, score, allocation });
  dropCaseDuplicates(filled, content.misspelt);
  const handicaps = handicapsByRule(filled, tee);
  const assessed = { sent: card, content, start, tee, timeZone, round, score, allocation, filled, handicaps };
  warnOfDoubts(assessed, findings, context);
  return assessed;
}

/** A card as it was received. */
interface ReceivedCard {
  readonly reading: CardReading;
  /** The card if it is well-formed, and its content. */
  readonly card?: Scorecard;
  readonly content?: HashedContent | undefined;
}

/** Reads a card, and reports each field that is not of its form. @returns undefined if the card cannot be checked */
function readSent(sent: unknown, timeZone: string, findings: Findings): ReceivedCard | undefined {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent) || isLongNumber(sent)) {
    findings.fault("", "not_an_object", "A scorecard must be a JSON object.");
    return undefined;
  }
  // Nearly all cards have nothing unset.
  const card = isScorecard(sent) ? sent : withoutUnset(sent);
  const wellFormed = isScorecard(card) ? card : undefined;
  const content = wellFormed && contentOf(wellFormed);
  if (!isSurelySmall(content) && isOversized(sent, content, findings)) return undefined;
  if (content !== undefined) reportCaseDuplicates(content.misspelt, findings);
  if (wellFormed === undefined) return { reading: readFaultyCard(card, timeZone, findings) };
  const strokesSent = wellFormed.Result.Strokes.length;
  return { reading: { card: wellFormed, unreadable: nothing, strokesSent }, card: wellFormed, content };
}

const nothing: ReadonlySet<string> = new Set();

/** Wall clock of a round's start, in milliseconds since 1970 as if it were UTC. */
function startOf({ card: { Round } }: CardReading): number | undefined {
  return Round.StartTime === undefined ? undefined : wallClock(Round.StartTime);
}

/** Checks the round of a card, and scores it. @returns undefined if the card lacks something that scoring needs */
function checkRound(reading: CardReading, course: CardCourse, findings: Findings): ScoredRound | undefined {
  const { card } = reading;
  const isComplete = checkLists(reading, course, findings);
  const holesPlayed = isComplete ? checkHolesPlayed(reading, course, findings) : undefined;
  const tee = course.kind === "union" ? course.tee : undefined;
  const holes = course.kind === "unknown" ? undefined : holesOf(card, tee);
  checkHoles(reading, course, holes, findings);
  const round = holes && holesPlayed !== undefined ? roundOf(reading, holes, holesPlayed) : undefined;
  const scored = round && { round, score: scoreRound(round) };
  if (isComplete) checkTotalStrokes(card, scored, findings);
  checkTotalPoints(reading, scored, findings);
  if (tee?.numbers.par === undefined && holes) checkTotalPar(card, holes.pars, findings);
  return scored;
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
  { card }: CardReading,
  startTime: number | undefined,
  zone: string,
  now: Date,
  findings: Findings,
): void {
  if (startTime === undefined || !isAfterToday(startTime, now.getTime(), zone)) return;
  const today = timestampOf(wallClockAt(now.getTime(), zone)).slice(0, 8);
  const detail =
    "The round starts after today. Correct the day, or send the card when the round has been played.";
  findings.fault("/Round/StartTime", "start_in_future", detail, {
    expected: `not after ${today}`,
    received: card.Round.StartTime,
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

/** Makes an empty collection for one card, which adds the card's index and ExternalID to each finding. */
function collectFindings(index: number, externalId: string | undefined): Findings {
  const faults: Finding[] = [];
  const warnings: Finding[] = [];
  const card = externalId === undefined ? { index } : { index, externalId };
  return {
    faults,
    warnings,
    fault(pointer, code, detail, values) {
      faults.push({ ...card, pointer, code, detail, ...values });
    },
    warn(pointer, code, detail, values) {
      warnings.push({ ...card, pointer, code, detail, ...values });
    },
  };
}
