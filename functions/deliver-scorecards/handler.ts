import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod/mini";
import { deleteMessages } from "../../core/aws/delete-messages.ts";
import { receiveMessages } from "../../core/aws/receive-messages.ts";
import { createDelivery } from "../../core/cards/delivery/deliver.ts";
import { createDraining } from "../../core/cards/delivery/drain-queue.ts";
import { sendWakeUps } from "../../core/cards/delivery/queue.ts";
import { scorecardReader, scorecardWriter } from "../../core/cards/delivery/scorecard-table.ts";
import { postTiming } from "../../core/cards/delivery/timing.ts";
import { unionAccounts } from "../../core/union/account-secrets.ts";
import { exchange } from "../../core/union/exchange.ts";
import { batchResponse, consumer } from "../runtime/consumer.ts";
import { logInvocation } from "../runtime/log.ts";
import { gatherFigures } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import { sdkClient } from "../runtime/sdk-client.ts";
import { reporter } from "./report.ts";

const settings = readSettings({
  SCORECARD_TABLE: z.string(),
  DELIVERY_QUEUE_URL: z.string(),
  UNION_BASE_ADDRESS: z.url(),
  EXCHANGE_PATH: z.string(),
  VENDOR_SECRET_PREFIX: z.string(),
  BATCH_SIZE: z.coerce.number(),
  POST_SIZE: z.coerce.number(),
  PARALLEL_POSTS: z.coerce.number(),
  POST_TIMEOUT_SECONDS: z.coerce.number(),
  GIVE_UP_AFTER_SECONDS: z.coerce.number(),
  TIME_ZONE: z.string(),
});

const now = () => new Date();
/** Figures of the current run; an environment has one run at a time. */
const figures = gatherFigures();
const queue = sdkClient(SQSClient);
const dynamodb = sdkClient(DynamoDBClient);
const secrets = sdkClient(SecretsManagerClient);
const accounts = unionAccounts(secrets, now);
const timing = postTiming(settings.POST_TIMEOUT_SECONDS);

const report = reporter(figures, now);

const deliver = createDelivery({
  settings: {
    postSize: settings.POST_SIZE,
    parallelPosts: settings.PARALLEL_POSTS,
    giveUpMilliseconds: settings.GIVE_UP_AFTER_SECONDS * 1000,
    timing,
    timeZone: settings.TIME_ZONE,
  },
  table: {
    ...scorecardReader(settings.SCORECARD_TABLE, dynamodb),
    ...scorecardWriter(settings.SCORECARD_TABLE, dynamodb),
  },
  account: (apiSet) => accounts.get(settings.VENDOR_SECRET_PREFIX + apiSet),
  forgetAccount: (apiSet) => accounts.forget(settings.VENDOR_SECRET_PREFIX + apiSet),
  post: exchange(settings.UNION_BASE_ADDRESS, settings.EXCHANGE_PATH, timing.post, now),
  send: (wakeUps) => sendWakeUps(queue, settings.DELIVERY_QUEUE_URL, wakeUps),
  now,
  random: Math.random,
  report,
});

const { DELIVERY_QUEUE_URL } = settings;
const deliverBatch = createDraining(deliver, {
  settings: { batchSize: settings.BATCH_SIZE, postSize: settings.POST_SIZE },
  receive: (most, signal) => receiveMessages(queue, DELIVERY_QUEUE_URL, most, signal),
  remove: (receiptHandles) => deleteMessages(queue, DELIVERY_QUEUE_URL, receiptHandles),
  timeLimit: AbortSignal.timeout,
  report,
});

const eventSchema = z.object({
  Records: z.array(
    z.object({
      messageId: z.string(),
      body: z.string(),
      attributes: z.object({ ApproximateReceiveCount: z.coerce.number() }),
    }),
  ),
});

/** Delivers the cards that a batch of the delivery queue names; returns the messages to hand over again. */
export const handler = consumer({
  logInvocation,
  event: eventSchema,
  figures,
  run: async ({ Records }, remainingMilliseconds) => {
    const messages = Records.map(({ messageId, body, attributes }) => {
      return { messageId, body, receives: attributes.ApproximateReceiveCount };
    });
    return batchResponse(await deliverBatch(messages, remainingMilliseconds));
  },
});
