import { setTimeout as delay } from "node:timers/promises";
import { GetQueueAttributesCommand, SendMessageBatchCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { chunks, mapSettled } from "../dynamodb/chunks.ts";
import { mergeWakeUps, type OutgoingMessage, type WakeUp } from "./message.ts";

/** SQS's own limit of one batch. */
const entriesLimit = 10;
const parallelRequests = 8;
const attempts = 4;

/** SQS kept refusing a part of a batch; the same may be sent again. */
export class QueueBatchError extends Error {
  override readonly name = "QueueBatchError";

  constructor(options: { cause?: unknown } = {}) {
    super(`SQS did not take the whole batch after ${attempts} attempts.`, options);
  }
}

/**
 * Sends messages, ten a request. Each carries its vendor's API set as message group, so that one vendor's flood does not
 * delay another's cards (SQS fair queues).
 *
 * @throws QueueBatchError if SQS keeps refusing some; the same call may be made again
 */
export async function sendMessages(
  client: SQSClient,
  queueUrl: string,
  messages: readonly OutgoingMessage[],
) {
  await mapSettled(chunks(messages, entriesLimit), parallelRequests, async (batch) => {
    let left = batch.map(({ apiSet, delaySeconds, body }, index) => ({
      Id: String(index),
      MessageBody: body,
      MessageGroupId: apiSet,
      ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
    }));
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (attempt > 0) await delay(Math.random() * 100 * 2 ** attempt);
      const { Failed } = await client.send(
        new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: left }),
      );
      const failed = new Set((Failed ?? []).map(({ Id }) => Id));
      left = left.filter(({ Id }) => failed.has(Id));
      if (left.length === 0) return;
    }
    throw new QueueBatchError();
  });
}

/** Sends wake-ups, in as few messages as can be. @throws QueueBatchError as above */
export async function sendWakeUps(client: SQSClient, queueUrl: string, wakeUps: readonly WakeUp[]) {
  await sendMessages(client, queueUrl, mergeWakeUps(wakeUps));
}

const AttributeNames = [
  "ApproximateNumberOfMessages",
  "ApproximateNumberOfMessagesNotVisible",
  "ApproximateNumberOfMessagesDelayed",
] as const;

/** How many messages a queue holds: those that wait, those that are being worked on, and those that are delayed. */
export async function countMessages(client: SQSClient, queueUrl: string): Promise<number> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...AttributeNames] }),
  );
  return AttributeNames.reduce((sum, name) => sum + Number(Attributes?.[name] ?? 0), 0);
}
