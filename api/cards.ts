import { listedStates } from "../core/cards/life/states.ts";
import { submissionLimits } from "../core/cards/read-submission.ts";
import { ungarbledPattern } from "../core/formats/external-ids.ts";
import { explainCard } from "../core/golf/explain.ts";
import { listedCounts } from "../core/views/activity-counts.ts";
import {
  accepting,
  badEntry,
  card,
  delivered,
  entry,
  warnings as exampleWarnings,
  queued,
  undelivered,
} from "./card-examples.ts";
import {
  cardStatusListSchema,
  cardStatusSchema,
  filledScorecardSchema,
  scorecardEntrySchema,
  sentScorecardSchema,
  storedScorecardSchema,
  validationSchema,
} from "./card-schemas.ts";
import { cardAbroad, exampleExternalId, fullCard, minimalCard } from "./examples.ts";
import { cardLinks } from "./links.ts";
import {
  dateOfQuery,
  defineOperation,
  header,
  jsonResponse,
  type Operation,
  problemResponse,
  query,
  requestOf,
} from "./operation.ts";
import { refer, referToEach } from "./schema.ts";

const limits = `${submissionLimits.cards} scorecards and ${submissionLimits.bytes / 2 ** 20} MiB`;

const warnings = {
  "Scorecard-Warnings": {
    description: "Number of warnings; a card's state and Validate list them.",
    required: true,
    schema: { type: "integer" },
    example: 0,
  },
  "Scorecard-Corrections": {
    description:
      "The first 50 cards that correct another content: index, the version that is corrected, and what changed (RFC 9651). A card's state has the same in `corrects`.",
    schema: { type: "string" },
    example: '0;version=1;changed="strokes"',
  },
};

const requestBody: Operation["requestBody"] = {
  required: true,
  content: {
    "application/json": {
      schema: { ...referToEach(sentScorecardSchema), maxItems: submissionLimits.cards },
      examples: {
        minimal: { summary: "Required fields only", value: [minimalCard] },
        full: { summary: "All fields", value: [fullCard] },
        abroad: { summary: "On a course that is not the union's", value: [cardAbroad] },
      },
    },
  },
};

const prefer = header(
  "Prefer",
  "With `handling=lenient`, the valid cards of a submission are accepted even if others are not (RFC 7240). With `correction=any`, a card also corrects a delivered one that has another player and another day or course.",
  { example: "handling=lenient" },
);

const applied = (required: boolean) => ({
  description: "The preferences that were followed.",
  required,
  schema: { type: "string" as const },
  example: required ? "handling=lenient" : "correction=any",
});

const submission: Pick<Operation, "description" | "parameters" | "requestBody" | "responses"> = {
  description:
    `At most ${limits}, in UTF-8; the body may be gzipped. If any card is invalid, none is accepted. (API set, ExternalID) ` +
    "identifies a card: the same content again changes nothing and gets the same response; other content is a correction.",
  parameters: [prefer],
  requestBody,
  responses: {
    201: jsonResponse(
      "Accepted: the array in the same order, each card with its ID and every derived field.",
      referToEach(filledScorecardSchema),
      {
        headers: { ...warnings, "Preference-Applied": applied(false) },
        links: cardLinks("$response.body#/0/ExternalID"),
        example: accepting[201],
      },
    ),
    207: jsonResponse(
      "With `Prefer: handling=lenient`: one entry per card.",
      referToEach(scorecardEntrySchema),
      {
        headers: {
          ...warnings,
          "Preference-Applied": applied(true),
        },
        example: accepting[207],
      },
    ),
    422: problemResponse("Cards that the exchange would lose, with all faults in `errors`.", {
      example: accepting[422],
    }),
  },
};

const noCard = problemResponse("No card with this ExternalID has been accepted.");

