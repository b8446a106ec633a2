import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { AccountClub } from "../../core/accounts/account.ts";
import { scorecardIndex, scorecardReader } from "../../core/cards/delivery/scorecard-table.ts";
import { readStatuses } from "../../core/cards/status.ts";
import { dayOf } from "../../core/formats/union-time.ts";
import { RefusalError } from "../../core/golf/refusal.ts";
import { readActivity } from "../../core/views/activity.ts";
import { activityReader } from "../../core/views/activity-table.ts";
import { cardsOfClub } from "../../core/views/cards-of-club.ts";
import { type RefusalReader, refusalReader } from "../../core/views/refusal-table.ts";
import { tournamentReader } from "../../core/views/tournament-table.ts";
import { feedReader } from "../../core/webhooks/feed-table.ts";
import { dailyQuota, quotaSettings } from "../http/daily-quota.ts";
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
import { cardsOfTournament, listTournaments, oneTournament } from "./tournaments.ts";

const settings = readSettings({
  SCORECARD_TABLE: z.string(),
  ...quotaSettings,
});
const timeZone = settings.TIME_ZONE;
const dynamodb = sdkClient(DynamoDBClient);
const allCards = {
  ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
  ...scorecardIndex(settings.SCORECARD_TABLE, dynamodb),
};
const activity = activityReader(settings.ACTIVITY_TABLE, dynamodb);
const allRefusals = refusalReader(settings.ACTIVITY_TABLE, dynamodb);
const feed = feedReader(settings.ACTIVITY_TABLE, dynamodb, Date.now);
const today = () => dayOf(Date.now(), timeZone);

/** A refused card has no club yet, so an account that is bound to one is shown none. */
const noRefusals: RefusalReader = {
  page: async () => ({ faults: [] }),
  newest: async () => new Map(),
  ofTournaments: async () => ({ faults: [], isComplete: false }),
};

/** Answers with all that is an API set's or, to an account that is bound to a club, with what is the club's. */
function createAnswers(club: AccountClub | undefined): OperationAnswers<"track-scorecards"> {
  const table = cardsOfClub(allCards, club);
  const refusals = club === undefined ? allRefusals : noRefusals;
  const tournaments = tournamentReader(settings.ACTIVITY_TABLE, dynamodb, club?.id);
  const ofTournaments = { tournaments, refusals, table, timeZone };
  return {
    async listScorecardStates({ apiSet, query }) {
      const asked = readStatusQuery(query, today());
      if (asked.about === "state") return cardsInState(table, apiSet, asked.state, asked.after);
      if (asked.about === "days") return cardsOfDays({ activity, table }, apiSet, asked);
      const statuses = await readStatuses(table, apiSet, asked.externalIds);
      return json(200, { cards: await withRefusals(refusals, apiSet, statuses, Date.now()) });
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
    async getActivity({ apiSet, query }) {
      const clock = { now: Date.now(), timeZone };
      return json(200, await readActivity({ activity, table }, apiSet, readDays(query, today()), clock));
    },
    listEvents: ({ apiSet, query }) => feedPage(feed, apiSet, query, Date.now()),
    listRefusals: ({ apiSet, query }) => refusedCards(refusals, apiSet, query, { today: today(), timeZone }),
    listTournaments: ({ apiSet, query }) => listTournaments(ofTournaments, apiSet, query, today()),
    getTournament: ({ apiSet, path: { tournament = "" }, query }) =>
      oneTournament(ofTournaments, apiSet, tournament, query, today()),
    listTournamentCards: ({ apiSet, path: { tournament = "" }, query }) =>
      cardsOfTournament(ofTournaments, apiSet, tournament, query, today()),
  };
}
const answers = createAnswers(undefined);

/** Returns what became of a vendor's cards: their states, what happened on some days, and its tournaments. */
export const handler = vendorApi(
  (request) => answerOperation(request.club === undefined ? answers : createAnswers(request.club), request),
  dailyQuota(settings, dynamodb),
);
