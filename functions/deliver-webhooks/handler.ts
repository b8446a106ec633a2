import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { PublishCommand, SNSClient } from "@aws-sdk/client-sns";
import { SQSClient, type SQSClientConfig } from "@aws-sdk/client-sqs";
import { STSClient } from "@aws-sdk/client-sts";
import * as z from "zod/mini";
import { attemptLog } from "../../core/webhooks/attempt-table.ts";
import { createWebhookDelivery } from "../../core/webhooks/deliver.ts";
import type { WebhookReport } from "../../core/webhooks/endpoint-run.ts";
import { webhookLister, webhookUpdater } from "../../core/webhooks/endpoint-table.ts";
import { feedReader, feedWriter } from "../../core/webhooks/feed-table.ts";
import { createPoster } from "../../core/webhooks/post-event.ts";
import { sendWebhooks } from "../../core/webhooks/queue.ts";
import { createQueueSender } from "../../core/webhooks/vendor-queue.ts";
import { batchResponse, consumer } from "../runtime/consumer.ts";
import { log, logError, logInvocation } from "../runtime/log.ts";
import { gatherFigures } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { requestsWithin, sdkClient } from "../runtime/sdk-client.ts";
import { externalIdOf, isLocalRun, postTimeout } from "../runtime/webhooks.ts";

/** A notice that a topic mails to its subscribers. */
interface PublishedNotice {
  /** Up to a hundred characters of ASCII. */
  readonly subject: string;
  readonly text: string;
  /** What subscriptions choose notices by. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Publishes a notice on a topic of SNS. @throws an error of SNS */
async function publishNotice(
  client: Pick<SNSClient, "send">,
  topicArn: string,
  { subject, text, attributes }: PublishedNotice,
): Promise<void> {
  await client.send(
    new PublishCommand({
      TopicArn: topicArn,
      Subject: subject,
      Message: text,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [name, { DataType: "String", StringValue: value }]),
      ),
    }),
  );
}

const settings = readSettings({
  WEBHOOK_TABLE: z.string(),
  WEBHOOK_QUEUE_URL: z.string(),
  ACTIVITY_TABLE: z.string(),
  ACTIVITY_RETENTION_DAYS: z.coerce.number(),
  EXTERNAL_ID_PREFIX: z.string(),
  /** Absent if nobody is told of endpoints by mail. */
  NOTICE_TOPIC: z.optional(z.string()),
});
const dynamodb = sdkClient(DynamoDBClient);
const queue = sdkClient(SQSClient);
/** A request to a vendor's queue, or for its role, must not use up the time of the others. */
const limited = requestsWithin(5_000);
const topics = sdkClient(SNSClient, limited);
/** Figures of the current run; an environment has one run at a time. */
const figures = gatherFigures();

const deliver = createWebhookDelivery({
  endpoints: {
    ...webhookLister(settings.WEBHOOK_TABLE, dynamodb),
    ...webhookUpdater(settings.WEBHOOK_TABLE, dynamodb),
  },
  keepAttempts: attemptLog(settings.ACTIVITY_TABLE, dynamodb, randomUUID),
  post: createPoster({ allowLoopback: isLocalRun, timeoutMilliseconds: postTimeout }),
  sendToQueue: createQueueSender({
    sts: sdkClient(STSClient, limited),
    sqs: (config: SQSClientConfig) => sdkClient(SQSClient, { ...config, ...limited }),
    externalId: externalIdOf(settings.EXTERNAL_ID_PREFIX),
    timeoutMilliseconds: postTimeout,
    now: () => new Date(),
  }),
  feed: {
    ...feedReader(settings.ACTIVITY_TABLE, dynamodb, Date.now),
    ...feedWriter(settings.ACTIVITY_TABLE, dynamodb, settings.ACTIVITY_RETENTION_DAYS, Date.now),
  },
  async mail({ apiSet, subject, text }) {
    const { NOTICE_TOPIC } = settings;
    if (NOTICE_TOPIC === undefined) return;
    await publishNotice(topics, NOTICE_TOPIC, { subject, text, attributes: { apiSet } });
  },
  send: (messages) => sendWebhooks(queue, settings.WEBHOOK_QUEUE_URL, messages),
  now: Date.now,
  random: Math.random,
  report,
});

const eventSchema = z.object({
  Records: z.array(z.object({ messageId: z.string(), body: z.string() })),
});

/** Posts a batch of events to vendors' endpoints; returns the messages to hand over again. */
export const handler = consumer({
  logInvocation,
  event: eventSchema,
  figures,
  run: async ({ Records }, remainingMilliseconds) =>
    batchResponse(await deliver(Records, remainingMilliseconds)),
});

/** Logs and counts what happened, without addresses and bodies: both are the vendor's. */
function report(reported: WebhookReport): void {
  switch (reported.kind) {
    case "posted":
      figures.add({ WebhooksPosted: 1, WebhookDelay: reported.waited });
      break;
    case "failed": {
      const { apiSet, failure } = reported;
      figures.add({ WebhooksFailed: 1 });
      log({ message: "an endpoint did not take an event", apiSet, failure: failure.message });
      break;
    }
    case "givenUp":
      figures.add({ WebhooksGivenUp: 1 });
      log({ message: "an event was given up", apiSet: reported.apiSet });
      break;
    case "feedLost": {
      const { apiSet, endpointId } = reported;
      log({
        message: "a queue goes on with the oldest event: the feed has not its place",
        apiSet,
        endpointId,
      });
      break;
    }
    case "disabled": {
      const { apiSet, endpointId } = reported;
      figures.add({ WebhookEndpointsDisabled: 1 });
      log({ message: "an endpoint was disabled", apiSet, endpointId });
      break;
    }
    case "failing": {
      const { apiSet, endpointId } = reported;
      figures.add({ WebhookEndpointsFailing: 1 });
      log({ message: "an endpoint has taken nothing for an hour", apiSet, endpointId });
      break;
    }
    case "notNoted":
      logError({ message: "attempts could not be noted" }, reported.error);
      break;
    case "unreadable":
      log({ message: "messages cannot be read; they come back", messages: reported.messages });
      break;
    case "error":
      logError({ message: "events could not be handled; their messages come back" }, reported.error);
  }
}
