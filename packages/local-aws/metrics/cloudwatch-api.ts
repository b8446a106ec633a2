import * as z from "zod";
import { jsonEndpoint, ServiceError } from "../base/json-endpoint.ts";
import { type LoopbackServer, startLoopbackServer } from "../base/loopback-server.ts";
import { type Alarm, statisticSchema, statistics } from "./alarms.ts";
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
        Period: z.int().positive(),
        Stat: statisticSchema,
      }),
    }),
  ),
});

const maxValues = 100_800;

/** Periods that are looked through for the beginning of an alarm's state. */
const maxPeriodsBack = 200;

/** Since when an alarm is in its state, to within a period. */
function findSince(alarm: Alarm, now: number): number {
  const state = alarm.state(now);
  let since = now;
  for (let back = 0; back < maxPeriodsBack; back++) {
    const before = since - alarm.period * 1000;
    if (alarm.state(before) !== state) break;
    since = before;
  }
  return since;
}

/** The periods of a metric that have data, the latest first. Times and the period in milliseconds. */
function listPeriods(
  metrics: MetricStore,
  metric: MetricIdentity,
  { statistic, period }: { statistic: keyof typeof statistics; period: number },
  from: number,
  to: number,
) {
  const found: { at: number; value: number }[] = [];
  if ((to - from) / period > maxValues) throw new ServiceError("InvalidParameterValue", "too many periods");
  for (let at = Math.floor(to / period) * period; at + period > from; at -= period) {
    const values = metrics.values(metric, at, at + period - 1);
    if (values.length > 0) found.push({ at, value: statistics[statistic](values) });
  }
  return found;
}

function describeAlarms(alarms: readonly Alarm[], request: unknown): object {
  const { AlarmNamePrefix, StateValue } = describeSchema.parse(request);
  const now = Date.now();
  const described = alarms
    .filter(({ name }) => name.startsWith(AlarmNamePrefix))
    .map((alarm) => ({
      AlarmName: alarm.name,
      AlarmDescription: alarm.description,
      StateValue: alarm.state(now),
      StateUpdatedTimestamp: findSince(alarm, now) / 1000,
    }))
    .filter((alarm) => StateValue === undefined || alarm.StateValue === StateValue);
  return { MetricAlarms: described, CompositeAlarms: [] };
}

function getMetricData(metrics: MetricStore, request: unknown): object {
  const { StartTime, EndTime, MetricDataQueries } = dataSchema.parse(request);
  const results = MetricDataQueries.map(({ Id, MetricStat: { Metric, Stat, Period } }) => {
    const dimensions = Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value]));
    const metric = { namespace: Metric.Namespace, name: Metric.MetricName, dimensions };
    const asked = { statistic: Stat, period: Period * 1000 };
    const found = listPeriods(metrics, metric, asked, StartTime * 1000, EndTime * 1000 + 1000);
    return {
      Id,
      Values: found.map(({ value }) => value),
      Timestamps: found.map(({ at }) => at / 1000),
      StatusCode: "Complete",
    };
  });
  return { MetricDataResults: results };
}

/**
 * Starts the part of CloudWatch's API that an operator reads, on 127.0.0.1: the alarms with their states, and the
 * values of metrics.
 *
 * @param refresh brings the metrics up to date
 */
export function startCloudWatchApi(
  alarms: readonly Alarm[],
  metrics: MetricStore,
  refresh: () => Promise<void>,
): Promise<LoopbackServer> {
  return startLoopbackServer(
    jsonEndpoint(async (request, body) => {
      const name = String(request.headers["x-amz-target"]).split(".").at(-1) ?? "";
      if (name !== "DescribeAlarms" && name !== "GetMetricData") {
        throw new ServiceError("InvalidAction", `the local CloudWatch does not support ${name}`);
      }
      await refresh();
      return {
        status: 200,
        body: name === "DescribeAlarms" ? describeAlarms(alarms, body) : getMetricData(metrics, body),
      };
    }),
  );
}
