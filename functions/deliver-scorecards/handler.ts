import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import { correctionTimes } from "../../core/delivery/correction-times.ts";
import { createDelivery } from "../../core/delivery/deliver.ts";
import { postpone, sendToDeadLetters } from "../../core/delivery/queue.ts";
import { scorecardReader, scorecardWriter } from "../../core/store/scorecards.ts";
import { unionAccounts } from "../../core/union/account.ts";
import { exchange } from "../../core/union/exchange.ts";
import { leanSdk } from "../lean-sdk.ts";
import { log, logInvocation } from "../log.ts";
import { gatherFigures } from "../metrics.ts";
import { measuredAccounts, measuredOutcomes, measuredPosts, measureOldest } from "./measured.ts";

const settings = z
  .object({
    SCORECARD_TABLE: z.string(),
    CARD_RETENTION_DAYS: z.coerce.number(),
    DELIVERY_QUEUE_URL: z.string(),
    DEAD_LETTER_QUEUE_URL: z.string(),
    UNION_BASE_ADDRESS: z.url(),
    EXCHANGE_PATH: z.string(),
    VENDOR_SECRET_PREFIX: z.string(),
    POST_SIZE: z.coerce.number(),
    PARALLEL_POSTS: z.coerce.number(),
    POST_TIMEOUT_SECONDS: z.coerce.number(),
    GIVE_UP_AFTER_SECONDS: z.coerce.number(),
    BACKOFF_CAP_SECONDS: z.coerce.number(),
    CORRECTION_DELAY_SECONDS: z.coerce.number(),
  })
  .parse(process.env);

const now = () => new Date();
/** What the run under way measures; an environment has one at a time. */
const run = gatherFigures();
const queue = new SQSClient(leanSdk);
const accounts = unionAccounts(new SecretsManagerClient(leanSdk), now);
const postTimeoutMilliseconds = settings.POST_TIMEOUT_SECONDS * 1000;

const dynamodb = new DynamoDBClient(leanSdk);
const table = scorecardReader(settings.SCORECARD_TABLE, dynamodb);
const outcomes = scorecardWriter(settings.SCORECARD_TABLE, dynamodb, settings.CARD_RETENTION_DAYS);

const deliver = createDelivery({
  settings: {
    postSize: settings.POST_SIZE,
    parallelPosts: settings.PARALLEL_POSTS,
    postTimeoutMilliseconds,
    giveUpMilliseconds: settings.GIVE_UP_AFTER_SECONDS * 1000,
    backoffCapSeconds: settings.BACKOFF_CAP_SECONDS,
    correction: correctionTimes(settings.CORRECTION_DELAY_SECONDS),
  },
  cards: { ...table, ...outcomes, ...measuredOutcomes(outcomes, run) },
  account: measuredAccounts((apiSet) => accounts.get(settings.VENDOR_SECRET_PREFIX + apiSet), run),
  forgetAccount: (apiSet) => accounts.forget(settings.VENDOR_SECRET_PREFIX + apiSet),
  post: measuredPosts(
    exchange(settings.UNION_BASE_ADDRESS, settings.EXCHANGE_PATH, postTimeoutMilliseconds, now),
    run,
    now,
  ),
  postpone: (postponements) => postpone(queue, settings.DELIVERY_QUEUE_URL, postponements),
  sendToDeadLetters: (bodies) => sendToDeadLetters(queue, settings.DEAD_LETTER_QUEUE_URL, bodies),
  now,
  random: Math.random,
  log,
});

const eventSchema = z.object({
  Records: z.array(
    z.object({
      messageId: z.string(),
      receiptHandle: z.string(),
      body: z.string(),
      attributes: z.object({ SentTimestamp: z.coerce.number(), ApproximateReceiveCount: z.coerce.number() }),
    }),
  ),
});

/** Delivers a batch of the delivery queue; answers which messages stay in it. */
export const handler = async (event: unknown, context: Context) => {
  logInvocation(context);
  const messages = eventSchema.parse(event).Records.map(({ attributes, ...record }) => ({
    ...record,
    sentAt: attributes.SentTimestamp,
    receives: attributes.ApproximateReceiveCount,
  }));
  try {
    const kept = await deliver(messages, () => context.getRemainingTimeInMillis());
    measureOldest(messages, kept, run, now);
    return { batchItemFailures: kept.map((itemIdentifier) => ({ itemIdentifier })) };
  } finally {
    run.publish();
  }
};
