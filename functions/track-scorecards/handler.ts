import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { ProblemError, problem } from "../../core/problem/problem.ts";
import { scorecardReader, scorecardsInState } from "../../core/store/scorecards.ts";
import { cardStatus } from "../../core/tracking/card-status.ts";
import { json } from "../answer.ts";
import { leanSdk } from "../lean-sdk.ts";
import { variables } from "../variables.ts";
import { vendorApi } from "../vendor-api.ts";
import { cardsInState } from "./cards-in-state.ts";
import { readQuestion } from "./question.ts";

const settings = variables("SCORECARD_TABLE");
const dynamodb = new DynamoDBClient(leanSdk);
const table = {
  ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
  ...scorecardsInState(settings.SCORECARD_TABLE, dynamodb),
};

/** Says what became of one card, or of up to a hundred, or which cards are in a state that needs attention. */
export const handler = vendorApi(async ({ apiSet, path, query }) => {
  const named = path.externalId;
  if (named !== undefined) {
    const status = cardStatus(named, (await table.read(apiSet, [named])).get(named));
    if (status.state === "unknown") {
      throw new ProblemError(problem(404, "No such card", "No card with this ExternalID has been accepted."));
    }
    return json(200, status);
  }

  const question = readQuestion(query);
  if (question.about === "state") return cardsInState(table, apiSet, question.state, question.after);
  const { externalIds } = question;
  const histories = await table.read(apiSet, externalIds);
  return json(200, {
    cards: externalIds.map((externalId) => cardStatus(externalId, histories.get(externalId))),
  });
});
