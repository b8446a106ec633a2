import * as z from "zod";

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

/** One data point of a metric. */
export interface Datum {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly value: number;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
}

/** Identifies a metric; in CloudWatch the dimensions are part of its identity. */
export type MetricIdentity = Pick<Datum, "namespace" | "name" | "dimensions">;

/** The metrics of a run. Times in milliseconds since 1970, UTC. */
export interface MetricStore {
  /** When the run began. */
  readonly since: number;
  put(datum: Datum): void;
  /** Values of one metric from one time to another, the oldest first. */
  values(metric: MetricIdentity, from: number, to: number): number[];
  /** Every data point that is kept, the oldest of each metric first. */
  all(): readonly Datum[];
}

/** Limits the memory of a run that lasts for days; nobody reads older data. */
const maxDatapointsOfMetric = 20_000;

function identity({ namespace, name, dimensions }: MetricIdentity): string {
  const names = Object.keys(dimensions).sort();
  // A line break is in no name or value of a dimension: CloudWatch takes no control characters.
  return [namespace, name, ...names.flatMap((of) => [of, dimensions[of]])].join("\n");
}

/**
 * How many data points come before the first that does not pass, by a binary search.
 *
 * @param data the oldest first
 * @param passes true up to some time, false from then on
 */
function countUntil(data: readonly Datum[], passes: (at: number) => boolean): number {
  let [low, high] = [0, data.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(data[middle]?.at ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An empty store of the metrics of a run that begins at a time. */
export function createMetricStore(since: number): MetricStore {
  const byMetric = new Map<string, Datum[]>();
  return {
    since,
    put(datum) {
      const metric = identity(datum);
      const data = byMetric.get(metric) ?? [];
      if (data.length === 0) byMetric.set(metric, data);
      // A new value is nearly always the newest, so `splice` moves no others.
      const place = countUntil(data, (at) => at <= datum.at);
      data.splice(place, 0, datum);
      if (data.length > 2 * maxDatapointsOfMetric) data.splice(0, data.length - maxDatapointsOfMetric);
    },
    values(metric, from, to) {
      const data = byMetric.get(identity(metric)) ?? [];
      const first = countUntil(data, (at) => at < from);
      const end = countUntil(data, (at) => at <= to);
      return data.slice(first, end).map(({ value }) => value);
    },
    all: () => [...byMetric.values()].flat(),
  };
}
