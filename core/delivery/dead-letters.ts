import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { QueueBatchError } from "./queue.ts";

/** A message in the dead-letter queue. */
export interface DeadLetter {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
}

/** Messages that crashed the function time and again, or that it cannot read. */
export interface DeadLetterQueue {
  /** Hands every letter over once, in batches of up to ten; what is not removed stays. */
  each(work: (letters: readonly DeadLetter[]) => Promise<void>): Promise<void>;
  /** Removes letters that were handed over. @throws QueueBatchError where SQS refuses some; the same call may be made again */
  remove(letters: readonly DeadLetter[]): Promise<void>;
}

/** SQS's own limit of one batch. */
const batchSize = 10;
/** Longer than one batch takes; letters that stay are seen again after it, or when all were handed over. */
const visibilitySeconds = 300;
/** SQS asks a part of its machines at a time, so that one empty answer does not say that nothing is there. */
const emptyAnswers = 2;

/** The dead letters in an SQS queue. */
export function deadLetterQueue(client: SQSClient, queueUrl: string): DeadLetterQueue {
  async function receive(): Promise<DeadLetter[]> {
    const { Messages } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: batchSize,
        VisibilityTimeout: visibilitySeconds,
        WaitTimeSeconds: 1,
      }),
    );
    return (Messages ?? []).map(({ MessageId, ReceiptHandle, Body }) => ({
      messageId: MessageId ?? "",
      receiptHandle: ReceiptHandle ?? "",
      body: Body ?? "",
    }));
  }

  const entries = (letters: readonly DeadLetter[]) =>
    letters.map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }));

  /** Letters that were handed over and not removed. */
  const staying = new Map<string, DeadLetter>();

  async function putBack(): Promise<void> {
    const letters = [...staying.values()];
    staying.clear();
    for (let first = 0; first < letters.length; first += batchSize) {
      const Entries = entries(letters.slice(first, first + batchSize)).map((entry) => ({
        ...entry,
        VisibilityTimeout: 0,
      }));
      // One that cannot be put back comes back by itself.
      await client
        .send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }))
        .catch(() => undefined);
    }
  }

  return {
    async each(work) {
      const seen = new Set<string>();
      try {
        for (let empty = 0; empty < emptyAnswers; ) {
          const letters = await receive();
          for (const letter of letters) staying.set(letter.messageId, letter);
          const unseen = letters.filter(({ messageId }) => !seen.has(messageId));
          for (const { messageId } of unseen) seen.add(messageId);
          if (unseen.length > 0) await work(unseen);
          // Letters that come round again mean that all were handed over.
          empty = unseen.length === 0 ? empty + 1 : 0;
        }
      } finally {
        await putBack();
      }
    },

    async remove(letters) {
      if (letters.length === 0) return;
      const { Failed } = await client.send(
        new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries(letters) }),
      );
      const failed = new Set((Failed ?? []).map(({ Id }) => Id));
      for (const [index, { messageId }] of letters.entries()) {
        if (!failed.has(String(index))) staying.delete(messageId);
      }
      if (failed.size > 0) throw new QueueBatchError();
    },
  };
}
