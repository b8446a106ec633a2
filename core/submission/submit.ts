import { setImmediate as immediate } from "node:timers/promises";
import type { ApiSet } from "../account/api-set.ts";
import { correctionTimes } from "../delivery/correction-times.ts";
import type { OutgoingCard } from "../delivery/outgoing-messages.ts";
import type { CourseLookup } from "../mirror/course-lookup.ts";
import { fitsAnswer } from "../problem/answer-size.ts";
import { invalidCards, ProblemError, tooLarge, tryAgain } from "../problem/problem.ts";
import {
  type AssessmentContext,
  assessSubmission,
  courseReferences,
  externalIdsOf,
} from "../scorecard/assess.ts";
import type { Finding } from "../scorecard/finding.ts";
import { chunks, workOnAll } from "../store/chunks.ts";
import type { ScorecardTable } from "../store/scorecard-table.ts";
import { busyAsProblem } from "./busy-as-problem.ts";
import type { Handling } from "./handling.ts";
import { type AcceptedCard, inWholeParcels, parcelsOf } from "./parcels.ts";
import { prepareCard, type RefusedCard } from "./prepare-card.ts";
import { correctionDelay, planCard } from "./revision.ts";

/** What submitting needs from outside. */
export interface SubmissionParts {
  readonly cards: Pick<ScorecardTable, "read" | "putCards">;
  readonly send: (cards: readonly OutgoingCard[]) => Promise<void>;
  readonly courses: CourseLookup;
  readonly now: () => Date;
  /** The union's time zone. */
  readonly timeZone: string;
  /** How long a correction stays out of sight. */
  readonly correctionDelaySeconds: number;
}

/** What became of one card of a submission. */
export type CardAnswer =
  | {
      readonly good: true;
      readonly externalId: string;
      /** JSON of the card, with every derived field. */
      readonly card: string;
      readonly warnings: readonly Finding[];
    }
  | RefusedCard;

/** The JSON that an answer has of a card. */
const textsOf = ({ externalId, ...answer }: CardAnswer): string[] =>
  answer.good
    ? [answer.card, JSON.stringify({ externalId, warnings: answer.warnings })]
    : [JSON.stringify({ externalId, errors: answer.faults })];

/** Whole requests: one to the queue, of five messages with ten cards each, and two to the table, of 25 cards. */
const takenTogether = 50;
/** Groups of cards under way at once: while some are being stored, others are being sent. */
const parallelGroups = 8;

const notStored = "The scorecards could not be stored.";

/**
 * What the cards of a submission are judged by: the time, and the courses they name.
 *
 * @throws ProblemError 503 where a course cannot be asked for
 */
export async function assessmentContext(
  apiSet: ApiSet,
  cards: readonly unknown[],
  { courses, now, timeZone }: Pick<SubmissionParts, "courses" | "now" | "timeZone">,
): Promise<AssessmentContext> {
  const register = await courses.find(courseReferences(cards)).catch((cause) => {
    const detail = "A card names a course that is not mirrored yet, and the union cannot be asked for it.";
    throw new ProblemError(tryAgain(detail), { headers: { "Retry-After": "30" }, cause });
  });
  return { apiSet, now: now(), timeZone, courses: (id) => register.get(id) };
}

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
    const accepted: AcceptedCard[] = [];
    const parcels = parcelsOf(prepared.flatMap((judged) => (judged.good ? [judged.contentHash] : [])));
    let place = 0;
    const answers = prepared.map((judged): CardAnswer => {
      if (!judged.good) return judged;
      const { externalId, contentHash, content } = judged;
      const parcel = parcels[place++];
      const history = stored.get(externalId);
      const plan = planCard(contentHash, history);
      const known = history?.card;
      if (plan.kind === "repeat" && known !== undefined) {
        return {
          good: true,
          externalId: known.externalId,
          card: known.content.text(),
          warnings: known.content.warnings(),
        };
      }
      const key = { apiSet, externalId };
      const card = content.text();
      const revision = plan.kind === "repeat" ? contentHash : plan.revision;
      const corrects = plan.kind === "correction" ? plan.corrects : undefined;
      const delaySeconds =
        plan.kind === "correction" ? correctionDelay(history, acceptedAt, correctionDelaySeconds) : 0;
      const first = known === undefined ? parcel && { id: parcel.id, revision } : known.parcel;
      accepted.push({
        outgoing: { queued: { ...key, revision, corrects, acceptedAt, requestId, card }, delaySeconds },
        record: { ...key, revision, contentHash, acceptedAt, content, parcel: first },
        parcel: known === undefined ? parcel : undefined,
      });
      return { good: true, externalId, card, warnings: content.warnings() };
    });

    if (!fitsAnswer(answers.flatMap(textsOf))) {
      throw new ProblemError(tooLarge("about 5 MiB with all that is derived"));
    }
    // A correction must have been stored before it comes into sight, and its original must not be posted after that.
    const inTime = AbortSignal.timeout(correctionTimes(correctionDelaySeconds).storingMilliseconds);
    const take = async (group: readonly AcceptedCard[]) => {
      const some = inWholeParcels(group);
      await send(some.map(({ outgoing }) => outgoing));
      await table.putCards(
        some.map(({ record }) => record),
        inTime,
      );
    };
    await busyAsProblem(notStored, workOnAll(chunks(accepted, takenTogether), parallelGroups, take));
    return answers;
  };
}
