import { setImmediate as immediate } from "node:timers/promises";
import type { AccountClub, ApiSet } from "../accounts/account.ts";
import { chunks, mapSettled } from "../formats/chunks.ts";
import { externalIdsOf } from "../formats/external-ids.ts";
import { guidKey } from "../formats/identifiers.ts";
import { type Assessment, assessSubmission } from "../golf/assess.ts";
import type { AssessmentContext } from "../golf/assessed-card.ts";
import type { Finding } from "../golf/findings.ts";
import { orUnavailable, RefusalError, unavailable } from "../golf/refusal.ts";
import type { CourseLookup } from "../register/course-lookup.ts";
import { clubsWithoutCourse, courseReferences } from "../register/course-references.ts";
import { judgeCorrections } from "./delivery/correction.ts";
import {
  type Acceptance,
  type CardPlan,
  changeCard,
  type EnqueueDependencies,
  enqueue,
  planCard,
  type ValidCard,
} from "./delivery/plan.ts";
import type { ScorecardTable } from "./delivery/scorecard-table.ts";
import type { PostTiming } from "./delivery/timing.ts";
import type { StoredCard } from "./life/card.ts";
import { contentOf } from "./life/card-content.ts";
import { digestContent } from "./person-data.ts";
import type { Handling } from "./read-submission.ts";
import { type Reassessed, reassessRefused } from "./reassess-refused.ts";

/** What assessing cards needs from outside. */
export interface AssessmentDependencies
  extends Pick<AssessmentContext, "timeZone" | "country" | "highestHandicapIndex" | "hasSandbox"> {
  readonly courses: CourseLookup;
  readonly now: () => Date;
}

/**
 * The context that a submission's cards are assessed in: the time, and the courses they name.
 *
 * @throws RefusalError `unavailable` if the mirror cannot be read
 */
export async function assessmentContext(
  apiSet: ApiSet,
  cards: readonly unknown[],
  { courses, now, timeZone, country, highestHandicapIndex, hasSandbox }: AssessmentDependencies,
): Promise<AssessmentContext> {
  const lookups = [courses.find(courseReferences(cards)), courses.clubs(clubsWithoutCourse(cards))] as const;
  await Promise.allSettled(lookups);
  const [found, clubs] = await Promise.all(lookups).catch((cause) => {
    const detail = "The mirror of the union's clubs and courses cannot be read.";
    throw unavailable(detail, { retryAfterSeconds: 30, cause });
  });
  const stage = { timeZone, country, highestHandicapIndex, hasSandbox };
  return { apiSet, now: now(), ...stage, courses: (id) => found.get(guidKey(id)), clubs };
}

/** What submitting needs from outside. */
export interface SubmissionDependencies extends AssessmentDependencies, EnqueueDependencies {
  readonly table: Pick<ScorecardTable, "read" | "write">;
  readonly timing: PostTiming;
  /** Reads the secret of the digests of erased cards. */
  readonly readDigestSecret: () => Promise<string>;
  /** Whether a response can carry these answers: nothing is stored that cannot be answered. */
  readonly fits: (answers: readonly CardAnswer[]) => boolean;
}

/** A card that has faults, and is not accepted. */
export interface InvalidCard {
  readonly valid: false;
  readonly externalId?: string;
  readonly faults: readonly Finding[];
}

/** The answer to one card of a submission. */
export type CardAnswer = ValidCard | InvalidCard;

/** What the headers of a submission and its account say. */
interface Preferences {
  readonly allowsAnyCorrection?: boolean;
  /** Whether it has a player's token. */
  readonly hasToken?: boolean;
  /** The club to which the account is bound. */
  readonly club?: AccountClub | undefined;
}

/** Cards that are stored together: one message, and two requests to the table. */
const groupSize = 50;
/** While some groups are being stored, the wake-ups of others are sent. */
const parallelGroups = 8;

const notStored = "The scorecards could not be stored.";

/**
 * Makes the function that accepts a submission.
 *
 * @returns a function to one answer a card, in order; it throws RefusalError `invalidCards` if a card has faults and handling
 *   is strict, `tooLarge` and `unavailable`
 */
