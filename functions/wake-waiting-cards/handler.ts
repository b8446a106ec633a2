import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetEventSourceMappingCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import type { Account, ApiSet } from "../../core/accounts/account.ts";
import { accountLister } from "../../core/accounts/account-table.ts";
import { countMessages } from "../../core/aws/count-messages.ts";
import { trySendWakeUps, type WakeUp } from "../../core/cards/delivery/queue.ts";
import {
  scorecardIndex,
  scorecardReader,
  scorecardWriter,
} from "../../core/cards/delivery/scorecard-table.ts";
import { postTiming } from "../../core/cards/delivery/timing.ts";
import { mapSettled } from "../../core/formats/chunks.ts";
import { readBurnRates } from "../../core/operations/burn-rates.ts";
import { deliveryMetrics } from "../../core/operations/delivery-metrics.ts";
import { activityReader } from "../../core/views/activity-table.ts";
import { readUnusual } from "../../core/views/silence.ts";
import { type QueuedMessages, wakeWaitingCards } from "../../core/views/wake-waiting-cards.ts";
import { webhookLister } from "../../core/webhooks/endpoint-table.ts";
import { feedWriter } from "../../core/webhooks/feed-table.ts";
import { type OutgoingWebhook, sendWebhooks } from "../../core/webhooks/queue.ts";
import { sendUnsentNotice } from "../../core/webhooks/tell-vendor.ts";
import { consumer } from "../runtime/consumer.ts";
import { log, logInvocation } from "../runtime/log.ts";
import { gatherFigures } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";

/**
 * Since when an event source mapping has invoked its function.
 *
 * @param id its UUID
 * @returns milliseconds since 1970, UTC, 0 if Lambda does not say when it was changed; undefined if it is not enabled
 */
async function enabledSince(lambda: LambdaClient, id: string): Promise<number | undefined> {
  const { State, LastModified } = await lambda.send(new GetEventSourceMappingCommand({ UUID: id }));
  return State === "Enabled" ? (LastModified?.getTime() ?? 0) : undefined;
}

const settings = readSettings({
  STACK_NAME: z.string(),
  ACCOUNT_TABLE: z.string(),
  ACTIVITY_TABLE: z.string(),
  ACTIVITY_RETENTION_DAYS: z.coerce.number(),
  SCORECARD_TABLE: z.string(),
  DELIVERY_QUEUE_URL: z.string(),
  DELIVERY_EVENT_SOURCE_ID: z.string(),
  POST_TIMEOUT_SECONDS: z.coerce.number(),
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
  table: {
    ...readers.table,
    ...scorecardIndex(settings.SCORECARD_TABLE, dynamodb),
    ...scorecardWriter(settings.SCORECARD_TABLE, dynamodb),
  },
  timing: postTiming(settings.POST_TIMEOUT_SECONDS),
  send: (wakeUps: readonly WakeUp[]) => trySendWakeUps(queue, settings.DELIVERY_QUEUE_URL, wakeUps),
};
const notifying = {
  ...readers,
  endpoints: webhookLister(settings.WEBHOOK_TABLE, dynamodb),
  send: (messages: readonly OutgoingWebhook[]) => sendWebhooks(queue, settings.WEBHOOK_QUEUE_URL, messages),
  feed: feedWriter(settings.ACTIVITY_TABLE, dynamodb, settings.ACTIVITY_RETENTION_DAYS, Date.now),
};
const metrics = deliveryMetrics(
  sdkClient(CloudWatchClient),
  settings.STACK_NAME,
  settings.DELIVERY_QUEUE_URL,
);
const queueReach = 40 * 60_000;
const figures = gatherFigures();

/** Measures how fast the error budget is used up, and counts the vendors that are silent or send far more than usual. */
async function measureService(listed: readonly Account[]): Promise<void> {
  const senders = listed.filter(({ disabled, resources }) => !disabled && resources.includes("scorecards"));
  const apiSets = [...new Set(senders.map(({ apiSet }) => apiSet))];
  const now = Date.now();
  const [rates, { silences, floods }] = await Promise.all([
    readBurnRates(metrics, now),
    readUnusual(readers.activity, apiSets, now, settings.TIME_ZONE),
  ]);
  for (const { apiSet, hours, usual } of silences)
    log({ message: "a vendor is silent", apiSet, hours, usual });
  for (const flood of floods) log({ message: "a vendor sends far more than usual", ...flood });
  const unexplained = silences.filter(({ isUnexplained }) => isUnexplained);
  figures.add({
    FastBurnRate: rates.fast,
    SlowBurnRate: rates.slow,
    VendorsSilent: unexplained.length,
    // A value that is usually absent costs nothing.
    ...(floods.length > 0 && { VendorsFlooding: floods.length }),
  });
}

async function wake(apiSets: ReadonlySet<ApiSet>): Promise<number> {
  // While delivery is on hold its wake-ups wait in the queue.
  const since = await enabledSince(lambda, settings.DELIVERY_EVENT_SOURCE_ID);
  if (since === undefined) return 0;
  let queued: Promise<QueuedMessages> | undefined;
  const queue = () => (queued ??= readQueue(Date.now()));
  let all = 0;
  const wakeVendor = async (apiSet: ApiSet) => {
    const time = { now: Date.now(), deliveringSince: since };
    const { woken, held, failed, cause = "" } = await wakeWaitingCards(apiSet, time, { ...waking, queue });
    if (woken > 0) log({ message: "wake-ups were lost", apiSet, cards: woken, cause });
    if (held > 0) log({ message: "wake-ups wait in the queue", apiSet, cards: held });
    if (failed > 0)
      log({ message: "cards could not be woken; the next run tries again", apiSet, cards: failed });
    all += woken;
  };
  // A vendor whose counts cannot be read holds up no other vendor's cards.
  await mapSettled([...apiSets], 1, wakeVendor).finally(() => figures.add({ WakeUpsLost: all }));
  return all;
}

/** CloudWatch publishes the age of the oldest message each minute; it does not count messages that keep crashing their runs. */
async function readQueue(now: number): Promise<QueuedMessages> {
  const [messages, measured] = await Promise.all([
    countMessages(queue, settings.DELIVERY_QUEUE_URL),
    metrics.queue(now - queueReach, now),
  ]);
  const ages = measured.map(({ oldestSeconds }) => oldestSeconds * 1000);
  return { messages, oldestAge: ages.length === 0 ? undefined : Math.max(...ages) };
}

/**
 * Wakes up cards whose wake-ups were lost, vendor by vendor, and measures the service; or, by the schedule of the day's end, tells
 * vendors how many of their cards wait.
 */
export const handler = consumer({
  logInvocation,
  event: z.object({ tells: z.optional(z.literal("unsent")) }),
  figures,
  run: async ({ tells }) => {
    const listed = await accounts.list();
    const apiSets = new Set(listed.map(({ apiSet }) => apiSet));
    if (tells === "unsent") {
      const notice = (apiSet: ApiSet) => sendUnsentNotice(apiSet, Date.now(), notifying);
      const waiting = await mapSettled([...apiSets], 1, notice);
      return { unsent: waiting.reduce((sum, cards) => sum + cards, 0) };
    }
    const woken = await wake(apiSets);
    await measureService(listed);
    return { woken };
  },
});
