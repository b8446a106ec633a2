import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { scorecardIndex, scorecardReader } from "../../core/cards/delivery/scorecard-table.ts";
import { activityReader } from "../../core/views/activity-table.ts";
import { refusalReader } from "../../core/views/refusal-table.ts";
import { tournamentReader } from "../../core/views/tournament-table.ts";
import { feedReader } from "../../core/webhooks/feed-table.ts";
import { answerOperation, type OperationAnswers } from "../http/operation-answers.ts";
import { vendorApi } from "../http/vendor-api.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { cardAnswers } from "./card-answers.ts";
import { dayAnswers } from "./day-answers.ts";
import { tournamentAnswers } from "./tournaments.ts";
import type { Tracking } from "./tracking.ts";

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
