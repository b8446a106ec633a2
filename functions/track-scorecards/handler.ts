import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { scorecardIndex, scorecardReader } from "../../core/cards/delivery/scorecard-table.ts";
import { readStatuses } from "../../core/cards/status.ts";
import { RefusalError } from "../../core/golf/refusal.ts";
import { readActivity } from "../../core/views/activity.ts";
import { activityReader } from "../../core/views/activity-table.ts";
import { refusalReader } from "../../core/views/refusal-table.ts";
import { tournamentReader } from "../../core/views/tournament-table.ts";
import { feedReader } from "../../core/webhooks/feed-table.ts";
import { answerOperation, type OperationAnswers } from "../http/operation-answers.ts";
import { json } from "../http/response.ts";
import { vendorApi } from "../http/vendor-api.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { cardsInState } from "./cards-in-state.ts";
import { cardsOfDays } from "./cards-of-days.ts";
import { readDays } from "./days.ts";
import { feedPage } from "./feed-page.ts";
import { refusedCards, withRefusals } from "./refused-cards.ts";
import { readStatusQuery } from "./status-query.ts";
import { storedCardAnswer } from "./stored-card.ts";
import { tournamentAnswers } from "./tournaments.ts";
import { readClock, type Tracking, type TrackingAnswers } from "./tracking.ts";

/** Answers with cards and their states. */
function cardAnswers({
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

/** Answers with what happened: counts of days, events, and why cards were refused. */
function dayAnswers({
  table,
  activity,
  refusals,
  feed,
  timeZone,
}: Tracking): TrackingAnswers<"getActivity" | "listEvents" | "listRefusals"> {
  return {
    async getActivity({ apiSet, query }) {
      const { now, today } = readClock(timeZone);
      const days = readDays(query, today);
      return json(200, await readActivity({ activity, table }, apiSet, days, { now, timeZone }));
    },
    listEvents: ({ apiSet, query }) => feedPage(feed, apiSet, query, Date.now()),
    listRefusals: ({ apiSet, query }) =>
      refusedCards(refusals, apiSet, query, { today: readClock(timeZone).today, timeZone }),
  };
}

const settings = readSettings({
  SCORECARD_TABLE: z.string(),
  ACTIVITY_TABLE: z.string(),
  TIME_ZONE: z.string(),
});
const dynamodb = sdkClient(DynamoDBClient);
const tracking: Tracking = {
  table: {
    ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
    ...scorecardIndex(settings.SCORECARD_TABLE, dynamodb),
  },
  activity: activityReader(settings.ACTIVITY_TABLE, dynamodb),
  refusals: refusalReader(settings.ACTIVITY_TABLE, dynamodb),
  tournaments: tournamentReader(settings.ACTIVITY_TABLE, dynamodb),
  feed: feedReader(settings.ACTIVITY_TABLE, dynamodb, Date.now),
  timeZone: settings.TIME_ZONE,
};

const answers: OperationAnswers<"track-scorecards"> = {
  ...cardAnswers(tracking),
  ...dayAnswers(tracking),
  ...tournamentAnswers(tracking),
};

/** Returns what became of a vendor's cards: their states, what happened on some days, and its tournaments. */
export const handler = vendorApi((request) => answerOperation(answers, request));
