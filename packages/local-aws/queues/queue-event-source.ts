import { setTimeout as delay } from "node:timers/promises";
import type { Message } from "@aws-sdk/client-sqs";
import type { SQSRecord } from "aws-lambda";
import * as z from "zod";
import { eventsOf, failuresOf } from "../functions/batch-events.ts";
import { createSwitch, type StartEventSource } from "../functions/event-source-mapping.ts";
import type { LocalFunction } from "../functions/local-function.ts";
import type { QueueApi } from "./queue-api.ts";
import { sqsRecord } from "./sqs-event.ts";

/** SQS's limit on the messages that one request receives, deletes or changes. */
const messagesPerRequest = 10;
const longPollSeconds = 20;
/** The shortest long poll of SQS, for polls while the window of a batch is open. */
const minPollSeconds = 1;
/** Pause after a failed request to the queue. */
const unreachableMilliseconds = 1000;

/** Concurrent batches if the template sets no limit; Lambda starts with as many. */
const initialConcurrency = 5;

const propertiesSchema = z.strictObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: z.coerce.number().default(10),
  MaximumBatchingWindowInSeconds: z.coerce.number().default(0),
  ScalingConfig: z
    .strictObject({ MaximumConcurrency: z.coerce.number() })
    .default({ MaximumConcurrency: initialConcurrency }),
  FunctionResponseTypes: z.array(z.literal("ReportBatchItemFailures")).default([]),
  Enabled: z.union([z.boolean(), z.stringbool()]).default(true),
});

/** How a mapping feeds a function from a queue. */
type QueueMapping = z.output<typeof propertiesSchema>;

/**
 * An event source mapping from a queue of the stack.
 *
 * @param queueUrl URL of a queue by its ARN; undefined if it does not exist yet
 */
export function queueEventSource(
  api: QueueApi,
  queueUrl: (queueArn: string) => string | undefined,
): StartEventSource {
  return (properties, target) => {
    const mapping = propertiesSchema.parse(properties);
    const { EventSourceArn: queueArn, FunctionName: _, Enabled: _enabled, ...configuration } = mapping;
    const url = queueUrl(queueArn);
    if (url === undefined) throw new Error(`the stack has no queue ${queueArn}`);
    return { source: startPolling(api, target, url, mapping), configuration };
  };
}

/**
 * Invokes a function with batches of messages from a queue.
 *
 * Messages that the function has processed are deleted. Those that failed, or all if the invocation failed, return to
 * the queue after their visibility timeout. Messages that are received while the event source is disabled return at
 * once. Unlike Lambda, it does not slow down after failures.
 */
function startPolling(api: QueueApi, target: LocalFunction, queueUrl: string, mapping: QueueMapping) {
  const { EventSourceArn: queueArn, ScalingConfig } = mapping;
  const stopping = new AbortController();
  const { signal } = stopping;
  const { isEnabled, whenEnabled, setEnabled, end } = createSwitch(mapping.Enabled);

  const receive = (most: number, waitSeconds: number): Promise<readonly Message[]> => {
    const request = {
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(most, messagesPerRequest),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ["All"] as ["All"],
      MessageAttributeNames: ["All"],
    };
    return api.receiveMessage(request, signal);
  };

  const poll = async (): Promise<void> => {
    while (!signal.aborted) {
      await whenEnabled();
      // Messages that arrive while the function is busy can share a batch.
      await target.available();
      try {
        const batch = await gather(receive, mapping);
        if (!isEnabled()) await giveBack(api, queueUrl, batch);
        else {
          const records = batch.map((message) => sqsRecord(message, queueArn));
          for (const { event, records: own } of eventsOf(records))
            await handOver(api, target, queueUrl, mapping, event, own);
        }
      } catch {
        // The queue is unreachable, or the run is ending.
        await delay(unreachableMilliseconds, undefined, { signal }).catch(() => undefined);
      }
    }
  };

  const pollers = Array.from({ length: ScalingConfig.MaximumConcurrency }, poll);
  return {
    enabled: isEnabled,
    setEnabled,
    async stop() {
      stopping.abort();
      end();
      await Promise.all(pollers);
    },
  };
}

/** Receives messages until the batch is full or its window has passed. */
async function gather(
  receive: (most: number, waitSeconds: number) => Promise<readonly Message[]>,
  { BatchSize: batchSize, MaximumBatchingWindowInSeconds: windowSeconds }: QueueMapping,
): Promise<Message[]> {
  const batch = [...(await receive(batchSize, longPollSeconds))];
  const until = Date.now() + windowSeconds * 1000;
  if (batch.length === messagesPerRequest) {
    // More messages are probably waiting, so the rest of the batch is requested in parallel.
    const rest = toRequests(Array.from({ length: batchSize - batch.length }));
    const received = await Promise.all(rest.map(({ length }) => receive(length, 0)));
    batch.push(...received.flat());
  }
  while (batch.length > 0 && batch.length < batchSize && Date.now() < until) {
    batch.push(...(await receive(batchSize - batch.length, minPollSeconds)));
  }
  return batch;
}

/** Makes messages visible at once. */
async function giveBack(api: QueueApi, queueUrl: string, batch: readonly Message[]): Promise<void> {
  for (const messages of toRequests(batch)) {
    const entries = messages.map(({ ReceiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle,
      VisibilityTimeout: 0,
    }));
    await api.changeMessageVisibilityBatch({ QueueUrl: queueUrl, Entries: entries });
  }
}

/** Invokes the function with messages, and deletes those that it has processed. */
async function handOver(
  api: QueueApi,
  target: LocalFunction,
  queueUrl: string,
  { FunctionResponseTypes }: QueueMapping,
  event: string,
  records: readonly SQSRecord[],
): Promise<void> {
  let answer: string;
  try {
    answer = await target.invoke(event);
  } catch {
    return;
  }
  const messageIds = records.map(({ messageId }) => messageId);
  const failed = new Set(FunctionResponseTypes.length > 0 ? failuresOf(answer, messageIds) : []);
  const done = records.filter(({ messageId }) => !failed.has(messageId));
  const remove = async (some: readonly SQSRecord[]): Promise<void> => {
    const entries = some.map(({ receiptHandle }, index) => ({
      Id: String(index),
      ReceiptHandle: receiptHandle,
    }));
    await api.deleteMessageBatch({ QueueUrl: queueUrl, Entries: entries });
  };
  await Promise.all(toRequests(done).map(remove));
}

/** Splits a list into the batches of SQS requests. */
function toRequests<Entry>(entries: readonly Entry[]): Entry[][] {
  const count = Math.ceil(entries.length / messagesPerRequest);
  return Array.from({ length: count }, (_, n) =>
    entries.slice(n * messagesPerRequest, (n + 1) * messagesPerRequest),
  );
}
