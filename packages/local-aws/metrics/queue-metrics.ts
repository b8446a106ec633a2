import * as z from "zod";
import type { MetricStore } from "./metric-store.ts";

const messageSchema = z.object({ sentTimestamp: z.number(), approximateReceiveCount: z.number() });
const queueSchema = z.object({
  name: z.string(),
  messages: z.object({
    ready: z.array(messageSchema),
    delayed: z.array(messageSchema),
    inflight: z.array(z.object({ message: messageSchema })),
  }),
});

/** ApproximateAgeOfOldestMessage ignores messages that were received more often than this. */
const countedReceives = 3;

/**
 * Reads the SQS metrics of a queue from the embedded engine and stores them. Does nothing for other engines.
 *
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
export async function takeQueueMetrics(
  endpoint: string,
  queueName: string,
  metrics: MetricStore,
): Promise<void> {
  const response = await fetch(new URL(`/_fauxqs/queues/${encodeURIComponent(queueName)}`, endpoint));
  if (!response.ok) return;
  const { messages } = queueSchema.parse(await response.json());
  const inflight = messages.inflight.map(({ message }) => message);
  const at = Date.now();
  const put = (name: string, value: number): void =>
    metrics.put({ namespace: "AWS/SQS", name, dimensions: { QueueName: queueName }, value, at });
  put("ApproximateNumberOfMessagesVisible", messages.ready.length);
  put("ApproximateNumberOfMessagesNotVisible", inflight.length);
  put("ApproximateNumberOfMessagesDelayed", messages.delayed.length);
  const counted = [...messages.ready, ...inflight].filter(
    ({ approximateReceiveCount }) => approximateReceiveCount <= countedReceives,
  );
  const oldest = Math.min(at, ...counted.map(({ sentTimestamp }) => sentTimestamp));
  put("ApproximateAgeOfOldestMessage", (at - oldest) / 1000);
}
