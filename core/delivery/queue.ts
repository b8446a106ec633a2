import { setTimeout as delay } from "node:timers/promises";
import {
  ChangeMessageVisibilityBatchCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { chunks, workOnAll } from "../store/chunks.ts";
import { writeMessage } from "./message.ts";
import { type OutgoingCard, outgoingMessages } from "./outgoing-messages.ts";

/** SQS's own limits of one batch. */
const entriesLimit = 10;
const bytesLimit = 1_048_576;
const parallelRequests = 8;
const attempts = 4;

/** SQS kept refusing a part of a batch; the same may be sent again. */
export class QueueBusy extends Error {
  override readonly name = "QueueBusy";

  constructor() {
    super(`SQS did not take the whole batch after ${attempts} attempts.`);
  }
}

/** A received message to be seen again later. */
export interface Postponement {
  readonly receiptHandle: string;
  /** Whole seconds from now, up to 43,200. */
  readonly seconds: number;
}

/** Puts entries into batches that SQS takes, ten and a mebibyte each, as they are asked for. */
function* batches(
  entries: Iterable<SendMessageBatchRequestEntry>,
): Generator<SendMessageBatchRequestEntry[]> {
  let batch: SendMessageBatchRequestEntry[] = [];
  let room = bytesLimit;
  for (const entry of entries) {
    const bytes = Buffer.byteLength(entry.MessageBody ?? "");
    if (batch.length === entriesLimit || (batch.length > 0 && bytes > room)) {
      yield batch;
      batch = [];
      room = bytesLimit;
    }
    batch.push(entry);
    room -= bytes;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Hands a batch over time and again until none of its entries fails.
 *
 * @param ask resolves to the IDs of the entries that failed
 * @throws QueueBusy where some still fail
 */
async function untilNoneFails<Entry extends { readonly Id: string | undefined }>(
  batch: readonly Entry[],
  ask: (entries: Entry[]) => Promise<readonly (string | undefined)[]>,
): Promise<void> {
  let wanted = [...batch];
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) await delay(Math.random() * 100 * 2 ** attempt);
    const failed = new Set(await ask(wanted));
    wanted = wanted.filter(({ Id }) => failed.has(Id));
    if (wanted.length === 0) return;
  }
  throw new QueueBusy();
}

async function sendAll(client: SQSClient, queueUrl: string, entries: Iterable<SendMessageBatchRequestEntry>) {
  const ask = async (Entries: SendMessageBatchRequestEntry[]) => {
    const { Failed } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    return (Failed ?? []).map(({ Id }) => Id);
  };
  await workOnAll(batches(entries), parallelRequests, (batch) => untilNoneFails(batch, ask));
}

/**
 * Sends cards on their way, ten a message and ten messages a request. Each carries its vendor's API set as message
 * group, so that one vendor's flood does not delay another's cards (SQS fair queues). Messages are written while others
 * are on their way.
 *
 * @throws QueueBusy where SQS refuses some time and again; the same call may be made again
 */
export async function sendCards(client: SQSClient, queueUrl: string, cards: readonly OutgoingCard[]) {
  const entries = outgoingMessages(cards).map((message, index) => {
    const [{ queued, delaySeconds }] = message;
    return {
      Id: String(index),
      MessageBody: writeMessage(
        queued,
        message.map(({ queued }) => queued),
      ),
      MessageGroupId: queued.apiSet,
      ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
    };
  });
  await sendAll(client, queueUrl, entries);
}

/** Puts the bodies of messages that delivery is done with, though they were not delivered, where an operator finds them. */
export async function sendToDeadLetters(client: SQSClient, queueUrl: string, bodies: readonly string[]) {
  await sendAll(
    client,
    queueUrl,
    bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody })),
  );
}

/**
 * Has received messages come back at a time of our choosing, ten a request.
 *
 * @throws QueueBusy where SQS refuses some time and again; those come back at the queue's own time
 */
export async function postpone(client: SQSClient, queueUrl: string, postponements: readonly Postponement[]) {
  const entries = postponements.map(({ receiptHandle, seconds }, index) => ({
    Id: String(index),
    ReceiptHandle: receiptHandle,
    VisibilityTimeout: seconds,
  }));
  const ask = async (Entries: typeof entries) => {
    const request = new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries });
    return ((await client.send(request)).Failed ?? []).map(({ Id }) => Id);
  };
  await workOnAll(chunks(entries, entriesLimit), parallelRequests, (batch) => untilNoneFails(batch, ask));
}
