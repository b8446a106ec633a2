import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import type { ApiSet } from "../../core/accounts/account.ts";
import { shareSends } from "../../core/aws/share-sends.ts";
import { hourOf } from "../../core/formats/union-time.ts";
import { type CardUpdate, hourSteps } from "../../core/outcomes/activity-counts.ts";
import { activityWriter } from "../../core/outcomes/activity-table.ts";
import { listedCards } from "../../core/outcomes/listed-cards.ts";
import { outcomeOf } from "../../core/outcomes/outcome-event.ts";
import { publishOutcomes } from "../../core/outcomes/publish.ts";
import { deliveredCards } from "../../core/records/deliveries.ts";
import { recordCheckScheduler } from "../../core/records/record-check-table.ts";
import { webhookLister } from "../../core/webhooks/endpoint-table.ts";
import type { WebhookEvent } from "../../core/webhooks/event.ts";
import { type OutgoingWebhook, sendWebhooks } from "../../core/webhooks/queue.ts";
import { eventsOfChanges, queueEvents } from "../../core/webhooks/queue-changes.ts";
import { batchResponse, consumer } from "../runtime/consumer.ts";
import { log, logError, logInvocation } from "../runtime/log.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { sharedClient } from "../runtime/shared-client.ts";
import { breakerUpdates, cardUpdates, tableChangesSchema } from "./table-changes.ts";
import { byVendor, doVendorWork, finishLateWork, type LateWork } from "./vendor-work.ts";

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
const queue = sharedClient(sdkClient(SQSClient), shareSends);
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
 *
 * If a vendor's items cannot be written, as when its partition key is throttled, its work waits in the state of the tumbling window,
 * which Lambda hands to the next run of the shard; the others' goes on. At the end of the window it has to be done.
 */
export const handler = consumer({
  logInvocation,
  event: tableChangesSchema,
  run: async ({ shardId, Records, state, isFinalInvokeForWindow: isLast }) => {
    const now = Date.now();
    const refused = await publish(cardUpdates(Records));
    // A record that comes again must not be in the list or an event of this run and in that of the next.
    const end = Records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === refused?.sequenceNumber);
    const followed = end === -1 ? Records : Records.slice(0, end);
    const updates = cardUpdates(followed);
    const work = byVendor({
      lists: listedCards(updates, settings.TIME_ZONE),
      deliveries: deliveredCards(updates, settings.RECORD_CHECK_SHARE ?? 0),
      hours: hourSteps(updates, (instant) => hourOf(instant, settings.TIME_ZONE)),
      events: eventsOfChanges({ updates, breakers: breakerUpdates(followed), shardId }, now),
    });
    const steps = {
      list: (lists: Parameters<typeof activity.list>[0]) => activity.list(lists, shardId),
      schedule: (deliveries: Parameters<typeof scheduleChecks>[0]) => scheduleChecks(deliveries, shardId),
      count: (hours: Parameters<typeof activity.count>[0]) => activity.count(hours, shardId),
      tell: (apiSet: ApiSet, events: readonly WebhookEvent[]) =>
        queueEvents(apiSet, events, { endpoints, send, now }),
      failed: (apiSet: ApiSet, error: unknown) =>
        logError({ message: "a vendor's changes are followed later", apiSet }, error),
    };
    let late = lateIn(state);
    if (isLast || JSON.stringify(late).length > largestState) {
      await finishLateWork(late, steps);
      late = [];
    }
    late = await doVendorWork(work, late, steps, now);
    // The state ends with the window.
    if (isLast && late.length > 0) throw new Error("A vendor's changes cannot be followed: they come again.");
    // With tumbling windows, Lambda takes a response without a state for a failure.
    return {
      state: late.length === 0 ? {} : { late },
      ...batchResponse(refused === undefined ? [] : [refused.sequenceNumber]),
    };
  },
});

/** Characters of JSON that may wait while a batch is added: Lambda ends a window whose state is larger than 1 MB. */
const largestState = 500_000;

/** The work that an earlier run of this window returned in its state. */
const lateIn = (state: Readonly<Record<string, unknown>> = {}) => (state.late ?? []) as readonly LateWork[];

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
