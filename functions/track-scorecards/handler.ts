import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";
import type { ApiSet } from "../../core/accounts/account.ts";
import { scorecardIndex, scorecardReader } from "../../core/cards/scorecard-table.ts";
import { readStatuses } from "../../core/cards/status.ts";
import { dayOf } from "../../core/formats/union-time.ts";
import { RefusalError } from "../../core/golf/refusal.ts";
import { hashKeyReader } from "../../core/players/hash-key-secret.ts";
import { startListDigest } from "../../core/players/player-digests.ts";
import { readActivity } from "../../core/views/activity.ts";
import { activityReader } from "../../core/views/activity-table.ts";
import { refusalReader } from "../../core/views/refusal-table.ts";
import { startListTable } from "../../core/views/start-list-table.ts";
import { tournamentReader } from "../../core/views/tournament-table.ts";
import { feedReader } from "../../core/webhooks/feed-table.ts";
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
import {
  cardsOfTournament,
  listTournaments,
  oneTournament,
  putStartList,
  removeStartList,
} from "./tournaments.ts";

const settings = readSettings({
  SCORECARD_TABLE: z.string(),
  ACTIVITY_TABLE: z.string(),
  PLAYER_HASH_SECRET: z.string(),
  TIME_ZONE: z.string(),
});
const dynamodb = sdkClient(DynamoDBClient);
const table = {
  ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
  ...scorecardIndex(settings.SCORECARD_TABLE, dynamodb),
};
const activity = activityReader(settings.ACTIVITY_TABLE, dynamodb);
const refusals = refusalReader(settings.ACTIVITY_TABLE, dynamodb);
/** Made by the first request about a start list, since few are. */
let hashKey: (() => Promise<string>) | undefined;
const playerDigest = async (apiSet: ApiSet, tournamentId: string) => {
  hashKey ??= hashKeyReader(sdkClient(SecretsManagerClient), settings.PLAYER_HASH_SECRET);
  const secret = await hashKey();
  return (unionId: string) => startListDigest(secret, apiSet, tournamentId, unionId);
};
const ofTournaments = {
  tournaments: tournamentReader(settings.ACTIVITY_TABLE, dynamodb),
  refusals,
  table,
  startLists: startListTable(settings.ACTIVITY_TABLE, dynamodb, Date.now),
  playerDigest,
  timeZone: settings.TIME_ZONE,
};
const feed = feedReader(settings.ACTIVITY_TABLE, dynamodb, Date.now);

/**
 * Returns the status of cards (one, up to a hundred, those in a state that needs attention, or those of some days), a card itself,
 * counts, why cards were refused, what became of a tournament's cards, or what has happened since. Keeps the lists of players with
 * which a tournament's cards are compared.
 */
export const handler = vendorApi(async ({ apiSet, operation, path, query, body }) => {
  const { TIME_ZONE: timeZone } = settings;
  const now = Date.now();
  const today = dayOf(now, timeZone);
  if (operation === "getActivity") {
    return json(
      200,
      await readActivity({ activity, table }, apiSet, readDays(query, today), { now, timeZone }),
    );
  }
  if (operation === "listRefusals") return refusedCards(refusals, apiSet, query, { today, timeZone });
  if (operation === "listTournaments") return listTournaments(ofTournaments, apiSet, query, today);
  const { tournament = "" } = path;
  if (operation === "getTournament") return oneTournament(ofTournaments, apiSet, tournament, query, today);
  if (operation === "listTournamentCards") {
    return cardsOfTournament(ofTournaments, apiSet, tournament, query, today);
  }
  if (operation === "putStartList") {
    return putStartList(ofTournaments, apiSet, tournament, { query, body }, { now, today });
  }
  if (operation === "removeStartList") {
    return removeStartList(ofTournaments, apiSet, tournament, query, today);
  }
  if (operation === "listEvents") return feedPage(feed, apiSet, query, now);
  if (operation === "getScorecard") {
    const [card] = await table.read([{ apiSet, externalId: path.externalId ?? "" }]);
    if (card === undefined) throw new RefusalError({ kind: "noSuchCard" });
    return storedCardAnswer(card);
  }
  if (operation === "getScorecardState") {
    const statuses = await readStatuses(table, apiSet, [path.externalId ?? ""]);
    const [status] = await withRefusals(refusals, apiSet, statuses, now);
    if (status === undefined || status.state === "unknown") throw new RefusalError({ kind: "noSuchCard" });
    return json(200, status);
  }
  const statusQuery = readStatusQuery(query, today);
  if (statusQuery.about === "state") return cardsInState(table, apiSet, statusQuery.state, statusQuery.after);
  if (statusQuery.about === "days") {
    return cardsOfDays({ activity, table }, apiSet, statusQuery.days, statusQuery.after);
  }
  const statuses = await readStatuses(table, apiSet, statusQuery.externalIds);
  return json(200, { cards: await withRefusals(refusals, apiSet, statuses, now) });
});
