import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { SQSClient } from "@aws-sdk/client-sqs";
import pMap from "p-map";
import * as z from "zod/mini";
import { storedBreaker, storedCard } from "../../core/cards/scorecard-table.ts";
import { hourOf } from "../../core/formats/union-time.ts";
import { type CardUpdate, hourSteps } from "../../core/outcomes/activity-counts.ts";
import { activityWriter } from "../../core/outcomes/activity-table.ts";
import { listedCards } from "../../core/outcomes/listed-cards.ts";
import { outcomeOf } from "../../core/outcomes/outcome-event.ts";
import { publishOutcomes } from "../../core/outcomes/publish.ts";
import { deliveredCards } from "../../core/records/deliveries.ts";
import { recordCheckScheduler } from "../../core/records/record-check-table.ts";
import { webhookLister } from "../../core/webhooks/endpoint-table.ts";
import { type BreakerUpdate, eventOfBreaker, eventsOfCards } from "../../core/webhooks/event.ts";
import { messageOf, sendWebhooks } from "../../core/webhooks/queue.ts";
import { batchResponse, consumer } from "../runtime/consumer.ts";
import { log, logInvocation } from "../runtime/log.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { itemSchema } from "../runtime/table-stream.ts";

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
const scheduleChecks = recordCheckScheduler(settings.ACTIVITY_TABLE, dynamodb, {
  first: settings.RECORD_CHECK_FIRST_SECONDS * 1000,
  last: settings.RECORD_CHECK_LAST_SECONDS * 1000,
});
const eventBridge = settings.EVENT_BUS === undefined ? undefined : sdkClient(EventBridgeClient);

const eventSchema = z.object({
  /** Only an event source with tumbling windows tells it. */
  shardId: z.string(),
  Records: z.array(
    z.object({
      dynamodb: z.object({
        SequenceNumber: z.string(),
        NewImage: itemSchema,
        OldImage: z.optional(itemSchema),
      }),
    }),
  ),
});

/**
 * Follows the table's stream: publishes outcomes, queues them for webhooks, counts them by vendor and hour, and lists the day's cards,
 * and those that are to be looked for in the players' records.
 *
 * Returns the first record whose outcome EventBridge refused, and the batch is retried from there: an outcome may be published
 * twice, but none is lost. What is counted and listed is so once, however often a record comes.
 */
export const handler = consumer({ logInvocation, event: eventSchema, run: follow });

async function follow({ shardId, Records }: z.infer<typeof eventSchema>) {
  const updates = Records.flatMap(({ dynamodb }): CardUpdate[] => {
    const { NewImage, OldImage, SequenceNumber: sequenceNumber } = dynamodb;
    const card = storedCard(NewImage);
    return card === undefined ? [] : [{ card, before: OldImage && storedCard(OldImage), sequenceNumber }];
  });
  const refused = await publish(updates);
  await tellEndpoints(updates, breakerUpdates(Records), shardId);
  // A record that comes again must not be in the list of this run and in that of the next.
  const followed = refused === undefined ? updates : updates.slice(0, updates.indexOf(refused));
  await activity.list(listedCards(followed, settings.TIME_ZONE), shardId);
  await scheduleChecks(deliveredCards(followed, settings.RECORD_CHECK_SHARE ?? 0), shardId);
  await activity.count(
    hourSteps(followed, (instant) => hourOf(instant, settings.TIME_ZONE)),
    shardId,
  );
  // Lambda takes an answer without a state for a failure.
  return { state: {}, ...batchResponse(refused === undefined ? [] : [refused.sequenceNumber]) };
}

/** The circuit breakers that opened or closed. */
function breakerUpdates(records: z.infer<typeof eventSchema>["Records"]): BreakerUpdate[] {
  return records.flatMap(({ dynamodb: { NewImage, OldImage, SequenceNumber: sequenceNumber } }) => {
    const stored = storedBreaker(NewImage);
    const { open, apiSet } = stored ?? {};
    if (apiSet === undefined) return [];
    return [{ apiSet, sequenceNumber, open, before: OldImage && storedBreaker(OldImage)?.open }];
  });
}

/** Queues the events of these changes for the vendors' endpoints. A change that comes again is told again. */
async function tellEndpoints(
  updates: readonly CardUpdate[],
  breakers: readonly BreakerUpdate[],
  shardId: string,
): Promise<void> {
  const now = Date.now();
  const events = [...Map.groupBy(updates, ({ card }) => card.apiSet)].flatMap(([apiSet, own]) =>
    eventsOfCards(apiSet, own, shardId),
  );
  events.push(...breakers.flatMap((breaker) => eventOfBreaker(breaker, shardId, now) ?? []));
  const messages = await pMap(
    Map.groupBy(events, ({ data }) => data.apiSet),
    async ([apiSet, own]) => {
      const active = (await endpoints.list(apiSet)).filter(({ disabled }) => disabled === undefined);
      return active.flatMap((endpoint) =>
        own
          .filter(({ type }) => (endpoint.types as readonly string[]).includes(type))
          .map((event) => messageOf(endpoint, event, now)),
      );
    },
    { concurrency: parallelVendors },
  );
  await sendWebhooks(queue, settings.WEBHOOK_QUEUE_URL, messages.flat());
}

const parallelVendors = 10;

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
