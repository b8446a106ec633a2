import { readStatuses } from "../../core/cards/status.ts";
import { RefusalError } from "../../core/golf/refusal.ts";
import { json } from "../http/response.ts";
import { cardsInState } from "./cards-in-state.ts";
import { cardsOfDays } from "./cards-of-days.ts";
import { withRefusals } from "./refused-cards.ts";
import { readStatusQuery } from "./status-query.ts";
import { storedCardAnswer } from "./stored-card.ts";
import { readClock, type Tracking, type TrackingAnswers } from "./tracking.ts";

/** Answers with cards and their states. */
export function cardAnswers({
  table,
  activity,
  refusals,
  timeZone,
}: Tracking): TrackingAnswers<"listScorecardStates" | "getScorecardState" | "getScorecard"> {
  return {
    async listScorecardStates({ apiSet, query }) {
      const { now, today } = readClock(timeZone);
      const asked = readStatusQuery(query, today);
      if (asked.about === "state") return cardsInState(table, apiSet, asked.state, asked.after);
      if (asked.about === "days") return cardsOfDays({ activity, table }, apiSet, asked);
      const statuses = await readStatuses(table, apiSet, asked.externalIds);
      return json(200, { cards: await withRefusals(refusals, apiSet, statuses, now) });
    },
    async getScorecardState({ apiSet, path: { externalId = "" } }) {
      const statuses = await readStatuses(table, apiSet, [externalId]);
      const [status] = await withRefusals(refusals, apiSet, statuses, Date.now());
      // No such card is stored, and none was refused in the last 31 days.
      if (status === undefined || status.state === "unknown") throw new RefusalError({ kind: "noSuchCard" });
      return json(200, status);
    },
    async getScorecard({ apiSet, path: { externalId = "" } }) {
      const [card] = await table.read([{ apiSet, externalId }]);
      if (card === undefined) throw new RefusalError({ kind: "noSuchCard" });
      return storedCardAnswer(card);
    },
  };
}