export function createSubmission(dependencies: SubmissionDependencies) {
  return async function submit(
    apiSet: ApiSet,
    sent: readonly unknown[],
    handling: Handling,
    requestId: string,
    { allowsAnyCorrection = false, hasToken = false, club }: Preferences = {},
  ): Promise<CardAnswer[]> {
    const sender = { hasToken, club };
    const { assessments, undecided, read } = await assessAndRead(apiSet, sent, sender, dependencies);
    const assessed = assessments.map(answerOf);
    const valid = assessed.filter((card) => card.valid);
    const known = read.status === "fulfilled" ? read.value : undefined;
    const recognizing = known && recognizeErased(known, valid, dependencies.readDigestSecret);
    const found = recognizing && (await orUnavailable(notStored, recognizing));
    const judged = judgeCorrections(valid, found, allowsAnyCorrection, club);
    const answers = assessed.map((card) =>
      card.valid ? refusedIf(card, judged.get(card.index)?.fault) : card,
    );
    const faults = faultsIn(answers);
    const refusal = { kind: "invalidCards", cards: sent.length } as const;
    if (faults.length > 0 && handling === "strict") throw new RefusalError({ ...refusal, faults });
    if (read.status === "rejected") throw read.reason;
    if (undecided !== undefined && handling === "strict") throw undecided;
    if (!dependencies.fits(answers))
      throw new RefusalError({ kind: "tooLarge", limit: "about 5 MiB with all that is derived" });

    const groups = chunks(
      answers.filter((card) => card.valid),
      groupSize,
    );
    const request = { requestId, allowsAnyCorrection, club };
    const stored = await orUnavailable(
      notStored,
      mapSettled(groups, parallelGroups, (group) => store(apiSet, group, found, request, dependencies)),
    );
    const asStored = new Map(stored.flatMap((group) => [...group]));
    const late = faultsIn([...asStored.values()]);
    if (late.length > 0 && handling === "strict") {
      // Of several cards others are stored by now, so only the next submission, which finds this card stored, can refuse them all.
      if (sent.length === 1) throw new RefusalError({ ...refusal, faults: late });
      throw unavailable("Another request has just stored one of the cards.");
    }
    // The others are stored: with the same submission, which the vendor sends again, they are found so.
    if (undecided !== undefined) throw undecided;
    return answers.map((card) => (card.valid ? (asStored.get(card.externalId) ?? card) : card));
  };
}

async function readCards({ table }: SubmissionDependencies, apiSet: ApiSet, externalIds: readonly string[]) {
  const cards = await table.read(externalIds.map((externalId) => ({ apiSet, externalId })));
  return new Map(cards.map((card) => [card.externalId, card]));
}

/** Assesses a submission while the cards are read that are stored. The read may have failed: faults of cards are told first. */
async function assessAndRead(
  apiSet: ApiSet,
  sent: readonly unknown[],
  sender: Pick<AssessmentContext, "hasToken" | "club">,
  dependencies: SubmissionDependencies,
) {
  const begunAt = performance.now();
  const context = { ...(await assessmentContext(apiSet, sent, dependencies)), ...sender };
  // A single card is usually new: an insert that fails tells of one that is not, at the price of a read.
  const isReadFirst = sent.length > 1;
  const reading = isReadFirst
    ? orUnavailable(notStored, readCards(dependencies, apiSet, externalIdsOf(sent)))
    : undefined;
  const settled = Promise.allSettled([reading]);
  // After one turn of the event loop the requests are on their way; meanwhile the cards are assessed.
  if (isReadFirst) await immediate();
  const assessed = assessSubmission(sent, context);
  // A refused submission waits, too: Lambda would freeze a pending read, and resume it in the next run.
  const reassessing: Reassessed | Promise<Reassessed> = assessed.every(({ good }) => good)
    ? { assessments: assessed }
    : reassessRefused(sent, assessed, context, dependencies.courses, begunAt);
  await Promise.allSettled([reassessing, settled]);
  const [read] = await settled;
  return { ...(await reassessing), read };
}

/**
 * Finds which submitted cards are those that a person was erased from: each of these gets its hash again, so that it counts as
 * stored. It is neither stored nor posted again.
 */
