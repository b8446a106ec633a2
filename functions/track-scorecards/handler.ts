import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { readStatuses } from "../../core/delivery/status.ts";
import { noSuchCard } from "../../core/problem/problem.ts";
import { scorecardIndex, scorecardReader } from "../../core/store/scorecards.ts";
import { json } from "../answer.ts";
import { leanSdk } from "../lean-sdk.ts";
import { variables } from "../variables.ts";
import { vendorApi } from "../vendor-api.ts";
import { cardsInState } from "./cards-in-state.ts";
import { readStatusQuery } from "./status-query.ts";

const settings = variables("SCORECARD_TABLE");
const dynamodb = new DynamoDBClient(leanSdk);
const table = {
  ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
  ...scorecardIndex(settings.SCORECARD_TABLE, dynamodb),
};

/** Says what became of one card, or of up to a hundred, or which cards are in a state that needs attention. */
export const handler = vendorApi(async ({ apiSet, path, query }) => {
  if (path.externalId !== undefined) {
    const [status] = await readStatuses(table, apiSet, [path.externalId]);
    if (status === undefined || status.state === "unknown") throw noSuchCard();
    return json(200, status);
  }
  const question = readStatusQuery(query);
  if (question.about === "state") return cardsInState(table, apiSet, question.state, question.after);
  return json(200, { cards: await readStatuses(table, apiSet, question.externalIds) });
});
