import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { lateWorkTable } from "../../core/aws/late-work-table.ts";
import { createProjector } from "../../core/aws/stream-projector.ts";
import { chunks } from "../../core/formats/chunks.ts";
import { recordCheckScheduler } from "../../core/records/record-check-table.ts";
import { activityWriter } from "../../core/views/activity-table.ts";
import { tournamentWork } from "../../core/views/tournament.ts";
import { tournamentWriter } from "../../core/views/tournament-table.ts";
import { webhookLister } from "../../core/webhooks/endpoint-table.ts";
import { feedWriter } from "../../core/webhooks/feed-table.ts";
import { sendWebhooks } from "../../core/webhooks/queue.ts";
import { consumer } from "../runtime/consumer.ts";
import { logError, logInvocation } from "../runtime/log.ts";
import { gatherFigures } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { breakerUpdates, cardUpdates, tableChangesSchema } from "./table-changes.ts";
import { createViews } from "./views.ts";

const settings = readSettings({
  ACTIVITY_TABLE: z.string(),
  ACTIVITY_RETENTION_DAYS: z.coerce.number(),
  TIME_ZONE: z.string(),
  WEBHOOK_TABLE: z.string(),
  WEBHOOK_QUEUE_URL: z.string(),
  /** Absent if no card is looked for in the players' records. */
  RECORD_CHECK_SHARE: z.optional(z.coerce.number()),
  RECORD_CHECK_FIRST_SECONDS: z._default(z.coerce.number(), 0),
  RECORD_CHECK_LAST_SECONDS: z._default(z.coerce.number(), 0),
});

const { ACTIVITY_TABLE, ACTIVITY_RETENTION_DAYS } = settings;
const dynamodb = sdkClient(DynamoDBClient);
const queue = sdkClient(SQSClient);
const views = createViews({
  timeZone: settings.TIME_ZONE,
  activity: activityWriter(ACTIVITY_TABLE, dynamodb, ACTIVITY_RETENTION_DAYS),
  tournaments: tournamentWriter(ACTIVITY_TABLE, dynamodb, ACTIVITY_RETENTION_DAYS),
  checkedShare: settings.RECORD_CHECK_SHARE ?? 0,
  scheduleChecks: recordCheckScheduler(ACTIVITY_TABLE, dynamodb, {
    first: settings.RECORD_CHECK_FIRST_SECONDS * 1000,
    last: settings.RECORD_CHECK_LAST_SECONDS * 1000,
  }),
  endpoints: webhookLister(settings.WEBHOOK_TABLE, dynamodb),
  send: (messages) => sendWebhooks(queue, settings.WEBHOOK_QUEUE_URL, messages),
  feed: feedWriter(ACTIVITY_TABLE, dynamodb, ACTIVITY_RETENTION_DAYS, Date.now),
});

/** A list of so many ExternalIDs fits an item, however long they are. */
const cardsOfList = 200;
const figures = gatherFigures();
const projector = createProjector({
  views,
  late: lateWorkTable(ACTIVITY_TABLE, dynamodb),
  now: () => Date.now(),
  failed: (apiSet, step, error) =>
    logError({ message: "a vendor's changes are followed later", apiSet, step }, error),
  measureAge: (milliseconds) => figures.add({ OutcomesLateAge: milliseconds / 1000 }),
});

/** A schedule's event: work is to be done that shards without changes, or that have ended, could not do. */
const resumeSchema = z.object({ resume: z.literal(true) });

/** Follows the table's stream: what happened to cards is counted, listed, queued for webhooks and added to the feeds. */
export const handler = consumer({
  logInvocation,
  event: z.union([tableChangesSchema, resumeSchema]),
  figures,
  async run(event, remaining) {
    if ("resume" in event) return projector.resumeIdleShards(remaining);
    const { shardId, Records, state, isFinalInvokeForWindow: isLast } = event;
    const updates = cardUpdates(Records);
    const breakers = breakerUpdates(Records);
    const parts = chunks(updates, cardsOfList);
    const batch = { updates, breakers, shardId, parts, tournaments: parts.map(tournamentWork) };
    return projector.follow({ shardId, state, isLast, batch }, remaining);
  },
});
