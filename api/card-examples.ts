import { apiSetSchema } from "../core/accounts/account.ts";
import { State } from "../core/cards/life/states.ts";
import { type Assessment, assessSubmission } from "../core/golf/assess.ts";
import { denmark } from "../unions/denmark.ts";
import { exampleApiSet, exampleCourse, exampleExternalId, minimalCard } from "./examples.ts";
import type { Problem } from "./problems.ts";

/** Assesses a card as a submission does on the day after its round, so that no example differs from what is answered. */
function assessed(card: unknown): Assessment {
  const [assessment] = assessSubmission([card], {
    apiSet: apiSetSchema.parse(exampleApiSet),
    now: new Date("2025-06-23T08:00:00Z"),
    timeZone: denmark.timeZone,
    country: denmark.country,
    highestHandicapIndex: denmark.rules.highestHandicapIndex,
    courses: () => [exampleCourse],
  });
  if (assessment === undefined) throw new Error("An example has no assessment.");
  return assessment;
}

function accepted(): Assessment & { readonly good: true } {
  const assessment = assessed(minimalCard);
  if (!assessment.good) throw new Error(`The example is refused: ${JSON.stringify(assessment.faults)}`);
  return assessment;
}

const assessedCard = accepted();
export const { card, warnings } = assessedCard;
const { contentHash } = assessedCard;
export const entry = { index: 0, externalId: exampleExternalId, status: 201, card, contentHash, warnings };

export const badExternalId = "example-4";
const { Strokes } = minimalCard.Result;
const bad = assessed({
  ...minimalCard,
  ExternalID: badExternalId,
  Result: { ...minimalCard.Result, Strokes: Strokes.slice(1) },
});
export const errors = bad.good ? [] : bad.faults;
export const badEntry = {
  index: 1,
  externalId: badExternalId,
  status: 422,
  errors: errors.map((fault) => ({ ...fault, index: 1 })),
};

const refusedCards: Problem = {
  type: "urn:scorecards:problem:invalid-cards",
  title: "Scorecards not accepted",
  status: 422,
  detail:
    "1 of 1 scorecards cannot be accepted, so none was stored. Fix what `errors` lists and send the array again, or " +
    "send it with `Prefer: handling=lenient` to have the valid ones accepted.",
  errors,
};

export const accepting = { 201: [card], 207: [entry, badEntry], 422: refusedCards };

export const delivered = {
  externalId: exampleExternalId,
  id: card.ID,
  contentHash,
  acceptedAt: "2025-06-22T17:02:03.214Z",
  state: State.delivered,
  since: "2025-06-22T17:02:04.027Z",
  attempts: 1,
};
export const undelivered = {
  ...delivered,
  externalId: "example-2",
  state: State.undelivered,
  since: "2025-06-24T17:03:11.530Z",
  attempts: 41,
  lastError: { stage: "after", status: 503, message: "The exchange answered 503." },
};
export const queued = {
  externalId: exampleExternalId,
  id: card.ID,
  contentHash,
  acceptedAt: delivered.acceptedAt,
  state: State.queued,
  since: "2025-06-24T18:00:00.000Z",
};
