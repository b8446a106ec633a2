import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { hourOf } from "../../core/formats/union-time.ts";
import { type CardUpdate, hourSteps } from "../../core/outcomes/activity-counts.ts";
import { activityWriter } from "../../core/outcomes/activity-table.ts";
import { listedCards } from "../../core/outcomes/listed-cards.ts";
import { outcomeOf } from "../../core/outcomes/outcome-event.ts";
import { publishOutcomes } from "../../core/outcomes/publish.ts";
import { deliveredCards } from "../../core/records/deliveries.ts";
import { recordCheckScheduler } from "../../core/records/record-check-table.ts";
import { webhookLister } from "../../core/webhooks/endpoint-table.ts";
import { type OutgoingWebhook, sendWebhooks } from "../../core/webhooks/queue.ts";
import { queueChanges } from "../../core/webhooks/queue-changes.ts";
import { batchResponse, consumer } from "../runtime/consumer.ts";
import { log, logInvocation } from "../runtime/log.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { breakerUpdates, cardUpdates, tableChangesSchema } from "./table-changes.ts";

const settings = readSettings({
  ACTIVITY_TABLE: z.string(),
  ACTIVITY_RETENTION_DAYS: z.coerce.number(),
  TIME_ZONE: z.string(),
  WEBHOOK_TABLE: z.string(),
  WEBHOOK_QUEUE_URL: z.string(),
  /** Absent if outcomes are not published. */
  EVENT_BUS: z.optional(z.string()),
  /** Absent if no card is looked for in the players' records. */
  RECORD_CHECK_SHARE: z.optional(z.coerce.number()),
  RECORD_CHECK_FIRST_SECONDS: z._default(z.coerce.number(), 0),
  RECORD_CHECK_LAST_SECONDS: z._default(z.coerce.number(), 0),
});

const dynamodb = sdkClient(DynamoDBClient);
const queue = sdkClient(SQSClient);
const activity = activityWriter(settings.ACTIVITY_TABLE, dynamodb, settings.ACTIVITY_RETENTION_DAYS);
const endpoints = webhookLister(settings.WEBHOOK_TABLE, dynamodb);
const send = (messages: readonly OutgoingWebhook[]) =>
  sendWebhooks(queue, settings.WEBHOOK_QUEUE_URL, messages);
const scheduleChecks = recordCheckScheduler(settings.ACTIVITY_TABLE, dynamodb, {
  first: settings.RECORD_CHECK_FIRST_SECONDS * 1000,
  last: settings.RECORD_CHECK_LAST_SECONDS * 1000,
});
const eventBridge = settings.EVENT_BUS === undefined ? undefined : sdkClient(EventBridgeClient);

/**
 * Follows the table's stream: publishes outcomes, queues them for webhooks, lists the cards of each day and those to look for in the
 * players' records, and counts outcomes by vendor and hour.
 *
 * If EventBridge refuses an outcome, Lambda hands over the batch again from its record on. So an outcome may be published twice, but
 * none is lost. Lists and counts have each change once, however often the stream repeats it.
 */
export const handler = consumer({
  logInvocation,
  event: tableChangesSchema,
  run: async ({ shardId, Records }) => {
    const updates = cardUpdates(Records);
    const refused = await publish(updates);
    const changes = { updates, breakers: breakerUpdates(Records), shardId };
    await queueChanges(changes, { endpoints, send, now: Date.now() });
    // A record that comes again must not be in the list of this run and in that of the next.
    const followed = refused === undefined ? updates : updates.slice(0, updates.indexOf(refused));
    await activity.list(listedCards(followed, settings.TIME_ZONE), shardId);
    await scheduleChecks(deliveredCards(followed, settings.RECORD_CHECK_SHARE ?? 0), shardId);
    await activity.count(
      hourSteps(followed, (instant) => hourOf(instant, settings.TIME_ZONE)),
      shardId,
    );
    // With tumbling windows, Lambda takes a response without a state for a failure.
    return { state: {}, ...batchResponse(refused === undefined ? [] : [refused.sequenceNumber]) };
  },
});

/** Puts outcomes on the event bus, if there is one. @returns the first change whose event was refused */
async function publish(updates: readonly CardUpdate[]): Promise<CardUpdate | undefined> {
  const { EVENT_BUS } = settings;
  if (eventBridge === undefined || EVENT_BUS === undefined) return undefined;
  const outcomes = updates.flatMap((update) => {
    const event = outcomeOf(update.card, update.before);
    return event === undefined ? [] : [{ event, update }];
  });
  const refused = await publishOutcomes(eventBridge, EVENT_BUS, outcomes);
  if (refused.length > 0) log({ message: "outcomes were not published", outcomes: refused.length });
  return refused[0]?.update;
}
