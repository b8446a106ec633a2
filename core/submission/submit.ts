import { setImmediate as immediate } from "node:timers/promises";
import type { ApiSet } from "../accounts/api-set.ts";
import type { StoredCard } from "../delivery/card.ts";
import type { PostTiming } from "../delivery/timing.ts";
import { contentOf } from "../dynamodb/card-content.ts";
import { chunks, mapSettled } from "../dynamodb/chunks.ts";
import type { ScorecardTable } from "../dynamodb/scorecards.ts";
import { orUnavailable, RefusalError } from "../refusal.ts";
import { type Assessment, assessSubmission } from "../scorecard/assess.ts";
import type { Finding } from "../scorecard/finding.ts";
import { externalIdsOf } from "../scorecard/references.ts";
import { type AssessmentDependencies, assessmentContext } from "./assessment-context.ts";
import { type EnqueueDependencies, enqueue } from "./enqueue.ts";
import { planCard, type ValidCard } from "./plan.ts";
import type { Handling } from "./read-submission.ts";

/** What submitting needs from outside. */
export interface SubmissionDependencies extends AssessmentDependencies, EnqueueDependencies {
  readonly table: Pick<ScorecardTable, "read" | "write">;
  readonly timing: PostTiming;
  /** Whether a response can carry these answers: nothing is stored that the vendor cannot be told of. */
  readonly fits: (answers: readonly CardAnswer[]) => boolean;
}

/** A card that cannot be taken. */
export interface RefusedCard {
  readonly valid: false;
  readonly externalId?: string;
  readonly faults: readonly Finding[];
}

/** What became of one card of a submission. */
export type CardAnswer = ValidCard | RefusedCard;

/** Cards that are stored together: one message, and two requests to the table. */
const groupSize = 50;
/** While some groups are being stored, the wake-ups of others are sent. */
const parallelGroups = 8;
/** How often cards are planned if others change them first. */
const rounds = 4;

const notStored = "The scorecards could not be stored.";

/**
 * Makes the function that takes a submission.
 *
 * @returns a function to one answer a card, in order; it throws RefusalError `invalidCards` if a card is bad and handling is
 *   strict, `tooLarge` and `unavailable`
 */
export function createSubmission(dependencies: SubmissionDependencies) {
  const { table, send, now, timing, fits } = dependencies;
  const readCards = async (apiSet: ApiSet, externalIds: readonly string[]) => {
    const cards = await table.read(externalIds.map((externalId) => ({ apiSet, externalId })));
    return new Map(cards.map((card) => [card.externalId, card]));
  };

  /** Stores cards, or finds them stored. @returns each as it is stored, by ExternalID */
  async function store(
    apiSet: ApiSet,
    cards: readonly ValidCard[],
    found: ReadonlyMap<string, StoredCard>,
    requestId: string,
  ): Promise<Map<string, ValidCard>> {
    const answers = new Map<string, ValidCard>();
    /** Versions whose wake-up is out: planned again, they need no second one. */
    const awake = new Set<string>();
    const wakeUp: typeof send = async (wakeUps) => {
      const asleep = wakeUps.filter(({ externalId, version }) => !awake.has(`${version} ${externalId}`));
      if (asleep.length > 0) await send(asleep);
      for (const { externalId, version } of asleep) awake.add(`${version} ${externalId}`);
    };
    let stored = found;
    let left = cards;
    for (let round = 0; left.length > 0; round++) {
      if (round === rounds) throw new Error("Others keep changing a card.");
      const acceptance = { now: now().getTime(), requestId, timing };
      const plans = left.map((card) => {
        const { externalId } = card;
        return { card, plan: planCard({ apiSet, externalId }, card, stored.get(externalId), acceptance) };
      });
      const overdue = plans.flatMap(({ plan }) =>
        plan.kind === "repeat" && plan.isOverdue ? [plan.stored] : [],
      );
      if (overdue.length > 0) {
        await send(overdue.map((card) => ({ ...card, madeAt: card.acceptedAt, delaySeconds: 0 })));
      }
      const changed = plans.flatMap(({ card, plan }) => (plan.kind === "change" ? [{ card, ...plan }] : []));
      const results = await enqueue(
        changed.map(({ change }) => change),
        { table, now, send: wakeUp },
      );
      for (const { card, plan } of plans) {
        answers.set(
          card.externalId,
          plan.kind === "repeat" ? { ...card, content: plan.stored.content } : card,
        );
      }
      left = changed.filter((_, index) => results[index] === "lost").map(({ card }) => card);
      if (left.length > 0)
        stored = await readCards(
          apiSet,
          left.map(({ externalId }) => externalId),
        );
    }
    return answers;
  }

  return async function submit(
    apiSet: ApiSet,
    sent: readonly unknown[],
    handling: Handling,
    requestId: string,
  ): Promise<CardAnswer[]> {
    const context = await assessmentContext(apiSet, sent, dependencies);
    const reading = orUnavailable(notStored, readCards(apiSet, externalIdsOf(sent)));
    const read = Promise.allSettled([reading]);
    // Once around the event loop the requests have left; meanwhile the cards are judged.
    await immediate();
    const assessments = assessSubmission(sent, context);
    const faults = assessments.flatMap((assessment) => (assessment.good ? [] : assessment.faults));
    const refused = faults.length > 0 && handling === "strict";
    const judged = refused ? [] : assessments.map(answerOf);
    // Waited for whatever the cards are: what is under way when a function answers goes on in its next run.
    await read;
    if (refused) throw new RefusalError({ kind: "invalidCards", faults, cards: sent.length });

    const found = await reading;
    if (!fits(judged))
      throw new RefusalError({ kind: "tooLarge", limit: "about 5 MiB with all that is derived" });
    const valid = judged.filter((card) => card.valid);
    const stored = await orUnavailable(
      notStored,
      mapSettled(chunks(valid, groupSize), parallelGroups, (group) => store(apiSet, group, found, requestId)),
    );
    const answers = new Map(stored.flatMap((group) => [...group]));
    return judged.map((card) => (card.valid ? (answers.get(card.externalId) ?? card) : card));
  };
}

/** What a card is answered with if it is new. */
function answerOf(assessment: Assessment): CardAnswer {
  if (!assessment.good) {
    const { externalId, faults } = assessment;
    return { valid: false, faults, ...(externalId !== undefined && { externalId }) };
  }
  const { externalId, contentHash, card, warnings } = assessment;
  return { valid: true, externalId, contentHash, content: contentOf(card, warnings) };
}
