import {
  ChangeMessageVisibilityBatchCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { chunks } from "../formats/chunks.ts";
import { deleteMessages } from "./delete-messages.ts";
import type { IncomingMessage } from "./receive-messages.ts";
import { QueueBatchError } from "./send-messages.ts";

/** A message in the dead-letter queue. */
export type DeadLetter = Omit<IncomingMessage, "receives">;

/** Messages that made the function fail time and again, or that it cannot read. */
export interface DeadLetterQueue {
  /** Calls `work` with each letter once, in batches of up to twenty, then `atEnd` with the number of those that stay: none is visible yet. */
  each(
    work: (letters: readonly DeadLetter[]) => Promise<void>,
    atEnd?: (staying: number) => Promise<void>,
  ): Promise<void>;
  /** @throws QueueBatchError if SQS refuses some; the same call may be made again */
  remove(letters: readonly DeadLetter[]): Promise<void>;
}

/** SQS's own limit of one batch. */
const batchSize = 10;
/** Longer than one batch takes. */
const visibilitySeconds = 300;
/** Receives at the same time. One empty response does not mean that the queue is empty, since SQS may poll a part of its servers. */
const parallelReceives = 2;

async function receiveLetters(client: SQSClient, queueUrl: string): Promise<DeadLetter[]> {
  const { Messages } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: batchSize,
      VisibilityTimeout: visibilitySeconds,
      WaitTimeSeconds: 1,
    }),
  );
  return (Messages ?? []).map(({ MessageId = "", ReceiptHandle = "", Body = "" }) => {
    return { messageId: MessageId, receiptHandle: ReceiptHandle, body: Body };
  });
}

/** Makes letters visible again; one that fails becomes visible by itself. */
async function releaseLetters(
  client: SQSClient,
  queueUrl: string,
  letters: readonly DeadLetter[],
): Promise<void> {
  for (const chunk of chunks(letters, batchSize)) {
    const Entries = chunk.map(({ receiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: 0,
    }));
    const request = new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries });
    await client.send(request).catch(() => undefined);
  }
}

/** The dead letters in an SQS queue. */
export function deadLetterQueue(client: SQSClient, queueUrl: string): DeadLetterQueue {
  /** Letters that were received and not removed. */
  const staying = new Map<string, DeadLetter>();
  const receive = async () => {
    const letters = await receiveLetters(client, queueUrl);
    for (const letter of letters) staying.set(letter.messageId, letter);
    return letters;
  };
  return {
    async each(work, atEnd) {
      const seen = new Set<string>();
      try {
        // Stop when all receives return only dead letters that were handled before: the queue has no others.
        for (let isEmpty = false; !isEmpty; ) {
          const received = await Promise.all(Array.from({ length: parallelReceives }, receive));
          const unseen = new Map(
            received.flatMap((letters) => letters.map((letter) => [letter.messageId, letter])),
          );
          for (const messageId of seen) unseen.delete(messageId);
          for (const messageId of unseen.keys()) seen.add(messageId);
          isEmpty = unseen.size === 0;
          if (!isEmpty) await work([...unseen.values()]);
        }
        await atEnd?.(staying.size);
      } finally {
        const letters = [...staying.values()];
        staying.clear();
        await releaseLetters(client, queueUrl, letters);
      }
    },

    async remove(letters) {
      const handles = letters.map(({ receiptHandle }) => receiptHandle);
      const failed = new Set(await deleteMessages(client, queueUrl, handles));
      for (const { messageId, receiptHandle } of letters) {
        if (!failed.has(receiptHandle)) staying.delete(messageId);
      }
      if (failed.size > 0) throw new QueueBatchError();
    },
  };
}
