import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { ApiSet } from "../../core/accounts/account.ts";
import { scorecardIndex, scorecardReader } from "../../core/cards/delivery/scorecard-table.ts";
import { readStatuses } from "../../core/cards/status.ts";
import { dayOf } from "../../core/formats/union-time.ts";
import { RefusalError } from "../../core/golf/refusal.ts";
import { readActivity } from "../../core/views/activity.ts";
import { activityReader } from "../../core/views/activity-table.ts";
import { refusalReader } from "../../core/views/refusal-table.ts";
import { tournamentReader } from "../../core/views/tournament-table.ts";
import { feedReader } from "../../core/webhooks/feed-table.ts";
import { answerOperation, type OperationAnswers } from "../http/operation-answers.ts";
import { type HttpResponse, json } from "../http/response.ts";
import { vendorApi } from "../http/vendor-api.ts";
import type { VendorRequest } from "../http/vendor-request.ts";
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
  ACTIVITY_TABLE: z.string(),
  TIME_ZONE: z.string(),
});
const { TIME_ZONE: timeZone } = settings;
const dynamodb = sdkClient(DynamoDBClient);
const table = {
  ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
  ...scorecardIndex(settings.SCORECARD_TABLE, dynamodb),
};
const activity = activityReader(settings.ACTIVITY_TABLE, dynamodb);
const refusals = refusalReader(settings.ACTIVITY_TABLE, dynamodb);
const ofTournaments = {
  tournaments: tournamentReader(settings.ACTIVITY_TABLE, dynamodb),
  refusals,
  table,
  timeZone,
};
const feed = feedReader(settings.ACTIVITY_TABLE, dynamodb, Date.now);

/** When a request came: milliseconds since 1970, and the day in the union's time zone. */
function readClock() {
  const now = Date.now();
  return { now, today: dayOf(now, timeZone) };
}

const answers: OperationAnswers<"track-scorecards"> = {
  listScorecardStates: ({ apiSet, query }) => listStates(apiSet, query),
  getScorecardState: ({ apiSet, path }) => cardState(apiSet, path.externalId ?? ""),
  getScorecard: async ({ apiSet, path }) => {
    const [card] = await table.read([{ apiSet, externalId: path.externalId ?? "" }]);
    if (card === undefined) throw new RefusalError({ kind: "noSuchCard" });
    return storedCardAnswer(card);
  },
  getActivity: async ({ apiSet, query }) => {
    const { now, today } = readClock();
    const days = readDays(query, today);
    return json(200, await readActivity({ activity, table }, apiSet, days, { now, timeZone }));
  },
  listEvents: ({ apiSet, query }) => feedPage(feed, apiSet, query, Date.now()),
  listRefusals: ({ apiSet, query }) =>
    refusedCards(refusals, apiSet, query, { today: readClock().today, timeZone }),
  listTournaments: ({ apiSet, query }) => listTournaments(ofTournaments, apiSet, query, readClock().today),
  getTournament: ({ apiSet, path: { tournament = "" }, query }) =>
    oneTournament(ofTournaments, apiSet, tournament, query, readClock().today),
  listTournamentCards: ({ apiSet, path: { tournament = "" }, query }) =>
    cardsOfTournament(ofTournaments, apiSet, tournament, query, readClock().today),
};

/**
 * Returns the status of cards (one, up to a hundred, those in a state that needs attention, or those of some days), a card itself,
 * counts, why cards were refused, what became of a tournament's cards, or what has happened since.
 */
export const handler = vendorApi((request) => answerOperation(answers, request));

/** @throws RefusalError if no such card is stored, and none was refused in the last 31 days */
async function cardState(apiSet: ApiSet, externalId: string): Promise<HttpResponse> {
  const statuses = await readStatuses(table, apiSet, [externalId]);
  const [status] = await withRefusals(refusals, apiSet, statuses, Date.now());
  if (status === undefined || status.state === "unknown") throw new RefusalError({ kind: "noSuchCard" });
  return json(200, status);
}

async function listStates(apiSet: ApiSet, query: VendorRequest["query"]): Promise<HttpResponse> {
  const { now, today } = readClock();
  const asked = readStatusQuery(query, today);
  if (asked.about === "state") return cardsInState(table, apiSet, asked.state, asked.after);
  if (asked.about === "days") return cardsOfDays({ activity, table }, apiSet, asked);
  const statuses = await readStatuses(table, apiSet, asked.externalIds);
  return json(200, { cards: await withRefusals(refusals, apiSet, statuses, now) });
}
