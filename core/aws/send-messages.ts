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

/** SQS's own limits of one request. */
export const entriesLimit = 10;
/** See `entriesLimit`; of all bodies together. */
export const bytesLimit = 262_144;
const parallelRequests = 8;
const attempts = 4;

/** SQS kept refusing a part of a batch. The call may be repeated. */
export class QueueBatchError extends Error {
  override readonly name = "QueueBatchError";

  constructor(options: { cause?: unknown } = {}) {
    super(`SQS did not take the whole batch after ${attempts} attempts.`, options);
  }
}

const retryLimits: RetryLimits = { attempts, backoffBase: 100 };

/** Characters that SQS refuses, and halves of surrogate pairs, which not every engine takes. */
const escaped = /[\ud800-\udfff\ufffe\uffff]/g;

/**
 * JSON of a message's body.
 *
 * @see SQS API reference, SendMessage, MessageBody: the characters a message may have
 */
export const messageJson = (value: unknown): string =>
  JSON.stringify(value).replace(escaped, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

type Entry = NonNullable<SendMessageBatchCommand["input"]["Entries"]>[number];

/** Groups entries so that each group is within the limits of a request. */
function toBatches(entries: readonly Entry[]): Entry[][] {
  const batches: Entry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const own = Buffer.byteLength(entry.MessageBody ?? "");
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

/**
 * Sends messages to a queue in as few requests as possible.
 *
 * @throws QueueBatchError if SQS keeps refusing some; the same call may be made again
 */
export async function sendMessages(
  client: SQSClient,
  queueUrl: string,
  messages: readonly OutgoingMessage[],
): Promise<void> {
  const entries = messages.map(({ body, group, delaySeconds }, index) => ({
    Id: String(index),
    MessageBody: body,
    MessageGroupId: group,
    ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
  }));
  const send = async (unsent: readonly Entry[]): Promise<Entry[]> => {
    const request = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [...unsent] });
    const { Failed = [] } = await client.send(request);
    const failed = new Set(Failed.map(({ Id }) => Id));
    return unsent.filter(({ Id }) => failed.has(Id));
  };
  const unsent = await mapSettled(toBatches(entries), parallelRequests, (batch) =>
    retryUnprocessed(batch, retryLimits, send),
  );
  if (unsent.flat().length > 0) throw new QueueBatchError();
}
