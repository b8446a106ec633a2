import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { ProblemError, problem } from "../../core/problem/problem.ts";
import { scorecardReader, scorecardsInState } from "../../core/store/scorecards.ts";
import { cardStatus } from "../../core/tracking/card-status.ts";
import { json } from "../answer.ts";
import { leanSdk } from "../lean-sdk.ts";
import { variables } from "../variables.ts";
import { vendorApi } from "../vendor-api.ts";
import { cardsInState } from "./cards-in-state.ts";

const settings = variables("SCORECARD_TABLE");
const dynamodb = new DynamoDBClient(leanSdk);
const table = {
  ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
  ...scorecardsInState(settings.SCORECARD_TABLE, dynamodb),
};
const cardsLimit = 100;

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

  const state = query.get("state")?.at(-1);
  if (state !== undefined) return cardsInState(table, apiSet, state, query.get("after")?.at(-1));

  const externalIds = query.get("externalid") ?? [];
  if (externalIds.length === 0 || externalIds.length > cardsLimit) {
    const detail = `Ask for 1 to ${cardsLimit} cards by ExternalID=a&ExternalID=b, or for those in a state by state=undelivered.`;
    throw new ProblemError(problem(400, "Which cards?", detail));
  }
  const histories = await table.read(apiSet, externalIds);
  return json(200, {
    cards: externalIds.map((externalId) => cardStatus(externalId, histories.get(externalId))),
  });
});
