import * as z from "zod";
import { jsonEndpoint, ServiceError } from "../json-endpoint.ts";
import { type LoopbackServer, startLoopbackServer } from "../loopback-server.ts";
import type { Alarm } from "./alarms.ts";
import type { MetricIdentity, MetricStore } from "./metric-store.ts";

const describeSchema = z.strictObject({
  AlarmNamePrefix: z.string().default(""),
  StateValue: z.enum(["OK", "ALARM", "INSUFFICIENT_DATA"]).optional(),
  MaxRecords: z.number().optional(),
});

const dimensionSchema = z.strictObject({ Name: z.string(), Value: z.string() });
/** Times are seconds since 1970. */
const dataSchema = z.strictObject({
  StartTime: z.number(),
  EndTime: z.number(),
  MetricDataQueries: z.array(
    z.strictObject({
      Id: z.string(),
      MetricStat: z.strictObject({
        Metric: z.strictObject({
          Namespace: z.string(),
          MetricName: z.string(),
          Dimensions: z.array(dimensionSchema),
        }),
        Period: z.literal(60),
        Stat: z.literal("Maximum"),
      }),
    }),
  ),
});

const minute = 60_000;

/**
 * Starts the part of CloudWatch's API that an operator reads, on 127.0.0.1: the alarms with their states, and the latest
 * value of metrics.
 *
 * @param refresh brings the metrics up to date
 */
export function startCloudWatchApi(
  alarms: readonly Alarm[],
  metrics: MetricStore,
  refresh: () => Promise<void>,
): Promise<LoopbackServer> {
  /** The latest value, if the last period has none. */
  const earlier = (metric: MetricIdentity, from: number, to: number) =>
    metrics.values(metric, from, to).slice(-1);
  const operations: Record<string, (request: unknown) => object> = {
    DescribeAlarms(request) {
      const { AlarmNamePrefix, StateValue } = describeSchema.parse(request);
      const described = alarms
        .filter(({ name }) => name.startsWith(AlarmNamePrefix))
        .map((alarm) => ({
          AlarmName: alarm.name,
          AlarmDescription: alarm.description,
          StateValue: alarm.state(Date.now()),
        }))
        .filter((alarm) => StateValue === undefined || alarm.StateValue === StateValue);
      return { MetricAlarms: described, CompositeAlarms: [] };
    },
    GetMetricData(request) {
      const { StartTime, EndTime, MetricDataQueries } = dataSchema.parse(request);
      const results = MetricDataQueries.map(({ Id, MetricStat: { Metric } }) => {
        const dimensions = Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value]));
        const metric = { namespace: Metric.Namespace, name: Metric.MetricName, dimensions };
        const end = EndTime * 1000 + 1000;
        const lastPeriod = metrics.values(metric, end - minute, end);
        const found =
          lastPeriod.length > 0 ? [Math.max(...lastPeriod)] : earlier(metric, StartTime * 1000, end);
        return { Id, Values: found, Timestamps: found.map(() => EndTime), StatusCode: "Complete" };
      });
      return { MetricDataResults: results };
    },
  };
  return startLoopbackServer(
    jsonEndpoint(async (request, body) => {
      const name = String(request.headers["x-amz-target"]).split(".").at(-1) ?? "";
      const operate = Object.hasOwn(operations, name) ? operations[name] : undefined;
      if (operate === undefined) {
        throw new ServiceError("InvalidAction", `the local CloudWatch does not support ${name}`);
      }
      await refresh();
      return { status: 200, body: operate(body) };
    }),
  );
}
