import { type CloudWatchClient, paginateGetMetricData } from "@aws-sdk/client-cloudwatch";
import type { DeliveredCount, MeasuredQueue } from "./service-objective.ts";

/** Reads what CloudWatch has of the delivery. Times in milliseconds since 1970, UTC. */
export interface DeliveryMetrics {
  /** The delivered cards, in parts of so many seconds; parts without any are left out. */
  delivered(from: number, now: number, partSeconds: number): Promise<DeliveredCount[]>;
  /** The queue in each minute in which SQS measured it. */
  queue(from: number, now: number): Promise<MeasuredQueue[]>;
  /** The largest age that was measured last, in seconds: of a card that is retried, and of a message in the queue. */
  oldestSeconds(now: number): Promise<number | undefined>;
}

interface Series {
  readonly namespace: string;
  readonly name: string;
  readonly dimension: readonly [name: string, value: string];
  readonly statistic: "Sum" | "Minimum" | "Maximum";
}

/** Metrics are published each minute, so one that is older than a quarter of an hour is out of date. */
const metricsReach = 15 * 60_000;

/** The values of each series by the beginning of their period, of so many seconds. */
async function readSeries(
  client: CloudWatchClient,
  series: readonly Series[],
  from: number,
  now: number,
  Period: number,
) {
  const values = series.map(() => new Map<number, number>());
  const pages = paginateGetMetricData(
    { client },
    {
      StartTime: new Date(from),
      EndTime: new Date(now),
      MetricDataQueries: series.map(({ namespace, name, dimension: [Name, Value], statistic }, place) => {
        const Metric = { Namespace: namespace, MetricName: name, Dimensions: [{ Name, Value }] };
        return { Id: `m${place}`, MetricStat: { Metric, Period, Stat: statistic } };
      }),
    },
  );
  for await (const { MetricDataResults = [] } of pages) {
    for (const { Id = "", Timestamps = [], Values = [] } of MetricDataResults) {
      for (const [place, time] of Timestamps.entries()) {
        values[Number(Id.slice(1))]?.set(time.getTime(), Values[place] ?? 0);
      }
    }
  }
  return values;
}

/** Reads the delivery's metrics of a stack. @param queueUrl address of the delivery queue */
export function deliveryMetrics(client: CloudWatchClient, stack: string, queueUrl: string): DeliveryMetrics {
  const QueueName = queueUrl.split("/").at(-1) ?? "";
  const own = (name: string, statistic: Series["statistic"] = "Sum"): Series => ({
    namespace: stack,
    name,
    dimension: ["service", "deliver-scorecards"],
    statistic,
  });
  const ofQueue = (name: string, statistic: Series["statistic"]): Series => ({
    namespace: "AWS/SQS",
    name,
    dimension: ["QueueName", QueueName],
    statistic,
  });

  return {
    async delivered(from, now, partSeconds) {
      const series = [own("CardsDelivered"), own("CardsDelayed")];
      const [delivered = new Map(), delayed = new Map()] = await readSeries(
        client,
        series,
        from,
        now,
        partSeconds,
      );
      return [...delivered].map(([at, cards]) => ({
        from: at,
        to: at + partSeconds * 1000,
        delivered: cards,
        delayed: delayed.get(at) ?? 0,
      }));
    },
    async queue(from, now) {
      const series = [
        ofQueue("ApproximateNumberOfMessagesVisible", "Minimum"),
        ofQueue("ApproximateAgeOfOldestMessage", "Maximum"),
      ];
      const [visible = new Map(), oldest = new Map()] = await readSeries(client, series, from, now, 60);
      return [...visible].map(([at, messages]) => ({
        at,
        visible: messages,
        oldestSeconds: oldest.get(at) ?? 0,
      }));
    },
    async oldestSeconds(now) {
      const series = [ofQueue("ApproximateAgeOfOldestMessage", "Maximum"), own("OldestCardAge", "Maximum")];
      const ages = await readSeries(client, series, now - metricsReach, now, 60);
      const latest = ages.flatMap((values) => values.get(Math.max(...values.keys())) ?? []);
      return latest.length === 0 ? undefined : Math.max(...latest);
    },
  };
}
