import { submissionLimits } from "../../../core/submission/read-submission.ts";
import { cardAbroad, exampleExternalId, fullCard, minimalCard } from "./examples.ts";
import type { Operation, Parameter, Response } from "./operation.ts";
import { jsonResponse, problemResponse } from "./responses.ts";
import { listOf, schemaOf } from "./schema-reference.ts";

const limits = `${submissionLimits.cards} scorecards and ${submissionLimits.bytes / 2 ** 20} MiB`;

const warnings: Response["headers"] = {
  "Scorecard-Warnings": {
    description: "Number of warnings; a card's state and Validate say which.",
    required: true,
    schema: { type: "integer" },
    example: 0,
  },
};

const requestBody: Operation["requestBody"] = {
  required: true,
  content: {
    "application/json": {
      schema: { ...listOf("Scorecard"), maxItems: submissionLimits.cards },
      examples: {
        minimal: { summary: "The fewest fields", value: [minimalCard] },
        full: { summary: "Every field", value: [fullCard] },
        abroad: { summary: "On a course that is not the union's", value: [cardAbroad] },
      },
    },
  },
};

const prefer: Parameter = {
  name: "Prefer",
  in: "header",
  description:
    "`handling=lenient` has the good cards of a submission accepted when others are bad (RFC 7240).",
  schema: { type: "string" },
  example: "handling=lenient",
};

const submission: Omit<Operation, "path" | "operationId" | "summary"> = {
  method: "post",
  resource: "scorecards",
  description:
    `At most ${limits}, in UTF-8; the body may be gzipped. If any card is bad, none is accepted. (API set, ExternalID) names a ` +
    "card: the same content again changes nothing and gets the same answer; other content is a correction.",
  parameters: [prefer],
  requestBody,
  responses: {
    201: jsonResponse(
      "Accepted: the array echoed in order, each card with its ID and every derived field.",
      listOf("FilledScorecard"),
      { headers: warnings },
    ),
    207: jsonResponse("With `Prefer: handling=lenient`: one entry a card.", listOf("ScorecardEntry"), {
      headers: {
        ...warnings,
        "Preference-Applied": {
          description: "The preference that was followed.",
          required: true,
          schema: { type: "string" },
          example: "handling=lenient",
        },
      },
    }),
    422: problemResponse(
      "Cards that the exchange would have lost, with every fault of every one in `errors`.",
    ),
  },
};

const noCard = problemResponse("No card with this ExternalID has been accepted.");

/** Scorecards: in, and what became of them. */
export const scorecardOperations: readonly Operation[] = [
  {
    ...submission,
    path: "/{apiset}/ScorecardExchange",
    operationId: "submitScorecards",
    summary: "Submit scorecards",
  },
  {
    ...submission,
    path: "/{apiset}/Clubs/Members/ExchangedScorecards",
    operationId: "submitExchangedScorecards",
    summary: "Submit scorecards, where the union's own app does",
  },
  {
    method: "post",
    path: "/{apiset}/ScorecardExchange/Validate",
    operationId: "validateScorecards",
    resource: "scorecards",
    summary: "What a submission would be answered, and why",
    description: "With all warnings, and every figure explained hole by hole. Nothing is stored or sent.",
    requestBody,
    responses: { 200: jsonResponse("One entry a card.", schemaOf("Validation")) },
  },
  {
    method: "get",
    path: "/{apiset}/ScorecardExchange",
    operationId: "listScorecardStates",
    resource: "scorecards",
    summary: "What became of several cards",
    description: "Either of up to 100 cards by name, or of those in a state, newest first, 100 a page.",
    parameters: [
      {
        name: "ExternalID",
        in: "query",
        description: "The card's name; repeated for several.",
        schema: { type: "array", items: { type: "string" }, maxItems: 100 },
        style: "form",
        explode: true,
        example: [exampleExternalId],
      },
      {
        name: "state",
        in: "query",
        description: "Cards that somebody should look at; not together with ExternalID.",
        schema: { type: "string", enum: ["undelivered", "rejected", "retrying"] },
      },
      {
        name: "after",
        in: "query",
        description: "Where the page begins, with state only; from `next` of the page before.",
        schema: { type: "string" },
      },
    ],
    responses: { 200: jsonResponse("The cards, each with its state.", schemaOf("CardStatusList")) },
  },
  {
    method: "get",
    path: "/{apiset}/ScorecardExchange/{externalId}",
    operationId: "getScorecardState",
    resource: "scorecards",
    summary: "What became of one card",
    responses: { 200: jsonResponse("The card's state.", schemaOf("CardStatus")), 404: noCard },
  },
  {
    method: "delete",
    path: "/{apiset}/ScorecardExchange/{externalId}",
    operationId: "withdrawScorecard",
    resource: "scorecards",
    summary: "Take a card back before it is delivered",
    responses: {
      204: { description: "Withdrawn." },
      404: noCard,
      409: problemResponse(
        "The exchange has answered for the card already, may have it, or the card was sent again meanwhile.",
      ),
    },
  },
  {
    method: "post",
    path: "/{apiset}/ScorecardExchange/{externalId}/Delivery",
    operationId: "deliverScorecard",
    resource: "scorecards",
    summary: "Try a waiting or given-up card now",
    description:
      "A card that waits for its next attempt is tried at once, and an `undelivered` one is sent on again. While " +
      "nothing can be delivered for the vendor (`paused`), it waits for that to end.",
    responses: {
      202: jsonResponse(
        "The card's state; ask for it again to see what became of it.",
        schemaOf("CardStatus"),
      ),
      404: noCard,
      409: problemResponse("The card is delivered, rejected or withdrawn: there is nothing to deliver."),
    },
  },
];

/** What the parameters in the paths are. */
export const scorecardPathParameters: Readonly<Record<string, Omit<Parameter, "name" | "in">>> = {
  externalId: {
    description: "The card's ExternalID, percent-encoded.",
    schema: { type: "string" },
    example: exampleExternalId,
  },
};
