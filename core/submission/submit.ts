import { setImmediate as immediate } from "node:timers/promises";
import type { ApiSet } from "../account/api-set.ts";
import { correctionTimes } from "../delivery/correction-times.ts";
import type { OutgoingCard } from "../delivery/outgoing-messages.ts";
import { fitsAnswer } from "../problem/answer-size.ts";
import { invalidCards, ProblemError, tooLarge } from "../problem/problem.ts";
import { assessSubmission } from "../scorecard/assess.ts";
import { externalIdsOf } from "../scorecard/named-in-cards.ts";
import { chunks, workOnAll } from "../store/chunks.ts";
import type { ScorecardTable } from "../store/scorecard-table.ts";
import { acceptCards, type CardAnswer, textsOf } from "./accept-cards.ts";
import { type AssessmentParts, assessmentContext } from "./assessment-context.ts";
import { busyAsProblem } from "./busy-as-problem.ts";
import type { Handling } from "./handling.ts";
import { type AcceptedCard, inWholeParcels } from "./parcels.ts";
import { prepareCard } from "./prepare-card.ts";
import { cardStore } from "./store-cards.ts";

/** What submitting needs from outside. */
export interface SubmissionParts extends AssessmentParts {
  readonly cards: Pick<ScorecardTable, "read" | "readRecords" | "putCards">;
  readonly send: (cards: readonly OutgoingCard[]) => Promise<void>;
  /** How long a correction stays out of sight. */
  readonly correctionDelaySeconds: number;
}

/** Whole requests: one to the queue, of five messages with ten cards each, and two to the table, of 25 cards. */
const takenTogether = 50;
/** Groups of cards under way at once: while some are being stored, others are being sent. */
const parallelGroups = 8;

const notStored = "The scorecards could not be stored.";

/**
 * Takes a submission; its cards take the request's ID along to their delivery.
 *
 * A card's message goes out before it is stored. So a stored card always has its message in the queue: what was
 * answered 201 is delivered whatever happens next, and a submission that dies halfway leaves what was there before.
 *
 * @returns one answer a card, in order
 * @throws ProblemError 422 where a card is bad and handling is strict, 413, 503
 */
export function createSubmission(parts: SubmissionParts) {
  const { cards: table, send, now, correctionDelaySeconds } = parts;
  const store = cardStore(table, now);

  return async function submit(
    apiSet: ApiSet,
    sent: readonly unknown[],
    handling: Handling,
    requestId: string,
  ): Promise<CardAnswer[]> {
    const context = await assessmentContext(apiSet, sent, parts);
    const reading = busyAsProblem(notStored, table.read(apiSet, externalIdsOf(sent)));
    const read = Promise.allSettled([reading]);
    // Once around the event loop the requests have left; meanwhile the cards are judged, and the good ones packed.
    await immediate();
    const assessments = assessSubmission(sent, context);
    const faults = assessments.flatMap((assessment) => (assessment.good ? [] : assessment.faults));
    const refused = faults.length > 0 && handling === "strict";
    const prepared = refused ? [] : assessments.map(prepareCard);
    // Waited for whatever the cards are: what is under way when a function answers goes on in its next run.
    await read;
    if (refused) throw new ProblemError(invalidCards(faults, sent.length));

    const stored = await reading;
    const acceptedAt = now().getTime();
    const submission = { apiSet, acceptedAt, requestId, correctionDelaySeconds };
    const { answers, accepted } = acceptCards(prepared, stored, submission);
    if (!fitsAnswer(answers.flatMap(textsOf))) {
      throw new ProblemError(tooLarge("about 5 MiB with all that is derived"));
    }
    // A correction must have been stored before it comes into sight, and its original must not be posted after that.
    const inTime = AbortSignal.timeout(correctionTimes(correctionDelaySeconds).storingMilliseconds);
    const take = async (group: readonly AcceptedCard[]) => {
      const some = inWholeParcels(group);
      await send(some.map(({ outgoing }) => outgoing));
      await store(
        some.map(({ record }) => record),
        acceptedAt,
        inTime,
      );
    };
    await busyAsProblem(notStored, workOnAll(chunks(accepted, takenTogether), parallelGroups, take));
    return answers;
  };
}