async function recognizeErased(
  stored: ReadonlyMap<string, StoredCard>,
  sent: readonly Pick<ValidCard, "externalId" | "contentHash">[],
  readSecret: () => Promise<string>,
): Promise<ReadonlyMap<string, StoredCard>> {
  const recognized = new Map(stored);
  for (const { externalId, contentHash } of sent) {
    const card = stored.get(externalId);
    if (card?.erasedContent === undefined) continue;
    if (digestContent(await readSecret(), card, contentHash) === card.erasedContent)
      recognized.set(externalId, { ...card, contentHash });
  }
  return recognized;
}

/**
 * Stores cards, or finds them stored, or refuses those that are others under used ExternalIDs.
 *
 * @param found those that are stored; undefined if they have not been read
 * @returns each as it is stored, by ExternalID
 */
async function store(
  apiSet: ApiSet,
  cards: readonly ValidCard[],
  found: ReadonlyMap<string, StoredCard> | undefined,
  request: Pick<Acceptance, "requestId" | "allowsAnyCorrection" | "club">,
  dependencies: SubmissionDependencies,
): Promise<Map<string, CardAnswer>> {
  const { now, timing, readDigestSecret } = dependencies;
  const answers = new Map<string, CardAnswer>();
  // The same for all rounds, since a wake-up counts only for a version that was accepted when it was made.
  const acceptance = { now: now().getTime(), ...request, timing };
  // The wake-up of a version whose write was lost waits for that version: with a second one, two runs could post it at once.
  const woken = new Set<string>();
  let remaining = cards;
  const decide = (stored: typeof found) => {
    const change = remaining.map((card) => {
      const { externalId } = card;
      return { card, plan: planCard({ apiSet, externalId }, card, stored?.get(externalId), acceptance) };
    });
    return { change, result: answers };
  };
  const read = async () => {
    const externalIds = remaining.map(({ externalId }) => externalId);
    return recognizeErased(await readCards(dependencies, apiSet, externalIds), remaining, readDigestSecret);
  };
  const write = async (plans: ReturnType<typeof decide>["change"]) => {
    const overdue = plans.flatMap(({ plan }) => (plan.kind === "repeat" ? (plan.again ?? []) : []));
    const changed = plans.flatMap(({ card, plan }) => {
      if (plan.kind !== "change") return [];
      const key = `${plan.change.set.version} ${card.externalId}`;
      const wakeUps = woken.has(key) ? [] : plan.wakeUps;
      woken.add(key);
      return [{ card, change: plan.change, wakeUps }];
    });
    // If the change of an overdue card is lost, it is not needed: the card has been posted or changed meanwhile.
    const results = await enqueue([...changed, ...overdue], dependencies);
    for (const { card, plan } of plans) answers.set(card.externalId, answerOfPlan(card, plan));
    remaining = changed.filter((_, index) => results[index] === "lost").map(({ card }) => card);
    return remaining.length === 0;
  };
  return changeCard(found, { read, write }, decide);
}

const faultsIn = (answers: readonly CardAnswer[]): readonly Finding[] =>
  answers.flatMap((answer) => (answer.valid ? [] : answer.faults));

/** The card, or its refusal if it has this fault. */
function refusedIf(card: ValidCard, fault: Finding | undefined): CardAnswer {
  return fault === undefined ? card : { valid: false, externalId: card.externalId, faults: [fault] };
}

/** The answer to a card whose plan has been carried out. */
function answerOfPlan(card: ValidCard, plan: CardPlan): CardAnswer {
  if (plan.kind === "refuse") return refusedIf(card, plan.fault);
  if (plan.kind === "repeat")
    return plan.stored.erasedContent === undefined ? { ...card, content: plan.stored.content } : card;
  const { content = card.content, corrects } = plan.change.set;
  return { ...card, content, ...(corrects !== undefined && { corrects }) };
}

/** The answer to a card that is not stored yet. */
function answerOf(assessment: Assessment): CardAnswer {
  if (!assessment.good) {
    const { externalId, faults } = assessment;
    return { valid: false, faults, ...(externalId !== undefined && { externalId }) };
  }
  const { index, externalId, contentHash, card, warnings } = assessment;
  return { valid: true, index, externalId, contentHash, content: contentOf(card, warnings) };
}
