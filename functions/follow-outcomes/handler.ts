import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { lateWorkTable } from "../../core/aws/late-work-table.ts";
import { isRestore } from "../../core/aws/restored-item.ts";
import { createProjector } from "../../core/aws/stream-projector.ts";
import { storedBreaker } from "../../core/cards/delivery/scorecard-table.ts";
import { type CardHappening, happenings } from "../../core/cards/life/happened.ts";
import { chunks } from "../../core/formats/chunks.ts";
import { recordCheckScheduler } from "../../core/records/record-check-table.ts";
import { activityWriter } from "../../core/views/activity-table.ts";
import { tournamentWork } from "../../core/views/tournament.ts";
import { tournamentWriter } from "../../core/views/tournament-table.ts";
import { webhookLister } from "../../core/webhooks/endpoint-table.ts";
import type { BreakerUpdate } from "../../core/webhooks/event.ts";
import { feedWriter } from "../../core/webhooks/feed-table.ts";
import { sendWebhooks } from "../../core/webhooks/queue.ts";
import { consumer } from "../runtime/consumer.ts";
import { logError, logInvocation } from "../runtime/log.ts";
import { gatherFigures } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { createCardReader, streamItem } from "../runtime/table-stream.ts";
import { createViews } from "./views.ts";

/** A batch of the stream of the table of scorecards. */
const tableChangesSchema = z.object({
  /** Lambda sets it only for an event source with tumbling windows. */
  shardId: z.string(),
  /** What the run before returned in the same window. */
  state: z.optional(z.record(z.string(), z.unknown())),
  isFinalInvokeForWindow: z._default(z.boolean(), false),
  Records: z.array(
    z.object({
      dynamodb: z.object({
        SequenceNumber: z.string(),
        NewImage: streamItem,
        OldImage: z.optional(streamItem),
      }),
    }),
  ),
});

type TableChange = z.infer<typeof tableChangesSchema>["Records"][number];

/** The changes of cards among those of the table; a restore from a backup is none. */
function cardUpdates(changes: readonly TableChange[]): CardHappening[] {
  const storedCard = createCardReader();
  const updates = changes.flatMap(({ dynamodb: { NewImage, OldImage, SequenceNumber: sequenceNumber } }) => {
    const card = isRestore(NewImage, OldImage) ? undefined : storedCard(NewImage);
    return card === undefined ? [] : [{ card, before: OldImage && storedCard(OldImage), sequenceNumber }];
  });
  return happenings(updates);
}

/** The circuit breakers that changed, and whether they were open before; not those that were restored from a backup. */
function breakerUpdates(changes: readonly TableChange[]): BreakerUpdate[] {
  return changes.flatMap(({ dynamodb: { NewImage, OldImage, SequenceNumber: sequenceNumber } }) => {
    const stored = isRestore(NewImage, OldImage) ? undefined : storedBreaker(NewImage);
    const { open, apiSet } = stored ?? {};
    if (apiSet === undefined) return [];
    return [{ apiSet, sequenceNumber, open, before: OldImage && storedBreaker(OldImage)?.open }];
  });
}

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
