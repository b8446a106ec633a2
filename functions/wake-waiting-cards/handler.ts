import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { accountLister } from "../../core/accounts/account-table.ts";
import { enabledSince } from "../../core/aws/event-source.ts";
import { sendWakeUps, type WakeUp } from "../../core/cards/queue.ts";
import { scorecardReader } from "../../core/cards/scorecard-table.ts";
import { activityReader } from "../../core/outcomes/activity-table.ts";
import { wakeWaitingCards } from "../../core/outcomes/wake-waiting-cards.ts";
import { consumer } from "../runtime/consumer.ts";
import { log, logInvocation } from "../runtime/log.ts";
import { gatherFigures } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";

const settings = readSettings({
  ACCOUNT_TABLE: z.string(),
  ACTIVITY_TABLE: z.string(),
  SCORECARD_TABLE: z.string(),
  DELIVERY_QUEUE_URL: z.string(),
  DELIVERY_EVENT_SOURCE_ID: z.string(),
  TIME_ZONE: z.string(),
});
const dynamodb = sdkClient(DynamoDBClient);
const queue = sdkClient(SQSClient);
const lambda = sdkClient(LambdaClient);
const accounts = accountLister(settings.ACCOUNT_TABLE, dynamodb);
const dependencies = {
  activity: activityReader(settings.ACTIVITY_TABLE, dynamodb),
  table: scorecardReader(settings.SCORECARD_TABLE, dynamodb),
  send: (wakeUps: readonly WakeUp[]) => sendWakeUps(queue, settings.DELIVERY_QUEUE_URL, wakeUps),
  timeZone: settings.TIME_ZONE,
};
const figures = gatherFigures();

/** Wakes up cards whose wake-ups were lost, vendor by vendor. */
export const handler = consumer({
  logInvocation,
  event: z.unknown(),
  figures,
  run: async () => {
    // While delivery is on hold its wake-ups wait in the queue.
    const since = await enabledSince(lambda, settings.DELIVERY_EVENT_SOURCE_ID);
    if (since === undefined) return { woken: 0 };
    const apiSets = new Set((await accounts.list()).map(({ apiSet }) => apiSet));
    let woken = 0;
    for (const apiSet of apiSets) {
      const cards = await wakeWaitingCards(apiSet, { now: Date.now(), deliveringSince: since }, dependencies);
      if (cards > 0) log({ message: "wake-ups were lost", apiSet, cards });
      woken += cards;
    }
    figures.add({ WakeUpsLost: woken });
    return { woken };
  },
});
