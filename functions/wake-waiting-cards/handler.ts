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
import { webhookLister } from "../../core/webhooks/endpoint-table.ts";
import { type OutgoingWebhook, sendWebhooks } from "../../core/webhooks/queue.ts";
import { sendUnsentNotice } from "../../core/webhooks/unsent-notice.ts";
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
  WEBHOOK_TABLE: z.string(),
  WEBHOOK_QUEUE_URL: z.string(),
});
const dynamodb = sdkClient(DynamoDBClient);
const queue = sdkClient(SQSClient);
const lambda = sdkClient(LambdaClient);
const accounts = accountLister(settings.ACCOUNT_TABLE, dynamodb);
const readers = {
  activity: activityReader(settings.ACTIVITY_TABLE, dynamodb),
  table: scorecardReader(settings.SCORECARD_TABLE, dynamodb),
  timeZone: settings.TIME_ZONE,
};
const waking = {
  ...readers,
  send: (wakeUps: readonly WakeUp[]) => sendWakeUps(queue, settings.DELIVERY_QUEUE_URL, wakeUps),
};
const notifying = {
  ...readers,
  endpoints: webhookLister(settings.WEBHOOK_TABLE, dynamodb),
  send: (messages: readonly OutgoingWebhook[]) => sendWebhooks(queue, settings.WEBHOOK_QUEUE_URL, messages),
};
const figures = gatherFigures();

const vendors = async () => new Set((await accounts.list()).map(({ apiSet }) => apiSet));

/**
 * Wakes up cards whose wake-ups were lost, vendor by vendor; or, by the schedule of the day's end, tells vendors how many of their
 * cards wait.
 */
export const handler = consumer({
  logInvocation,
  event: z.object({ tells: z.optional(z.literal("unsent")) }),
  figures,
  run: async ({ tells }) => {
    if (tells === "unsent") {
      let unsent = 0;
      for (const apiSet of await vendors()) unsent += await sendUnsentNotice(apiSet, Date.now(), notifying);
      return { unsent };
    }
    // While delivery is on hold its wake-ups wait in the queue.
    const since = await enabledSince(lambda, settings.DELIVERY_EVENT_SOURCE_ID);
    if (since === undefined) return { woken: 0 };
    let woken = 0;
    for (const apiSet of await vendors()) {
      const cards = await wakeWaitingCards(apiSet, { now: Date.now(), deliveringSince: since }, waking);
      if (cards > 0) log({ message: "wake-ups were lost", apiSet, cards });
      woken += cards;
    }
    figures.add({ WakeUpsLost: woken });
    return { woken };
  },
});