/** Submission of scorecards, and lists of them. */
export const submissionOperations = [
  { ...submission, ...requestOf("submitScorecards"), summary: "Submit scorecards" },
  {
    ...submission,
    ...requestOf("submitExchangedScorecards"),
    summary: "Submit scorecards, at the path of the union's own app",
  },
  defineOperation("validateScorecards", {
    summary: "Validate a submission",
    description:
      "Says how a submission would be answered, with all warnings, and explains every figure hole by hole. No card is stored or sent.",
    parameters: [
      {
        ...prefer,
        description:
          "With `return=minimal` the answer has what was found, without the cards and how they are calculated (RFC 7240). `correction=any` as for a submission.",
        example: "return=minimal",
      },
      query(
        "players",
        "true or 1 has the union asked whether it knows the players and markers, and its answer compared with the cards, 100 at most: the player check in docs/members.md.",
        { type: "boolean" },
      ),
    ],
    requestBody,
    responses: {
      200: jsonResponse("One entry per card.", refer(validationSchema), {
        example: {
          accepted: false,
          cards: [
            { ...entry, derivation: explainCard(card) },
            { ...badEntry, warnings: [] },
          ],
        },
      }),
    },
  }),
  defineOperation("listScorecardStates", {
    summary: "States of several cards",
    description:
      "Of up to 100 cards by ExternalID; or of all cards in a state, newest first; or of all cards accepted on some days, or counted by " +
      "Activity then, in the order in which they were. Lists have up to 100 cards per page.",
    parameters: [
      {
        name: "ExternalID",
        in: "query",
        description: "ID of a card; repeated for several.",
        schema: { type: "array", items: { type: "string", pattern: ungarbledPattern }, maxItems: 100 },
        style: "form",
        explode: true,
        example: [exampleExternalId],
      },
      query("state", "Only cards in this state, which need attention; not together with ExternalID.", {
        type: "string",
        enum: listedStates,
      }),
      query(
        "from",
        "First day on which the cards were accepted or counted, in the union's time zone; `to` if left out.",
        dateOfQuery,
      ),
      query("to", "Last day, at most 31 days from the first; today if left out.", dateOfQuery),
      query(
        "counted",
        "Only cards that Activity counted so on the days, whenever they were accepted and whatever became of them since: a count, or the code of a warning.",
        { type: "string", enum: listedCounts },
      ),
      query(
        "after",
        "Start of the page, from `next` of the previous page; with state or days only.",
        { type: "string" },
        `2025-06-22T17:02:03.214Z#${exampleExternalId}`,
      ),
    ],
    responses: {
      200: jsonResponse("The cards with their states.", refer(cardStatusListSchema), {
        links: cardLinks("$response.body#/cards/0/externalId"),
        example: { cards: [delivered, undelivered] },
      }),
    },
  }),
];

/** One card that was submitted. */
export const cardOperations = [
  defineOperation("getScorecardState", {
    summary: "State of one card",
    description: "What became of a card: whether it waits, is delivered, or was refused, and why.",
    responses: {
      200: jsonResponse("The card's state.", refer(cardStatusSchema), { example: delivered }),
      404: problemResponse("No card with this ExternalID has been accepted or refused."),
    },
  }),
  defineOperation("getScorecard", {
    summary: "One card, with every figure explained",
    description:
      "The card as it is stored and delivered, in whatever state it is, with its warnings and how each figure was " +
      "calculated, hole by hole.",
    responses: {
      200: jsonResponse("The card.", refer(storedScorecardSchema), {
        example: {
          externalId: exampleExternalId,
          version: 1,
          state: delivered.state,
          acceptedAt: delivered.acceptedAt,
          since: delivered.since,
          posts: [{ version: 1, at: delivered.since, posts: 1 }],
          earlier: [],
          card,
          warnings: exampleWarnings,
          derivation: explainCard(card),
        },
      }),
      404: noCard,
      410: problemResponse("The card's player has been erased; its state can still be read."),
    },
  }),
  defineOperation("withdrawScorecard", {
    summary: "Withdraw a card before it is delivered",
    description:
      "A card that waits is not delivered any more. What the exchange has stays there. The answer takes up to 16 seconds, " +
      "until no post of the card can be under way; until then the card is `withdrawing`.",
    responses: {
      204: { description: "Withdrawn." },
      404: noCard,
      409: problemResponse(
        "The exchange has, or may have, the card already, or the card was submitted again meanwhile.",
      ),
    },
  }),
  defineOperation("deliverScorecard", {
    summary: "Retry a waiting, rejected or undelivered card now",
    description:
      "A card that waits for its next attempt, or is `rejected` or `undelivered`, is retried at once. While nothing can be delivered " +
      "for the vendor (`paused`), it waits for that to end.",
    responses: {
      202: jsonResponse("The card's state; read it again to see the result.", refer(cardStatusSchema), {
        example: queued,
      }),
      404: noCard,
      409: problemResponse("The card is delivered or withdrawn: there is nothing to deliver."),
    },
  }),
];
