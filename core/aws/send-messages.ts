import { SendMessageBatchCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { mapSettled } from "../formats/chunks.ts";
import { type RetryLimits, retryUnprocessed } from "./retry-unprocessed.ts";

/** A message to send. */
export interface OutgoingMessage {
  /** As `messageJson` writes it. */
  readonly body: string;
  /** Messages of one group do not delay those of another (SQS fair queues). */
  readonly group: string;
  readonly delaySeconds: number;
}

/** SQS's own limits of one request: of entries, and of all their bodies and attributes together. */
const entriesLimit = 10;
const bytesLimit = 262_144;
const parallelRequests = 8;
const retryLimits: RetryLimits = { attempts: 4, backoffBase: 100 };

/** SQS kept refusing a part of a batch. The call may be repeated. */
export class QueueBatchError extends Error {
  override readonly name = "QueueBatchError";

  constructor() {
    super(`SQS did not take the whole batch after ${retryLimits.attempts} attempts.`);
  }
}

/** Characters that SQS refuses, and halves of surrogate pairs, which not every engine takes. */
const escaped = /[\ud800-\udfff\ufffe\uffff]/g;

/**
 * JSON of a message's body.
 *
 * @see SQS API reference, SendMessage, MessageBody: the characters a message may have
 */
export const messageJson = (value: unknown): string =>
  JSON.stringify(value).replace(escaped, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

/** A message as SQS takes it. */
export type MessageEntry = NonNullable<SendMessageBatchCommand["input"]["Entries"]>[number];

/** Groups entries so that each group is within the limits of a request. */
export function toBatches(entries: readonly MessageEntry[]): MessageEntry[][] {
  const batches: MessageEntry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const { MessageBody = "", MessageAttributes = "" } = entry;
    const own = Buffer.byteLength(MessageBody + JSON.stringify(MessageAttributes));
    const last = batches.at(-1);
    if (last === undefined || last.length === entriesLimit || bytes + own > bytesLimit) {
      batches.push([entry]);
      bytes = own;
    } else {
      last.push(entry);
      bytes += own;
    }
  }
  return batches;
}

/** Sends one request, and again what SQS refuses of it, unless that is the sender's fault. @returns what it keeps refusing, and why */
export async function sendBatch(
  client: SQSClient,
  queueUrl: string,
  batch: readonly MessageEntry[],
  signal?: AbortSignal,
): Promise<{ readonly unsent: readonly MessageEntry[]; readonly code: string }> {
  let code = "";
  const faulty: MessageEntry[] = [];
  const unsent = await retryUnprocessed(batch, retryLimits, async (entries) => {
    const request = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [...entries] });
    const { Failed = [] } = await client.send(request, signal && { abortSignal: signal });
    code = Failed[0]?.Code ?? code;
    const failed = new Map(Failed.map(({ Id, SenderFault = false }) => [Id, SenderFault]));
    faulty.push(...entries.filter(({ Id }) => failed.get(Id) === true));
    return entries.filter(({ Id }) => failed.get(Id) === false);
  });
  return { unsent: [...faulty, ...unsent], code };
}

/**
 * Sends messages to a queue in as few requests as possible.
 *
 * @returns those that SQS kept refusing, or may have taken without an answer, and why
 */
export async function trySendMessages<Message extends OutgoingMessage>(
  client: SQSClient,
  queueUrl: string,
  messages: readonly Message[],
): Promise<{ readonly unsent: Message[]; readonly cause?: unknown }> {
  const entries = messages.map(({ body, group, delaySeconds }, index) => ({
    Id: String(index),
    MessageBody: body,
    MessageGroupId: group,
    ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
  }));
  let cause: unknown;
  const results = await mapSettled(toBatches(entries), parallelRequests, (batch) =>
    sendBatch(client, queueUrl, batch).catch((error: unknown) => {
      cause = error;
      return { unsent: batch };
    }),
  );
  const unsent = new Set(results.flatMap(({ unsent: left }) => left.map(({ Id }) => Id)));
  return { unsent: messages.filter((_, index) => unsent.has(String(index))), cause };
}

/** Sends messages as `trySendMessages` does. @throws QueueBatchError, or an error of a request; the same call may be made again */
export async function sendMessages(
  client: SQSClient,
  queueUrl: string,
  messages: readonly OutgoingMessage[],
): Promise<void> {
  const { unsent, cause } = await trySendMessages(client, queueUrl, messages);
  if (unsent.length > 0) throw cause ?? new QueueBatchError();
}
